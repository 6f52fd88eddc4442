"""The law of imports, as a test."""

from importlinter.cli import lint_imports

from tests.conftest import ROOT


def test_every_import_rule_is_kept() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
