"""Below the line no built-in reaches the world: what import rules cannot see."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

PURE = ("rapp", "agent", "hologram", "contract", "portal", "view", "display")
WORLD = {"open", "print", "exec", "eval", "compile", "hash", "id", "input", "__import__", "globals"}
CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today")}


def pure_files() -> list[Path]:
    folder = ROOT / "holodesk"
    return [
        folder / "errors.py",
        *(f for room in PURE for f in sorted((folder / room).rglob("*.py"))),
    ]


def world_calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id in WORLD:
            yield node.lineno, called.id
        match called:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in CLOCKS:
                yield node.lineno, f"{owner}.{name}"


def test_nothing_below_the_line_calls_into_the_world() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in pure_files()
        for line, name in world_calls(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found


def test_the_watcher_sees_a_planted_clock_and_a_planted_file() -> None:
    planted = ast.parse("import datetime\nopen('x')\ndatetime.now()\nhash(1)\n")
    assert [name for _, name in world_calls(planted)] == ["open", "datetime.now", "hash"]


def test_every_module_below_the_line_cites_its_section() -> None:
    silent = []
    for path in pure_files():
        if path.name == "__init__.py":
            continue
        words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        cited = (
            "LH ",
            "TC ",
            "rapp/1",
            "RFC ",
            "decisions",
            "house",
            "look",
            "display",
            "A1",
            "A2",
        )
        if not any(mark in words for mark in cited):
            silent.append(str(path.relative_to(ROOT)))
    assert not silent
