"""The bench of the display measures what it says, and says what it leaves out."""

import argparse

import pytest
from pytestqt.qtbot import QtBot

from holodesk.cli.benches import display
from holodesk.cli.benches.subjects import moving


@pytest.mark.parametrize("model", display.MODELS)
def test_a_shape_has_so_many_primitives_and_moves(model: str) -> None:
    shape = moving(model, 500)
    assert len(shape(0.0)) == 500
    assert (shape(0.0) != shape(0.5)).any()


def test_it_compares_every_model_and_size_and_says_what_is_left_out(qtbot: QtBot) -> None:
    bench = display.measure(argparse.Namespace(primitives=[60], budget=0.01))
    for size in display.SIZES:
        for model in display.MODELS:
            for way in ("raster", "painter"):
                assert bench.figures[f"{model}_60_{size}_{way}_ms"] > 0
        assert bench.figures[f"memset_{size}_ms"] > 0
    assert bench.ratios["vs_qpainter_loop"] > 0
    assert bench.figures["creature_fps_1080p"] > 1
    assert bench.figures["creature_fps_4k"] > 0
    there = "vs_glviewwidgets" in bench.ratios
    assert there != ("vs_glviewwidgets" in bench.notes)
