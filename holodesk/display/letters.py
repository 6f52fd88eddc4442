"""Words as light: glyphs from one atlas of signed distances, set on a line (LH 3.11).

The atlas is made once from the shipped typeface and handed in; nothing is read here. A character
that the atlas lacks is shown as an open box, so that nobody takes it for nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

import numpy as np
import numpy.typing as npt

from holodesk.display.scene import F4, Label

MISSING: Final = "\ufffd"
MONO: Final = 1 << 24
"""Added to a code point to name the same character of the mono typeface."""
FEWEST: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """Every glyph that can be shown.

    `distance` (rows, columns) holds signed distances to the outline in atlas pixels, positive
    inside. `glyphs` maps a code point (plus MONO) to a row of `cells` (n, 4: column, row, width,
    height), `place` (n, 2: left and top of the cell from the pen on the baseline, y up) and
    `advance` (n,); all in atlas pixels. `em` and `capital` are the heights of an em and of an H.
    """

    distance: F4
    glyphs: dict[int, int]
    cells: npt.NDArray[np.int32]
    place: F4
    advance: F4
    em: float
    capital: float


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Glyphs of one label: their numbers in the atlas, and the pen (n,) in atlas pixels."""

    glyphs: npt.NDArray[np.intp]
    pen: F4
    width: float


def atlas(parts: Mapping[str, npt.NDArray[np.generic]]) -> Atlas:
    """An atlas from the arrays of its file: distance, codes, cells, place, advance, measures.

    Raises:
        KeyError: a part is missing.
    """
    codes = parts["codes"]
    em, capital, spread = (float(x) for x in np.asarray(parts["measures"], dtype=np.float64))
    packed = np.asarray(parts["distance"], dtype=np.float32)
    return Atlas(
        distance=(packed - np.float32(127.5)) * np.float32(spread / 127.5),
        glyphs={int(code): number for number, code in enumerate(np.asarray(codes, dtype=np.int64))},
        cells=np.asarray(parts["cells"], dtype=np.int32),
        place=np.asarray(parts["place"], dtype=np.float32),
        advance=np.asarray(parts["advance"], dtype=np.float32),
        em=em,
        capital=capital,
    )


@lru_cache(maxsize=512)
def set_line(words: str, mono: bool, letters: Atlas) -> Line:
    """Words on one line, from left to right; control characters are spaces."""
    numbers, pens = [], []
    pen = 0.0
    for character in normalize("NFC", words):
        if combining(character):
            continue
        number = _glyph(character, mono, letters)
        numbers.append(number)
        pens.append(pen)
        pen += float(letters.advance[number])
    return Line(np.array(numbers, dtype=np.intp), np.array(pens, dtype=np.float32), pen)


def _glyph(character: str, mono: bool, letters: Atlas) -> int:
    code = 32 if character.isspace() or ord(character) < 32 else ord(character)
    if mono and code + MONO in letters.glyphs:
        return letters.glyphs[code + MONO]
    return letters.glyphs.get(code, letters.glyphs[ord(MISSING)])


def size(label: Label, letters: Atlas) -> float:
    """Units for one atlas pixel of this label; less where the line would not fit."""
    plain = label.height / letters.capital
    line = set_line(label.words, label.mono, letters)
    if label.fit is None or line.width * plain <= label.fit:
        return plain
    return label.fit / line.width


def width(words: str, height: float, letters: Atlas, *, mono: bool = False) -> float:
    """How wide words are, in units, with capitals of this height."""
    return set_line(words, mono, letters).width * height / letters.capital
