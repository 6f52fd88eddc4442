#!/bin/sh
# Every check, cheapest first. `quick` is what one runs while typing.
set -eu
export QT_QPA_PLATFORM="${QT_QPA_PLATFORM:-offscreen}" PYTHONHASHSEED="${PYTHONHASHSEED:-random}"

ruff format --check --quiet .
ruff check --quiet .
mypy
lint-imports --no-logo 2>/dev/null || lint-imports
if [ "${1:-}" = quick ]; then
  pytest tests/unit tests/house tests/content
else
  pytest -n 2 --dist loadgroup
fi
