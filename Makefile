# Targets create the virtual environment in .venv if it does not exist.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SERVES := $(VENV)/.wikiapi-serves
STAMP  := $(VENV)/.wikiapi-installed
ICU    := $(VENV)/.wikiapi-icu
STATE  := .state
LISTEN ?= 127.0.0.1:8080
WORKERS ?= auto
ALONE   := tests/faults/test_serving_workers.py

# Otherwise each of the many processes would compile all modules again, which takes a second.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve test test-all fuzz simulate mutants lint format docs site wheel bench bench-peer measure-peer reference reference-serve clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Stamps are written last, so that an interrupted installation is repeated.
$(SERVES): setup.cfg pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wikiapi needs Python 3.11 or newer: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo 'Installing wikiapi and the libraries that it needs in $(VENV), once.'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lua]'
	touch $(SERVES)

$(STAMP): $(SERVES)
	@echo 'Installing what tests and development need in $(VENV), once.'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

# PyICU has to be compiled, for a minute or two, which serving the demo does not need.
$(ICU): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[icu]' || \
		echo 'PyICU cannot be compiled (it needs a C++ compiler, pkg-config and libicu-dev): the tests that need it are skipped'
	touch $(ICU)

serve: $(SERVES) ## serve the demo wiki (LISTEN=127.0.0.1:8080); WRITABLE=1 for one to edit
	$(BIN)/python -m examples.serve_demo --state $(STATE)/demo --listen $(LISTEN) $(if $(WRITABLE),--writable)

test: $(ICU) ## run all but the slow tests on all cores, in a few minutes (ARGS='-k title' WORKERS=0 for some)
	$(BIN)/python -m pytest -m 'not slow' --numprocesses $(WORKERS) --dist loadfile $(ARGS)

# Two processes: many of the slow tests wait for servers of theirs, which use the other cores. What
# says how processes share their work must have the machine for itself.
test-all: test ## run all tests, also on database servers, in a browser, with kills and fuzzing
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'datasets>=4'
	$(BIN)/python -m pytest -m slow --numprocesses 2 --dist loadfile --ignore $(ALONE) $(ARGS)
	$(BIN)/python -m pytest -m slow $(ALONE)

# Atheris has no wheels for every system, so that only this target installs it.
fuzz: $(STAMP) ## fuzz each reader of foreign input, led by coverage (MINUTES=10, TARGET=css for one)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz $(or $(TARGET),all) --atheris --minutes $(or $(MINUTES),10)

simulate: $(STAMP) ## simulate lives of a wiki with faults and kills (MINUTES=10, SEED=123 from that number on)
	$(BIN)/python -m tests.simulation --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

mutants: $(STAMP) ## change rules one by one, and list the changes that no test notices (AREA=visibility ARGS='--max-children 1')
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutation]'
	$(BIN)/python -m tests.mutation $(AREA) $(ARGS)

lint: $(STAMP) ## check style, formatting, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## format the code and fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP) ## generate documentation from the code: settings, commands, layers, scores, the README's answers
	$(BIN)/python docs/build.py
	$(BIN)/python -m docs.commands
	$(BIN)/python -m docs.derived
	$(BIN)/python -m tests.meta.refresh_readme

site: $(STAMP) ## build the documentation as a web site in dist/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# The wheel is built from the source distribution, which shows that nothing is missing there.
wheel: $(STAMP) ## build the source distribution and the wheel in dist/, and check them
	rm -rf build dist/*.whl dist/*.tar.gz *.egg-info
	$(BIN)/python -m build .
	$(BIN)/python -m twine check --strict dist/*.whl dist/*.tar.gz

bench: $(STAMP) ## run benchmarks (ONLY='http startup modules growth parsing importing kills hostile scribunto reader streaming editing', or cores, load, millions, parsoid, scaling, soak, steps, worst, writers, writekills)
	$(BIN)/python -m bench $(ONLY)

# Both sides use Debian's builds: a Python built without optimisation is up to a fifth slower.
bench-peer: ## compare with Debian's MediaWiki, which is installed, in Debian's Python (ROUNDS=5, ONLY=import, requests or writing)
	sh bench/peer/install.sh
	$(MAKE) --no-print-directory measure-peer PYTHON=/usr/bin/python3 VENV=$(STATE)/peer-venv

measure-peer: $(STAMP)
	$(BIN)/python -m bench.peer $(ROUNDS) $(if $(ONLY),--only $(ONLY))

reference: $(STAMP) ## replay the recorded answers in ../shared/reference (ONLY=query,wild FAILING=20 SHOW=id REPORT=file SERVER=mariadb; ONLY=lang LANGS=fr,de; ONLY=settings VARIANTS=uca)
	$(BIN)/python -m tests.reference.run $(if $(ONLY),--only $(ONLY)) $(if $(GROUP),--group '$(GROUP)') \
		$(if $(LANGS),--lang $(LANGS)) $(if $(VARIANTS),--variant $(VARIANTS)) $(if $(SERVER),--server $(SERVER)) $(if $(FAILING),--failing $(FAILING)) $(if $(SHOW),--show $(SHOW)) $(if $(REPORT),--report '$(REPORT)')

reference-serve: $(SERVES) ## serve the reference wikis on ports 8045, 8046, 8050 and, for writing, 8049; in other languages from 8071 on, or ONLY=settings
	$(BIN)/python -m tests.reference.run --serve $(if $(ONLY),--only $(ONLY))

clean: ## remove generated files, except the virtual environment
	rm -rf build dist $(STATE) bench/results *.egg-info
