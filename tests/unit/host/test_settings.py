"""Settings: one TOML file, an unknown key is an error (house II.11)."""

import pytest

from holodesk.errors import Refused
from holodesk.host.settings import Settings, read_settings, settings_file


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
