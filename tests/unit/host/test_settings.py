"""Settings: one TOML file, an unknown key is an error (house II.11)."""

import json
import threading
from dataclasses import fields

import pytest

from holodesk.errors import Refused, Unavailable
from holodesk.host.settings import (
    LAWFUL,
    Settings,
    config_folder,
    machine_label,
    read_settings,
    settings_file,
)


def write(text: str) -> None:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text(text, encoding="utf-8")


def test_no_file_is_the_defaults() -> None:
    assert read_settings() == Settings()


def test_what_is_set_is_read() -> None:
    write('owner = "ada"\nworkers = 2\n')
    assert read_settings() == Settings(owner="ada", workers=2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("colour = 1", "colour"),
        ("workers = 'two'", "workers"),
        ("workers = true", "workers"),
        ("owner = 3", "owner"),
        ("owner = ", "TOML"),
        ("\udcff", "TOML"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text: str, told: str) -> None:
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Refused, match=told):
        read_settings()


@pytest.mark.parametrize(
    "line",
    [
        'owner = "Ada Lovelace"',
        'owner = ""',
        'owner = "a--b"',
        f'owner = "{"a" * 40}"',
        "workers = -1",
        "workers = 65",
        "workers = 10000000000",
        'rig = "D"',
        'theme = "pink"',
        'renderer = "vulkan"',
        'machine = "two words"',
        'screen = "a\\nb"',
    ],
)
def test_a_value_that_nothing_could_be_done_with_is_refused_and_says_what_may_be(
    line: str,
) -> None:
    write(line)
    with pytest.raises(Refused, match=rf"{line.partition(' ')[0]}: expected .*, found"):
        read_settings()


def test_every_setting_has_a_rule() -> None:
    assert set(LAWFUL) == {field.name for field in fields(Settings)}
    for field in fields(Settings):
        write(f"{field.name} = {json.dumps(getattr(Settings(), field.name))}")
        assert read_settings() == Settings()


def test_a_machine_has_one_label_however_many_ask_at_once() -> None:
    found: list[str] = []

    def ask() -> None:
        found.append(machine_label(Settings()))

    asking = [threading.Thread(target=ask) for _ in range(8)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert found[0].startswith("machine-")


@pytest.mark.parametrize("octets", [b"", b"\xff\xfe", b"a b", b"x" * 500])
def test_a_broken_label_is_made_anew(octets: bytes) -> None:
    path = config_folder() / "machine"
    path.parent.mkdir(parents=True)
    path.write_bytes(octets)
    label = machine_label(Settings())
    assert label.startswith("machine-")
    assert machine_label(Settings()) == label


def test_a_label_that_is_set_is_used_and_nothing_is_kept() -> None:
    assert machine_label(Settings(machine="attic")) == "attic"
    assert not (config_folder() / "machine").exists()


def test_a_label_that_cannot_be_kept_is_unavailable() -> None:
    (config_folder() / "machine" / "x").mkdir(parents=True)
    with pytest.raises(Unavailable):
        machine_label(Settings())
