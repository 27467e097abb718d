PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --quiet --no-deps
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header $(UPGRADE) pyproject.toml --extra build

# The rules, the state, the decisions and the codec: every branch of them is tested.
PURE := ledger/rules/*,ledger/streams/*,ledger/hand.py,ledger/evolve.py,ledger/codec.py,ledger/events/*,ledger/outcome.py,ledger/record.py,ledger/tiles.py,ledger/claims.py

# What holds the pure rooms line by line. Only it is measured: coverage doubles the time of a test.
PURE_TESTS := tests/importing tests/rules tests/streams tests/test_claims.py tests/test_codec.py tests/test_golden_streams.py \
	tests/test_record.py tests/test_tiles.py

# Most of the other tests wait for processes that they have started: one more than there are cores.
PROCESSES := $(shell expr 1 + $$(getconf _NPROCESSORS_ONLN))

# Programs that tests call, and the Debian packages that have them; Chinese needs signs to be printed.
PROGRAMS := curl sqlite3 hledger chromium
PACKAGES := curl sqlite3 hledger chromium fonts-noto-cjk
debian = @( for one in $(1); do command -v $$one || exit 1; done ) >/dev/null \
	|| if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update -qq && apt-get install -y -qq --no-install-recommends $(2); \
	else echo "system: $(1) are needed, and root and apt-get to install them"; fi

.DEFAULT_GOAL := help
.PHONY: help install run test test-deep coverage check fmt system system-deep lock clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Make .venv with the paizhang command

run: install ## Start the web server, the workers and the beat on SQLite
	@$(BIN)/paizhang run

test: $(VENV)/.tested system check ## Run every check and test
	$(BIN)/python -m pytest -n auto --dist worksteal $(PURE_TESTS) --cov --cov-report=
	$(BIN)/coverage report --include="$(PURE)" --skip-covered --fail-under=100
	$(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal $(PURE_TESTS:%=--ignore=%)

coverage: $(VENV)/.tested ## Measure which branches of the whole the tests run
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term

test-deep: $(VENV)/.tested system-deep ## Run the long tests too, with many more examples
	$(BIN)/python -m pytest -n auto --dist worksteal -m "deep or not deep" --hypothesis-profile=deep

check: $(VENV)/.tested ## Lint, formatting, types and the rooms' walls
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: $(VENV)/.tested ## Format, and mend what the linter can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

system: ## Install the Debian packages that the tests need, where root and apt are there
	$(call debian,$(PROGRAMS),$(PACKAGES))

system-deep: system ## Those too that only the deep tests need
	$(call debian,soffice pdftoppm,libreoffice-calc-nogui poppler-utils)

lock: | $(BIN)/python ## Pin the requirements anew (UPGRADE=--upgrade for newer ones)
	$(PIP) install --quiet --quiet uv
	$(COMPILE) --output-file requirements/runtime.txt
	$(COMPILE) --extra production --constraint requirements/runtime.txt --output-file requirements/production.txt
	$(COMPILE) --extra production --extra test --constraint requirements/runtime.txt --output-file requirements/test.txt

clean: ## Remove .venv and everything that can be made again
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* htmlcov
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Paizhang needs Python 3.11+")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# pip check, since --no-deps trusts the lock: a pin that no longer fits pyproject.toml is caught here.
$(VENV)/.installed: requirements/runtime.txt pyproject.toml | $(BIN)/python
	@echo "Installing the pinned requirements (half a minute) ..."
	$(INSTALL) --require-hashes -r requirements/runtime.txt
	$(INSTALL) --no-build-isolation -e .
	$(PIP) check
	@touch $@

$(VENV)/.tested: requirements/test.txt $(VENV)/.installed
	$(INSTALL) --require-hashes -r requirements/test.txt
	$(PIP) check
	@touch $@
