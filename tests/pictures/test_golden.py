"""Every pose as the front viewer sees it, against a picture that somebody looked at.

`HOLODESK_PAINT=1 python -m pytest tests/pictures` paints them anew; look at each before it is kept.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from holodesk.display.optics import layout
from holodesk.display.png import pixels, png
from holodesk.display.rig import Rig, Screen
from holodesk.display.sheet import upright
from tests.unit.display.looking import OBJECTS, alike, drawn, stand

GOLDEN = Path(__file__).parent / "golden"
TALL = 160
MOST = 12
"""Levels of 255 that single pixels may differ by, from one processor to another."""


@pytest.mark.parametrize("viewer", [0, 2])
@pytest.mark.parametrize("name", OBJECTS)
def test_a_pose_looks_as_it_did(name: str, viewer: int) -> None:
    made = upright(layout(Rig(), Screen(1280, 720)), viewer, TALL)
    picture = drawn(made, stand(OBJECTS[name]))
    file = GOLDEN / f"{name}-{viewer}.png"
    if os.environ.get("HOLODESK_PAINT"):
        file.write_bytes(png(picture))
    kept = pixels(file.read_bytes())
    away = np.abs(picture.astype(int) - kept.astype(int))
    assert away.max() <= MOST
    assert away.mean() < 0.05
    assert alike(picture, kept) > 0.9999


def test_the_pictures_are_of_different_things() -> None:
    kept = {file.stem: pixels(file.read_bytes()) for file in GOLDEN.glob("*.png")}
    assert sorted(kept) == sorted(f"{name}-{viewer}" for name in OBJECTS for viewer in (0, 2))
    names = sorted(kept)
    for one in names:
        assert all(alike(kept[one], kept[two]) < 0.9995 for two in names if two != one)
