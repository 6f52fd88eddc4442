"""A spared screen is moved slowly, never far, and everywhere about the middle."""

from math import hypot

import pytest

from holodesk.display.drift import drift_mm


@pytest.mark.parametrize("density", [2.69, 3.62, 5.42, 18.0])
def test_no_minute_moves_it_more_than_half_a_millimetre(density: float) -> None:
    places = [drift_mm(float(second), density) for second in range(0, 36_000, 5)]
    for one, two in zip(places, places[12:], strict=False):
        assert hypot(two[0] - one[0], two[1] - one[1]) <= 0.5


@pytest.mark.parametrize("density", [3.62, 5.42, 18.0])
def test_it_stays_below_the_ghost_of_a_thin_sheet_and_goes_all_the_way_round(
    density: float,
) -> None:
    places = {drift_mm(float(second), density) for second in range(0, 36_000, 5)}
    assert max(max(abs(x), abs(y)) for x, y in places) <= 0.3
    assert min(x for x, _ in places) == -max(x for x, _ in places)
    assert min(y for _, y in places) == -max(y for _, y in places)
    assert len(places) >= 9


def test_it_moves_by_one_whole_pixel_at_a_time() -> None:
    density, before = 5.42, (0.0, 0.0)
    for second in range(0, 36_000, 2):
        place = drift_mm(float(second), density)
        moved = [(now - was) * density for now, was in zip(place, before, strict=True)]
        assert sum(abs(part) for part in moved) == pytest.approx(0, abs=1e-9) or sum(
            abs(part) for part in moved
        ) == pytest.approx(1)
        before = place


def test_a_screen_too_coarse_for_it_stands_still() -> None:
    assert drift_mm(5000.0, 2.0) == (0.0, 0.0)
