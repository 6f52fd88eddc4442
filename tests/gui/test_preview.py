"""Where the viewers stand in the preview, and that what they see is what a ray finds (LH 3.11)."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from holodesk.display.scene import Plate
from holodesk.display.trace import trace
from holodesk.gui.console.portrait import TALL, portrait
from holodesk.gui.console.preview import Preview
from holodesk.gui.ghost.window import GhostWindow
from holodesk.gui.parts.output import image_of
from holodesk.gui.parts.picture import CAPTION, places
from tests.gui.conftest import HASH, head


def octets(image: QImage) -> bytes:
    made = image.convertToFormat(QImage.Format.Format_RGB888)
    wide, rows = made.width() * 3, made.height()
    raw = np.array(made.constBits(), copy=True).reshape(rows, made.bytesPerLine())
    return raw[:, :wide].tobytes()


@pytest.mark.parametrize("size", [(560, 170), (584, 300), (1040, 480), (300, 500)])
@pytest.mark.parametrize("faces", [1, 2, 3, 4, 6, 8])
def test_no_picture_covers_another_and_none_leaves_the_room(
    size: tuple[int, int], faces: int
) -> None:
    azimuths = [-90 + 360 * k / faces for k in range(faces)]
    rooms, plan = places(azimuths, *size)
    assert len(rooms) == faces
    for one, other in combinations([*rooms, plan], 2):
        assert not one.intersects(other)
    for room in rooms:
        assert room.left() >= 0
        assert room.right() <= size[0]
        assert room.top() >= 0
        assert room.bottom() + CAPTION <= size[1] + 1


@pytest.mark.complaint(11)
def test_where_there_is_room_each_viewer_is_on_their_own_side() -> None:
    front, right, back, left = places([-90.0, 0.0, 90.0, 180.0], 1040, 520)[0]
    assert front.top() > back.bottom()
    assert left.right() < front.left() < right.left()
    assert abs(left.center().y() - right.center().y()) < 1


@pytest.mark.complaint(7)
def test_a_viewer_sees_what_the_rays_find_in_the_output(qtbot: QtBot, output: GhostWindow) -> None:
    output.show_object(head().object, Plate(HASH, 412, "live"))
    output.advance()
    output.frozen = True
    view = Preview(output, "viewers")
    qtbot.addWidget(view)
    view.resize(1040, 480)
    view.look()
    made = output.layout_now
    assert [one.azimuth_deg for one in view.seen] == [-90.0, 0.0, 90.0, 180.0]
    for face, one in zip(made.faces, view.seen, strict=True):
        expected = trace(made, face.viewer, output.sheet_pixels(), one.picture.height())
        assert octets(one.picture) == expected.picture.tobytes()
        assert one.share == expected.share


def test_a_dark_output_is_seen_dark(qtbot: QtBot, output: GhostWindow) -> None:
    output.show_object(head().object, Plate(HASH, 412, "live"))
    output.dark = True
    view = Preview(output, "viewers")
    qtbot.addWidget(view)
    view.look()
    assert all(not any(octets(one.picture)) for one in view.seen)


def test_the_preview_rests_while_nobody_looks(qtbot: QtBot, output: GhostWindow) -> None:
    view = Preview(output, "screen")
    qtbot.addWidget(view)
    view.show()
    assert view.looking
    view.hide()
    assert not view.looking


def test_a_picture_keeps_its_octets_when_the_pixels_are_gone() -> None:
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    image = image_of(pixels)
    expected = pixels.tobytes()
    pixels[:] = 0
    assert octets(image) == expected


def test_a_portrait_shows_any_object_and_different_ones_differently() -> None:
    creature, other = portrait(head().object), portrait({"schema": "nobody/9", "a": [1, 2]})
    assert (creature.width(), creature.height()) == (TALL, TALL)
    assert any(octets(creature))
    assert octets(creature) != octets(other)
