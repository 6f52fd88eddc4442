"""A model keeps its form through octets, is thinned the same way, and stands on the floor."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.display.life import Life
from holodesk.display.model import (
    SHOWN_TRIANGLES,
    Model,
    decode,
    encode,
    thinned,
)
from holodesk.display.optics import layout
from holodesk.display.pose import between, pose
from holodesk.display.rig import Rig, Screen
from holodesk.display.scene import BODY
from holodesk.display.shelf import SHELF, keep, kept
from holodesk.errors import Refused
from tests.unit.display.looking import drawn, meant, sees_rightly


def torus(along: int, around: int) -> Model:
    """A closed ring lying on the floor, 2 x along x around triangles."""
    a = np.linspace(0, 2 * np.pi, along, endpoint=False)[:, None]
    b = np.linspace(0, 2 * np.pi, around, endpoint=False)[None, :]
    ring = 2 + np.cos(b)
    places = np.stack([ring * np.cos(a), ring * np.sin(a), np.sin(b) + 1 + 0 * a], axis=-1) / 6.01
    number = np.arange(along * around).reshape(along, around)
    right, down = np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    both = np.roll(right, -1, axis=1)
    corners = [np.stack([number, right, both], -1), np.stack([number, both, down], -1)]
    points = places.reshape(-1, 3).astype(np.float32)
    return Model(
        points,
        np.zeros_like(points),
        np.full(points.shape, 210, np.uint8),
        np.concatenate([part.reshape(-1, 3) for part in corners]).astype(np.uint32),
        closed=True,
    )


def cloud(count: int) -> Model:
    along = np.linspace(0, 40, count, dtype=np.float32)
    spiral = [np.cos(along) / 3, np.sin(along) / 3, along / 60]
    points = np.stack(spiral, axis=1).astype(np.float32)
    none = np.zeros((0, 3), np.uint32)
    return Model(points, np.zeros_like(points), np.full((count, 3), 180, np.uint8), none)


def standing(model: Model, seconds: float = 0.0, **members: Any) -> Any:
    keep("a" * 64, model)
    return pose({"schema": "model/1", "name": "ring", "media": "a" * 64, **members}, Life(seconds))


@pytest.mark.parametrize("model", [torus(12, 6), cloud(40), cloud(1)])
def test_a_model_comes_back_from_its_octets(model: Model) -> None:
    octets = encode(model)
    found = decode(octets)
    assert (found.points == model.points).all()
    assert (found.colours == model.colours).all()
    assert (found.triangles == model.triangles).all()
    assert found.closed == model.closed
    assert encode(found) == octets


def test_octets_that_are_no_model_are_refused() -> None:
    whole = encode(torus(6, 4))
    for broken in (b"", whole[:-1], whole + b"\0", b"x" + whole[1:], whole[:20]):
        with pytest.raises(Refused):
            decode(broken)
    wild = torus(6, 4)
    wild.points[0, 0] = np.nan
    with pytest.raises(Refused, match="finite"):
        decode(encode(wild))
    wild = torus(6, 4)
    wild.triangles[0, 0] = 10_000
    with pytest.raises(Refused, match="outside"):
        decode(encode(wild))


@given(st.binary(max_size=200), st.integers(0, 400), st.integers(0, 255))
def test_no_octets_whatever_do_more_than_be_refused(more: bytes, at: int, value: int) -> None:
    octets = bytearray(encode(cloud(8)) + more)
    octets[at % len(octets)] = value
    try:
        found = decode(bytes(octets))
    except Refused:
        return
    assert np.isfinite(found.points).all()


def test_a_fine_mesh_is_thinned_below_what_is_shown_and_keeps_its_shape() -> None:
    fine = torus(400, 125)
    assert len(fine.triangles) == 100_000
    thin = thinned(fine)
    assert SHOWN_TRIANGLES / 2 < len(thin.triangles) <= SHOWN_TRIANGLES
    assert thin.points.max(axis=0) == pytest.approx(fine.points.max(axis=0), abs=0.02)
    assert thin.points.min(axis=0) == pytest.approx(fine.points.min(axis=0), abs=0.02)
    assert encode(thin) == encode(thinned(fine))
    one, two, three = thin.triangles.T
    assert ((one != two) & (two != three) & (three != one)).all()


def test_a_large_cloud_is_thinned_and_a_small_model_is_left_alone() -> None:
    assert len(thinned(cloud(50_000)).points) == 12_000
    small = torus(12, 6)
    assert thinned(small) is small


def test_the_shelf_holds_the_newest_few() -> None:
    for number in range(SHELF + 3):
        keep(f"{number}", cloud(3))
    assert kept("0") is None
    assert kept(f"{SHELF + 2}") is not None
    assert kept(None) is None


@pytest.mark.parametrize("lean", [-30, 0, 30])
def test_it_stands_on_the_floor_and_fits_the_box(lean: int) -> None:
    scene = standing(torus(24, 12), lean=lean, turn=77, size=100)
    corners = scene.facets[0].corners
    assert corners[..., 2].min() == pytest.approx(0, abs=1e-4)
    assert corners[..., 2].max() < BODY
    assert np.hypot(corners[..., 0], corners[..., 1]).max() < 0.95


def test_turn_size_and_tint_are_seen() -> None:
    plain = standing(torus(24, 12)).facets[0]
    turned = standing(torus(24, 12), turn=90).facets[0]
    assert turned.corners[0, 0, 1] == pytest.approx(plain.corners[0, 0, 0], abs=1e-4)
    half = standing(torus(24, 12), size=50).facets[0]
    assert half.corners.max() == pytest.approx(plain.corners.max() / 2, rel=1e-4)
    red = standing(torus(24, 12), tint={"hue": 0, "strength": 100}).facets[0].colour
    assert (red[:, 0] > red[:, 2] + 0.2).all()
    assert between({"schema": "m", "turn": 350}, {"schema": "m", "turn": 10}, 0.5)["turn"] == 360


def test_a_model_that_has_not_come_yet_has_its_place_marked() -> None:
    scene = pose({"schema": "model/1", "name": "far", "media": "0" * 64}, Life())
    assert scene.strokes
    assert not scene.facets


@pytest.mark.parametrize("model", [torus(40, 20), cloud(400)])
def test_every_viewer_sees_the_model_rightly(model: Model) -> None:
    made = layout(Rig(), Screen(1280, 720))
    scene = standing(model, 2.0, turn=20)
    assert sees_rightly(made, drawn(made, scene), scene, 0.05) == []


def test_a_closed_body_looks_the_same_whether_or_not_its_backs_are_drawn() -> None:
    made = layout(Rig(), Screen(640, 480))
    whole = torus(40, 20)
    open_ = Model(whole.points, whole.normals, whole.colours, whole.triangles)
    one = meant(made, 0, standing(whole)).astype(int)
    two = meant(made, 0, standing(open_)).astype(int)
    assert (np.abs(one - two).max(axis=2) > 24).mean() < 0.01
