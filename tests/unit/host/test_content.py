"""What ships is whole, and a person's file is read in bounds (decisions 8)."""

from pathlib import Path

import pytest

from holodesk.errors import NotCanonical, Refused, Unavailable, Usage
from holodesk.host import content
from holodesk.host.content import KINDS, read_json_file, read_octets, shipped, starter
from holodesk.host.desks import from_kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_ships_an_object_its_controls_and_lenses(kind: str) -> None:
    found = starter(kind)
    assert isinstance(found.object, dict)
    assert found.object["schema"] == f"{kind}/1"
    assert len(found.controls) == 6
    assert list(found.lenses.glob("*_agent.py"))
    assert from_kind(kind).object == found.object


@pytest.mark.parametrize("kind", ["", "dragon", "../creature", "creature/"])
def test_a_kind_that_does_not_ship_is_wrong_usage(kind: str) -> None:
    with pytest.raises(Usage):
        starter(kind)


def test_a_folder_that_does_not_ship_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        shipped("nothing")


def test_a_persons_file_is_read_strictly_and_told_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    path.write_bytes(b'{"a": 20.0}')
    assert read_json_file(path) == {"a": 20}
    for octets in (b"", b'{"a":1,"a":2}', b"\xff", b"[" * 100 + b"]" * 100, b"NaN"):
        path.write_bytes(octets)
        with pytest.raises(NotCanonical, match=r"o\.json"):
            read_json_file(path)


def test_a_file_over_its_limit_is_refused_before_it_fills_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "MAX_FILE", 10)
    path = tmp_path / "o.json"
    path.write_bytes(b"x" * 10)
    assert read_octets(path) == b"x" * 10
    path.write_bytes(b"x" * 11)
    with pytest.raises(Refused, match="at most 10"):
        read_octets(path)
    with pytest.raises(Unavailable):
        read_octets(tmp_path / "none")
