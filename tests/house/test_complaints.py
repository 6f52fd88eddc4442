"""What hurt people in other programs of this kind has a test here that names it (LH 3.11).

Numbers are those of the public complaints that were collected before the first line was written;
each test that answers one carries `@pytest.mark.complaint(number)`.
"""

import ast
from pathlib import Path

from tests.conftest import ROOT

COMPLAINTS = {
    1: "52lasers.com: clips exist as screen-up or screen-down versions",
    2: "Dreamoc POP: authors must deliver mirrored video",
    3: "seleuco/imame4all 145: no way to invert the image for a mirror",
    4: "xLights 438: the flip must belong to the output, not to the content",
    5: "instructables, Pepper's ghost: two reflections with an offset",
    6: "phoenixgamedevelopment P-132: which slope, and the screen is seen under the pyramid",
    7: "three.js PR 31037: nobody understands the raw picture of four views",
    8: "Pepper's Cone 1: calibration code is missing",
    9: "HoloDisplay 0926006: video dropped for its frame rate",
    10: "holoplay-webxr 3, 10: a portrait device comes out garbled",
    11: "looking-glass-webxr 18: no clean view to steer from",
    12: "looking-glass-webxr 22: a device that is absent is offered",
    14: "glslViewer PR 240: assumes the first screen",
    15: "GodotHoloPlay 10: the picture depends on another screen",
    16: "mapmap 130, vimix 3: full screen lands on the first display",
    17: "mapmap 209: an output on a single screen",
    18: "mapmap 211, vimix 126: a short loss of the cable throws the output on the wrong screen",
    19: "obs-studio 5624: a saved projector opens on the wrong display, or grey",
    20: "qlcplus 2097: invisible when its screen is gone",
    21: "Anthias PR 3075, labwc 2362: another mode after a power cycle",
    22: "pympress 331: both windows on one screen",
    23: "PyQt-Frameless-Window 104: pixels lost at an edge",
    24: "MuseScore PR 17759, vispy PR 1380: absurd sizes from EDID",
    25: "pyqtgraph 422, 1732: a quarter of the picture at another scale",
    26: "pyqtgraph PR 2546: black until resized",
    27: "pyqtgraph 825, PySide 145: a leak for each picture",
    28: "pyqtgraph 2655: slow meshes take the whole show down",
    29: "pyqtgraph 2604: a mesh of few vertices crashes",
    30: "glfw 938, knossos 23: n surfaces, an nth of the rate",
    32: "argos3 210, mayo 180: black on old drivers",
    33: "Anthias 2666: frozen after hours",
    38: "FullPageOS 361: the pointer stays visible",
    39: "FullPageOS 537: a turned screen shows something else",
    43: "QMPlay2 683, jellyfin-desktop 169: the screen sleeps during the show",
    53: "qlcplus 1381, SlidePilot 21: a blackout sticks half-way",
    54: "ccapture.js 64: an exported film has jumped pictures",
    55: "f3d 2320, PyWavefront PR 62: negative indices, quads and spaces in names",
    58: "voice-satellite 99: a static picture burns in",
    59: "mpv 16350: black is not black on projectors",
    60: "FreeShow 2935, gama 2114: corners cannot be adjusted while it runs",
}


def marked(path: Path) -> set[int]:
    """The complaints that a test file answers."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.complaint":
                found |= {ast.literal_eval(number) for number in mark.args}
    return found


def test_every_complaint_has_a_test_that_names_it() -> None:
    answered = set().union(*(marked(path) for path in (ROOT / "tests").rglob("test_*.py")))
    assert {number: COMPLAINTS[number] for number in COMPLAINTS if number not in answered} == {}
    assert answered <= set(COMPLAINTS)
