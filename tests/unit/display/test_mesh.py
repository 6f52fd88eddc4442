"""Triangles that share an edge neither overlap nor leave a gap; what is nearer hides the rest."""

import numpy as np
import pytest

from holodesk.display.optics import layout
from holodesk.display.rig import Rig, Screen
from holodesk.display.scene import Scene, facets
from tests.unit.display.looking import meant

MADE = layout(Rig(), Screen(900, 900))


def wall(cells: int, y: float = 0.0) -> np.ndarray:
    """An upright wall toward the front viewer, cut into 2 x cells x cells triangles."""
    x = np.linspace(-0.5, 0.5, cells + 1)
    grid = np.stack(np.meshgrid(x, [y], x + 0.8, indexing="ij"), axis=-1)[:, 0]
    one, two, three, four = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    halves = np.stack([np.stack([one, two, three], 2), np.stack([one, three, four], 2)], 2)
    return halves.reshape(-1, 3, 3)


@pytest.mark.parametrize("cells", [7, 64])
def test_a_wall_is_the_same_in_one_piece_and_in_many(cells: int) -> None:
    whole = meant(MADE, 0, Scene(facets=(facets(wall(1), colour=(1, 1, 1)),)), None)
    cut = meant(MADE, 0, Scene(facets=(facets(wall(cells), colour=(1, 1, 1)),)), None)
    assert (whole.max(axis=2) > 0).any()
    assert ((whole > 0) != (cut > 0)).mean() < 1e-3
    both = (whole > 0) & (cut > 0)
    assert np.abs(whole[both].astype(int) - cut[both].astype(int)).max() < 24


def test_the_nearer_wall_hides_the_farther_in_whatever_order() -> None:
    near = facets(wall(3, -0.2), colour=(1, 0, 0))
    far = facets(wall(3, 0.2), colour=(0, 0, 1))
    for both in ((near, far), (far, near)):
        middle = meant(MADE, 0, Scene(facets=both), None)[100:140, 130:170]
        assert (middle[..., 0] > 100).all()
        assert (middle[..., 2] == 0).all()


def test_the_back_of_a_closed_body_is_never_drawn() -> None:
    turned = wall(3)[:, ::-1]
    shown = meant(MADE, 0, Scene(facets=(facets(wall(3), colour=1.0, closed=True),)), None)
    hidden = meant(MADE, 0, Scene(facets=(facets(turned, colour=1.0, closed=True),)), None)
    assert shown.max() > 100
    assert hidden.max() == 0


def test_what_is_not_finite_or_behind_the_camera_is_left_out() -> None:
    strange = wall(2)
    strange[0] = np.nan
    strange[1, 0] = (0, -1e9, 0)
    strange[2, 0] = (0, -50, 0.8)
    picture = meant(MADE, 0, Scene(facets=(facets(strange, colour=1.0),)), None)
    assert picture.max() > 0
