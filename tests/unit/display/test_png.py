"""PNG octets that any reader takes, the same for the same pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage

from holodesk.display.png import pixels, png


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32))
def test_what_is_written_is_read_back(rows: int, columns: int, seed: int) -> None:
    picture = np.random.default_rng(seed).integers(0, 256, (rows, columns, 3), dtype=np.uint8)
    octets = png(picture)
    assert (pixels(octets) == picture).all()
    assert png(picture) == octets


def test_another_reader_sees_the_same_picture() -> None:
    picture = np.random.default_rng(7).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    image = QImage.fromData(png(picture)).convertToFormat(QImage.Format.Format_RGB888)
    octets = np.frombuffer(image.constBits(), np.uint8).reshape(5, image.bytesPerLine())
    assert (octets[:, :21].reshape(5, 7, 3) == picture).all()


@pytest.mark.parametrize("octets", [b"", b"\x89PNG\r\n\x1a\n" + b"\0" * 25, b"GIF89a"])
def test_anything_else_is_refused(octets: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        pixels(octets)
