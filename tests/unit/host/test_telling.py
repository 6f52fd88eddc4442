"""What a desk is, as notices: values only, each one line where a line is meant (decisions 8a)."""

from holodesk.errors import (
    ControlRefused,
    FrameRefused,
    Held,
    HolodeskError,
    Place,
    Rejected,
    ReplayRefused,
    Spent,
    Unavailable,
    Usage,
)
from holodesk.hologram.perform import Runner
from holodesk.host import messages, telling
from holodesk.host.desk import Turning
from holodesk.host.offering import FileState, Offering
from tests.unit.host.conftest import OpenDesk

FAMILIES = {
    FrameRefused: "Refused",
    ControlRefused: "Refused",
    ReplayRefused: "Refused",
    Rejected: "Rejected",
    Held: "Held",
    Spent: "Spent",
    Unavailable: "Unavailable",
    Usage: "Usage",
}


def test_a_refusal_is_told_by_its_family() -> None:
    for kind, family in FAMILIES.items():
        told = telling.refusal(kind("LH 1", "no", Place(seq=3)), 7)
        assert (told.family, told.id, told.place, told.rule) == (family, 7, "frame 3", "LH 1")
        assert told.advice


def test_a_refusal_is_one_line_whatever_it_quotes_and_can_always_be_sent() -> None:
    text = "a\nb\x1b[2J\u202ec\udcff" + "x" * 100_000
    problem: HolodeskError = Rejected("LH 1", text, Place(file=text), problems=(text,) * 5000)
    told = telling.refusal(problem)
    for line in (told.sentence, told.place, *told.problems):
        assert len(line) <= 2000
        assert line.isprintable()
    assert len(told.problems) == 100
    assert messages.read_notice(messages.frame_message(told)[4:]) == told


def test_a_head_is_told_whole(open_desk: OpenDesk) -> None:
    desk = open_desk()
    desk.turn(Turning("lens", 3, ("Drift",), keep_detail=False))
    told = telling.head_moved(desk, "hologram.control", freshness="live", converged=False)
    head = desk.hologram.head
    assert (told.seq, told.frame_hash, told.kind) == (head.seq, head.frame_hash, "control")
    assert (told.object, told.object_seq) == (desk.hologram.object, 3)
    assert (told.frames, told.tiles, told.signed, told.writable) == (6, 2, True, True)
    assert told.desk == "d"
    lens = next(control for control in told.controls if control.name == "lens")
    assert (lens.value, lens.detail, lens.since) == (3, {"allow": ["Drift"]}, 5)
    assert [control.name for control in told.controls] == list(desk.hologram.controls)
    assert messages.read_notice(messages.frame_message(told)[4:]) == told


def test_an_offer_names_rests_and_never_a_source(open_desk: OpenDesk, machine: Runner) -> None:
    desk = open_desk()
    told = telling.offered(desk.offer(machine))
    assert [lens.is_self for lens in told.lenses].count(True) == 1
    assert "perform" not in str(told)
    drift = next(lens for lens in told.lenses if lens.name == "Drift")
    assert set(drift.rest) <= set(drift.parameters["properties"])
    assert drift.rest
    assert messages.read_notice(messages.frame_message(told)[4:]) == told


def test_a_folder_is_told_file_by_file() -> None:
    states = (
        FileState("a_agent.py", "A", "offered"),
        FileState("b_agent.py", "", "set aside", "line\nwith\x00more" * 100, 4),
    )
    told = telling.folder(Offering((), states))
    assert [file.status for file in told.files] == ["offered", "set aside"]
    assert told.files[1].reason.isprintable()
    assert len(told.files[1].reason) <= 400
    assert told.files[1].line == 4
