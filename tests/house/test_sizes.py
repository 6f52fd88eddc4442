"""Files, functions and faces stay small enough to read without scrolling (house II.7)."""

import ast
from pathlib import Path

from tests.conftest import ROOT

MAX_FILE, MAX_FUNCTION, MAX_FACE = 400, 60, 16


def sources() -> list[Path]:
    return sorted((ROOT / "holodesk").rglob("*.py"))


def test_no_source_file_is_over_400_lines() -> None:
    long = {
        str(p.relative_to(ROOT)): n
        for p in sources()
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > MAX_FILE
    }
    assert not long


def test_no_function_is_over_60_lines() -> None:
    long = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name} {lines}")
    assert not long


def test_no_face_has_more_than_16_names() -> None:
    wide = []
    for path in sources():
        if path.name != "__init__.py":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets
            ):
                assert isinstance(node.value, ast.List | ast.Tuple)
                if len(node.value.elts) > MAX_FACE:
                    wide.append(str(path.relative_to(ROOT)))
    assert not wide
