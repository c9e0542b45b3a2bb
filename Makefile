# wikiapi: every target makes the virtual environment in .venv when it is not there yet.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.wikiapi-installed
STATE  := .state
LISTEN ?= 127.0.0.1:8080

.DEFAULT_GOAL := help
.PHONY: help serve test test-all lint format docs wheel bench bench-peer measure-peer reference reference-serve clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The stamp is touched last, so an interrupted installation is repeated.
$(STAMP): setup.cfg pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wikiapi needs Python 3.11 or newer: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

serve: $(STAMP) ## serve the demo wiki (LISTEN=127.0.0.1:8080)
	$(BIN)/python -m examples.serve_demo --state $(STATE)/demo --listen $(LISTEN)

test: $(STAMP) ## run the tests that take minutes at most (ARGS='-k title' to choose)
	$(BIN)/python -m pytest -m 'not slow' $(ARGS)

test-all: $(STAMP) ## run all tests: also on database servers, in a browser, with kills and fuzzing
	$(BIN)/python -m pytest $(ARGS)

lint: $(STAMP) ## check style, formatting, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## format the code and repair what can be repaired
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP) ## write what derives from the code again: settings, commands, layers, scores, the README's answers
	$(BIN)/python docs/build.py
	$(BIN)/python -m docs.commands
	$(BIN)/python -m docs.derived
	$(BIN)/python -m tests.meta.refresh_readme

wheel: $(STAMP) ## build the wheel in dist/
	rm -rf build
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

bench: $(STAMP) ## measure (ONLY='http startup modules growth parsing importing kills hostile scribunto reader', or load)
	$(BIN)/python -m bench $(ONLY)

# Both sides are Debian's own builds: a Python that was built without optimisation is a fifth slower.
bench-peer: ## measure beside Debian's MediaWiki, which it installs, in Debian's Python (ROUNDS=5, ONLY=import)
	sh bench/peer/install.sh
	$(MAKE) --no-print-directory measure-peer PYTHON=/usr/bin/python3 VENV=$(STATE)/peer-venv

measure-peer: $(STAMP)
	$(BIN)/python -m bench.peer $(ROUNDS) $(if $(ONLY),--only $(ONLY))

reference: $(STAMP) ## replay ../shared/reference (ONLY=query FAILING=20 SHOW=id REPORT=file SERVER=mariadb)
	$(BIN)/python -m tests.reference.run $(if $(ONLY),--only $(ONLY)) $(if $(GROUP),--group '$(GROUP)') \
		$(if $(SERVER),--server $(SERVER)) $(if $(FAILING),--failing $(FAILING)) $(if $(SHOW),--show $(SHOW)) $(if $(REPORT),--report '$(REPORT)')

reference-serve: $(STAMP) ## serve the two reference wikis on their ports, 8045 and 8046
	$(BIN)/python -m tests.reference.run --serve

clean: ## remove what was built, except the virtual environment
	rm -rf build dist $(STATE) bench/results *.egg-info
