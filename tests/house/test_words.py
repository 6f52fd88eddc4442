"""One word for one thing: names that the glossary does not use (house II.8)."""

import ast
import re

from tests.conftest import ROOT

FILES = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "models",
    "types",
    "constants",
    "base",
}
CLASSES = re.compile(r"(Manager|Handler|Helper|Util|Utils|Impl|Base|Info)$")
VERBS = re.compile(r"^_?(get|do|handle|process|manage|init)_")


def test_no_file_is_named_after_nothing() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "holodesk").rglob("*.py")
        if path.stem in FILES
    ]
    assert not found


def test_classes_and_functions_use_the_glossary() -> None:
    found = []
    for path in sorted((ROOT / "holodesk").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.ClassDef) and CLASSES.search(node.name):
                found.append(f"{where} {node.name}")
            if isinstance(node, ast.FunctionDef) and VERBS.search(node.name):
                found.append(f"{where} {node.name}")
    assert not found
