"""Make assets/fonts/glyphs.npz from the shipped typefaces: one atlas of signed distances.

Run from the checkout: python packaging/make_glyphs.py. The result is committed; the program only
ever reads it. Each glyph is drawn large, its exact distance to the outline is found, and the
distances are kept small, so that words stay sharp at any size and turn.
"""

import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPainterPath, QRawFont

FONTS = Path(__file__).resolve().parent.parent / "assets" / "fonts"
EM = 36
"""Atlas pixels of an em."""
LARGE = 8
"""How many times larger a glyph is drawn to find its distances."""
SPREAD = 4
"""Atlas pixels of distance that are kept on either side of an outline."""
WIDE = 1024
MONO = 1 << 24
MISSING = 0xFFFD
PLAIN = QFont.HintingPreference.PreferNoHinting

SANS_CODES = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *(0x218, 0x219, 0x21A, 0x21B, 0x1E9E, 0x192),
    *(0x2010, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2020, 0x2021),
    *(0x2022, 0x2026, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2116, 0x2122),
    *(0x2190, 0x2191, 0x2192, 0x2193, 0x2196, 0x2197, 0x2198, 0x2199, 0x2212, 0x221E, 0x2248),
    *(0x2260, 0x2264, 0x2265, 0x25A0, 0x25B2, 0x25B6, 0x25BC, 0x25C0, 0x25CF, 0x2713, 0x2717),
]
MONO_CODES = [*range(0x20, 0x7F), 0xB7, 0x2026, 0x2192]

Floats = npt.NDArray[np.float64]


def outline(font: QRawFont, code: int) -> tuple[QPainterPath, float] | None:
    """A glyph's path at EM * LARGE pixels, y down, and its advance; None if there is none."""
    indexes = font.glyphIndexesForString(chr(code))
    if len(indexes) != 1 or indexes[0] == 0:
        return None
    advance = font.advancesForGlyphIndexes(indexes)[0].x()
    return font.pathForGlyph(indexes[0]), advance


def missing() -> tuple[QPainterPath, float]:
    """The open box that stands for a character the atlas lacks."""
    unit = EM * LARGE
    path = QPainterPath()
    path.addRect(0.08 * unit, -0.7 * unit, 0.44 * unit, 0.7 * unit)
    path.addRect(0.15 * unit, -0.63 * unit, 0.30 * unit, 0.56 * unit)
    return path, 0.6 * unit


def drawn(path: QPainterPath, cell: tuple[int, int, int, int]) -> npt.NDArray[np.bool_]:
    """The inside of a path, large; the cell is left, top, width, height in atlas pixels."""
    left, top, wide, high = cell
    image = QImage(wide * LARGE, high * LARGE, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.translate(QPointF(-left * LARGE, -top * LARGE))
    painter.fillPath(path, QColor("white"))
    painter.end()
    octets = np.frombuffer(image.constBits(), dtype=np.uint8).copy()
    return octets.reshape(high * LARGE, image.bytesPerLine())[:, : wide * LARGE] > 127


def squared_distance(inside: npt.NDArray[np.bool_], reach: int) -> Floats:
    """Exact squared distance to the nearest pixel that is inside, up to `reach`."""
    rows, columns = inside.shape
    far = float(2 * reach * reach)
    index = np.arange(rows, dtype=np.float64)[:, None]
    above = np.maximum.accumulate(np.where(inside, index, -1e9), axis=0)
    below = np.minimum.accumulate(np.where(inside, index, 1e9)[::-1], axis=0)[::-1]
    upright = np.minimum(np.minimum(index - above, below - index) ** 2, far)
    best = upright.copy()
    for step in range(1, reach + 1):
        if step >= columns:
            break
        best[:, step:] = np.minimum(best[:, step:], upright[:, :-step] + step * step)
        best[:, :-step] = np.minimum(best[:, :-step], upright[:, step:] + step * step)
    return np.asarray(best)


def distances(inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Signed distance at atlas density, 0..255 with the outline at 127.5."""
    reach = (SPREAD + 1) * LARGE
    signed = np.sqrt(squared_distance(~inside, reach)) - np.sqrt(squared_distance(inside, reach))
    rows, columns = inside.shape
    small = signed.reshape(rows // LARGE, LARGE, columns // LARGE, LARGE).mean(axis=(1, 3)) / LARGE
    return np.asarray(np.clip(np.round(127.5 + small * 127.5 / SPREAD), 0, 255), dtype=np.uint8)


def main() -> int:
    """Draw every glyph, pack them row by row, and write the file."""
    application = QGuiApplication(sys.argv)
    faces = [
        (0, QRawFont(str(FONTS / "IBMPlexSans-Medium.ttf"), EM * LARGE, PLAIN), SANS_CODES),
        (MONO, QRawFont(str(FONTS / "IBMPlexMono-Medium.ttf"), EM * LARGE, PLAIN), MONO_CODES),
    ]
    found: list[tuple[int, QPainterPath, float]] = [(MISSING, *missing())]
    for offset, font, codes in faces:
        for code in codes:
            shape = outline(font, code)
            if shape is not None:
                found.append((code + offset, *shape))
    cells, places, pictures = [], [], []
    for _, path, _ in found:
        bounds = path.boundingRect()
        left = int(np.floor(bounds.left() / LARGE)) - SPREAD
        top = int(np.floor(bounds.top() / LARGE)) - SPREAD
        wide = int(np.ceil(bounds.right() / LARGE)) + SPREAD - left
        high = int(np.ceil(bounds.bottom() / LARGE)) + SPREAD - top
        if bounds.isEmpty():
            left, top, wide, high = 0, 0, 1, 1
        inside = drawn(path, (left, top, wide, high))
        pictures.append(distances(inside) if not bounds.isEmpty() else np.zeros((1, 1), np.uint8))
        places.append((left, -top))
        cells.append([0, 0, wide, high])
    order = sorted(range(len(found)), key=lambda i: -cells[i][3])
    x = y = tallest = 0
    for i in order:
        _, _, wide, high = cells[i]
        if x + wide > WIDE:
            x, y, tallest = 0, y + tallest, 0
        cells[i][:2] = [x, y]
        x, tallest = x + wide, max(tallest, high)
    sheet = np.zeros((y + tallest, WIDE), np.uint8)
    for cell, picture in zip(cells, pictures, strict=True):
        column, row, wide, high = cell
        sheet[row : row + high, column : column + wide] = picture
    capital = outline(faces[0][1], ord("H"))
    assert capital is not None
    np.savez_compressed(
        FONTS / "glyphs.npz",
        distance=sheet,
        codes=np.array([code for code, _, _ in found], np.int32),
        cells=np.array(cells, np.int32),
        place=np.array(places, np.float32),
        advance=np.array([advance / LARGE for _, _, advance in found], np.float32),
        measures=np.array([EM, capital[0].boundingRect().height() / LARGE, SPREAD], np.float64),
    )
    print(f"{len(found)} glyphs, {sheet.shape[0]} x {sheet.shape[1]} pixels")
    del application
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
