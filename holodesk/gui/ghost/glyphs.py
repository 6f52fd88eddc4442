"""The atlas of letters, read once from beside the typefaces it was made from (LH 3.11)."""

from functools import lru_cache
from pathlib import Path

import numpy as np

from holodesk.display.letters import Atlas, atlas
from holodesk.errors import Place, Unavailable

FILE = "glyphs.npz"


def folder() -> Path:
    """Where typefaces and atlas lie: beside the package when installed, else in the checkout."""
    room = Path(__file__).resolve().parents[2]
    packed = room / "content" / "assets" / "fonts"
    return packed if packed.is_dir() else room.parent / "assets" / "fonts"


@lru_cache(maxsize=1)
def letters() -> Atlas:
    """The shipped atlas.

    Raises:
        Unavailable: the file is missing or is not an atlas.
    """
    file = folder() / FILE
    try:
        with np.load(file, allow_pickle=False) as parts:
            return atlas(dict(parts))
    except (OSError, ValueError, KeyError) as problem:
        told = f"the atlas of letters cannot be read: {problem}"
        raise Unavailable("letters", told, Place(file=FILE)) from problem
