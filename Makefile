# Two commands to know: `make run` opens the default hologram, `make test` runs every check.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run setup test quick bench pictures fuzz lock clean

run: setup
	@$(BIN)/holodesk show

setup: $(READY)

$(READY): requirements.lock pyproject.toml packaging/setup.sh
	@sh packaging/setup.sh $(VENV)
	@touch $(READY)

test: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh packaging/checks.sh

quick: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh packaging/checks.sh quick

bench: setup
	@$(BIN)/holodesk bench

pictures: setup
	@$(BIN)/python packaging/pictures.py

fuzz: setup
	@$(BIN)/python fuzz/fuzz_canonical.py --seconds 300
	@HYPOTHESIS_PROFILE=wide QT_QPA_PLATFORM=offscreen $(BIN)/pytest tests/properties tests/unit

lock:
	@uv pip compile --universal --generate-hashes --python-version 3.11 --extra dev \
	  --no-emit-index-url --no-header --quiet pyproject.toml -o requirements.lock

clean:
	@rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
