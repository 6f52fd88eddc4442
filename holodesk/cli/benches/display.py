"""The display beside the naive ways, in one run: pictures a second, end to end (LH 3.11).

The same moving shapes go through the output window's own renderers at full resolution, through a
painter's loop, and through four scene widgets. What cannot run here is left out, with a word why.
"""

import argparse
import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from holodesk.cli.benches.figures import Bench
from holodesk.cli.show import has_screen, settle_memory

if TYPE_CHECKING:
    from holodesk.display.optics import Layout
    from holodesk.display.scene import F4

SIZES: Final = {"720p": (1280, 720), "1080p": (1920, 1080), "4k": (3840, 2160)}
MODELS: Final = ("points", "lines", "mesh")
PRIMITIVES: Final = 10_000
JUDGED: Final = "1080p"
ROUNDS: Final = 2
SETTLE_SECONDS: Final = 1.5
CREATURE_SECONDS: Final = 2.0
LATEST_SECONDS: Final = 5.0
"""How long a picture of the GPU may be waited for."""


class Way(Protocol):
    """A way to draw: a widget that shows the places it is given."""

    def draw(self, places: "F4") -> None: ...
    def show(self) -> None: ...
    def close(self) -> bool: ...
    def deleteLater(self) -> None: ...  # noqa: N802


@dataclass(slots=True)
class Found:
    """What can be measured here."""

    gl: bool
    widgets: bool
    notes: dict[str, str]


def measure(args: argparse.Namespace) -> Bench:
    """Milliseconds for a picture by model, size and way; ratios at 1080p; the creature's rate."""
    settle_memory()
    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QCoreApplication, Qt

    from holodesk.gui.app import application

    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application()
    found = _found()
    bench = Bench(notes=found.notes)
    spent = getattr(args, "budget", None) or 0.5
    for count in getattr(args, "primitives", None) or [PRIMITIVES]:
        for size in SIZES:
            for model in MODELS:
                _compare(bench, found, (model, count, size), spent)
    _ratios(bench)
    _floors(bench, found)
    for size in ("1080p", "4k"):
        _creature(bench, size)
    return bench


def _found() -> Found:
    from holodesk.gui.ghost.choose import probe

    there = probe()
    notes: dict[str, str] = {}
    has_opengl = importlib.util.find_spec("OpenGL") is not None
    if not there.name:
        notes["gl"] = "left out: this display gives no GL context (try xvfb-run)"
        notes["vs_glviewwidgets"] = "left out: the scene widgets need a GL context"
    elif not has_opengl:
        notes["vs_glviewwidgets"] = "left out: the scene widgets need the package PyOpenGL"
    else:
        notes["gl"] = there.name
    return Found(bool(there.name), bool(there.name) and has_opengl, notes)


def _compare(bench: Bench, found: Found, what: tuple[str, int, str], seconds: float) -> None:
    """Every way draws the same shape, turn by turn, so that all meet the machine alike."""
    from holodesk.cli.benches.subjects import moving
    from holodesk.display.optics import layout
    from holodesk.display.rig import Rig, Screen

    model, count, size = what
    made = layout(Rig(), Screen(*SIZES[size]))
    shape = moving(model, count)
    taken: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, way in _ways(found, model, made):
            taken.setdefault(name, []).extend(_times(way, shape, seconds / ROUNDS))
    for name, times in taken.items():
        bench.figures[f"{model}_{count}_{size}_{name}_ms"] = statistics.median(times)


def _ways(found: Found, model: str, made: "Layout") -> Iterator[tuple[str, Way]]:
    from holodesk.cli.benches.naive import PainterLoop, SceneWidgets
    from holodesk.cli.benches.ours import Ours

    makers: dict[str, Callable[[], Way]] = {"raster": lambda: Ours(model, made, "raster")}
    if found.gl:
        makers["gl"] = lambda: Ours(model, made, "gl")
    makers["painter"] = lambda: PainterLoop(model, made)
    if found.widgets:
        makers["widgets"] = lambda: SceneWidgets(model, made)
    for name, make in makers.items():
        way = make()
        way.show()
        _events()
        yield name, way
        way.close()
        way.deleteLater()
        _events()


def _times(way: Way, shape: Callable[[float], Any], seconds: float) -> list[float]:
    """Milliseconds of each picture after the first, the shape's own motion left out."""
    way.draw(shape(0.0))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 2 or time.perf_counter() < end:
        places = shape(0.1 * len(times))
        start = time.perf_counter()
        way.draw(places)
        times.append((time.perf_counter() - start) * 1000)
        _events()
    return times


def _ratios(bench: Bench) -> None:
    """How many times longer each naive way takes than our faster renderer here, by model."""
    for naive, key in (("painter", "vs_qpainter_loop"), ("widgets", "vs_glviewwidgets")):
        shares = []
        for name, milliseconds in list(bench.figures.items()):
            if not name.endswith(f"_{JUDGED}_{naive}_ms"):
                continue
            stem = name.removesuffix(f"{naive}_ms")
            ours = min(bench.figures.get(f"{stem}{way}_ms", float("inf")) for way in OURS)
            shares.append(milliseconds / ours)
            bench.ratios[f"{key}_{stem.removesuffix(f'_{JUDGED}_')}"] = shares[-1]
        if shares:
            bench.ratios[key] = statistics.geometric_mean(shares)


OURS: Final = ("raster", "gl")


def _floors(bench: Bench, found: Found) -> None:
    """What no way can be faster than: filling the picture, and an empty picture of the GPU."""
    import numpy as np

    from holodesk.cli.benches.ours import Ours
    from holodesk.display.optics import layout
    from holodesk.display.rig import Rig, Screen

    for size, (wide, high) in SIZES.items():
        frame = np.ones(wide * high, np.uint32)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            frame.fill(0xFF000000)
            times.append((time.perf_counter() - start) * 1000)
        bench.figures[f"memset_{size}_ms"] = min(times)
        if found.gl:
            way = Ours("points", layout(Rig(), Screen(wide, high)), "gl")
            way.show()
            _events()
            swaps = [way.swap() for _ in range(12)]
            bench.figures[f"clear_swap_{size}_ms"] = statistics.median(swaps[2:])
            way.close()
            way.deleteLater()


def _creature(bench: Bench, size: str) -> None:
    """The shipped creature in the real window, as it chooses to draw: pictures a second."""
    from holodesk.display.scene import Plate
    from holodesk.gui.app import wait
    from holodesk.gui.ghost.window import GhostWindow
    from holodesk.host.content import starter

    window = GhostWindow("A")
    window.resize(*SIZES[size])
    window.show()
    window.show_object(starter("creature").object, Plate("0" * 64, 0, "live"))
    wait(SETTLE_SECONDS)
    before, start = window.frames, time.perf_counter()
    wait(CREATURE_SECONDS)
    rate = (window.frames - before) / (time.perf_counter() - start)
    bench.figures[f"creature_fps_{size}"] = rate
    bench.notes[f"creature_{size}"] = window.renderer_name
    window.close()
    window.deleteLater()
    _events()


def _events() -> None:
    from PySide6.QtWidgets import QApplication

    QApplication.processEvents()
