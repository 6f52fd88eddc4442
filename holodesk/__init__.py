"""Living holograms on a clear pyramid: verified, steerable, replayable."""

from typing import Final

VERSION: Final = "0.1.0"
