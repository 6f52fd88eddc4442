"""The plate is read letter by letter from what every viewer sees, and not from its mirror image."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from holodesk.display.optics import Layout, layout
from holodesk.display.raster import Raster
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.scene import Plate, Scene
from holodesk.display.sheet import plate_label, sheet, upright
from holodesk.display.trace import trace
from holodesk.gui.ghost.glyphs import letters
from tests.unit.display.looking import CREATURE, Pixels, stand

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz· "
HEADS = (
    Plate("9f3c2a71d5e8b406", 412, "live"),
    Plate("0b6d48e1a2c7f593", 7, "stale"),
    Plate("5510ffe2b39c84a7", 100_000, "frozen"),
    Plate("e4a81d07c6f2935b", 98, "refused"),
)


@lru_cache(maxsize=16)
def letter_pictures(made: Layout, viewer: int, length: int) -> dict[str, Pixels]:
    """For each letter, the upright picture of a line of nothing but it."""
    plain = upright(made, viewer)
    raster = Raster(plain, letters(), whole=True)
    pictures = {}
    for letter in ALPHABET:
        line = replace(plate_label(HEADS[0]), words=letter * length)
        raster.draw(replace(sheet(Scene(), plain), plate=line))
        pictures[letter] = raster.screen().max(axis=2).astype(np.float64)
    return pictures


def read(picture: Pixels, made: Layout, viewer: int, length: int) -> str:
    """The line in a picture: at each place the letter that is most like what is there."""
    pictures = letter_pictures(made, viewer, length)
    solid = np.maximum.reduce([pictures[letter] for letter in "abdgpqy8"])
    rows, columns = np.nonzero(solid > 60)
    top, bottom = rows.min(), rows.max() + 1
    edges = np.linspace(columns.min(), columns.max() + 1, length + 1)
    seen = picture.max(axis=2).astype(np.float64)
    told = []
    for number in range(length):
        place = (slice(top, bottom), slice(round(edges[number]), round(edges[number + 1])))
        here = seen[place] / max(1.0, seen[top:bottom].max())
        away = {
            letter: float(((here - shape[place] / shape.max(initial=1.0)) ** 2).sum())
            for letter, shape in pictures.items()
        }
        told.append(min(away, key=lambda letter: away[letter]))
    return "".join(told)


@pytest.mark.complaint(2)
@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize("faces", [3, 4, 6])
@pytest.mark.parametrize("head", HEADS, ids=lambda head: head.word)
def test_every_viewer_reads_the_head_and_nobody_reads_its_mirror(
    kind: Kind, faces: int, head: Plate
) -> None:
    made = layout(Rig(kind, faces), Screen(1920, 1080))
    raster = Raster(made, letters(), whole=True)
    raster.draw(sheet(stand(CREATURE), made, head))
    frame = raster.screen()
    words = head.words
    for viewer in made.rig.viewers:
        seen = trace(made, viewer, frame).picture
        assert read(seen, made, viewer, len(words)) == words
        mirrored = read(seen[:, ::-1], made, viewer, len(words))
        same = sum(one == two for one, two in zip(mirrored, words, strict=True))
        assert same < len(words) / 2
