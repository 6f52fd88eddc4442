"""From a file's octets to what may be offered (LH 3.2, 4.1)."""

import hashlib
import json
from pathlib import Path

import pytest

from holodesk.agent.source import read, text_of
from holodesk.errors import LensImpure, SurfaceIncomplete
from tests.unit.agent.writing import PLAIN


def test_a_lawful_file_is_read_whole() -> None:
    agent = read(PLAIN.encode(), "try_agent.py")
    assert (agent.source, agent.surface.name, agent.file) == (PLAIN, "Try", "try_agent.py")


def test_the_identity_is_the_text_s_and_changes_with_one_letter() -> None:
    agent = read(PLAIN.encode())
    preimage = b"rapp/1:particle\n" + json.dumps(PLAIN).encode()
    assert agent.hash == hashlib.sha256(preimage).hexdigest()
    other = read(PLAIN.replace("is tried", "was tried").encode())
    assert other.hash != agent.hash


def test_line_ends_are_kept_and_count_for_the_identity() -> None:
    windows = read(PLAIN.replace("\n", "\r\n").encode())
    assert "\r\n" in windows.source
    assert windows.hash != read(PLAIN.encode()).hash


def test_the_gate_comes_before_the_surface() -> None:
    both = PLAIN.replace('"name": "Try",', "").replace("return {", "return open or {")
    with pytest.raises(LensImpure) as refusal:
        read(both.encode(), "try_agent.py")
    assert str(refusal.value.where) == "try_agent.py line 18"
    with pytest.raises(SurfaceIncomplete):
        read(PLAIN.replace('"name": "Try",', "").encode())


def test_what_is_not_utf_8_is_refused_with_its_line() -> None:
    with pytest.raises(LensImpure) as refusal:
        text_of(b"x = 1\ny = '\xff'\n")
    assert refusal.value.where.line == 2
    assert "0xff" in refusal.value.message


def test_too_many_octets_are_refused_unread() -> None:
    with pytest.raises(LensImpure) as refusal:
        read(b"\xff" * 70_000)
    assert "65536" in refusal.value.message


def test_the_honest_lenses_can_all_be_offered(shared: Path) -> None:
    names = [
        read(path.read_bytes(), path.name).surface.name
        for path in sorted((shared / "data/honest_lenses_agent").glob("*_agent.py"))
    ]
    assert names == [
        "CardMove", "Checkpoint", "FloatRound", "Hint", "Life", "Memory", "Press", "Story"
    ]  # fmt: skip
