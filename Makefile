# One command checks everything: `make check`. Needs Python >= 3.11, git and make; the rest comes from the lock.
.DEFAULT_GOAL := check
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := uv==0.13.9
PYTEST_ARGS ?=

.PHONY: check lint types rooms own-law semantic-policy snapshot guard test evidence bench lock setup clean

check: lint types rooms own-law

setup: $(STAMP)

$(STAMP): requirements-dev.lock pyproject.toml .ci/setup
	@sh .ci/setup $(VENV)
	@touch $@

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(STAMP)
	$(BIN)/mypy --strict

rooms: $(STAMP)
	$(BIN)/lint-imports --no-logo

own-law: $(STAMP)
	$(BIN)/abutment check

# CI shows these two as steps of their own; `own-law` is both at once and whatever else is switched on.
semantic-policy: $(STAMP)
	$(BIN)/abutment check blindspots cycles boundaries egress blocking bans concurrency tasks effects transactions configuration locators events startup mypy dependencies tools lint complexity sizes

snapshot: $(STAMP)
	$(BIN)/abutment check snapshot

# Not part of `check`: it needs the history of the main branch, which not every clone has.
guard: $(STAMP)
	$(BIN)/abutment check guard

test: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run --parallel-mode -m pytest -m "not evidence" -n auto --dist worksteal $(PYTEST_ARGS)
	$(BIN)/coverage combine --quiet
	rm -f .coverage.* # what cannot be combined is what a process left behind that a test has killed
	$(BIN)/coverage report
	$(if $(strip $(PYTEST_ARGS)),,$(BIN)/abutment check coverage)

evidence: $(STAMP)
	$(BIN)/python -m benchmarks.install --importable
	$(BIN)/python -m pytest -m evidence $(PYTEST_ARGS)
	$(BIN)/python -m benchmarks.evidence.session
	$(BIN)/python -m benchmarks.evidence.grimp_edges
	$(BIN)/python -m benchmarks.evidence.interpreter_edges
	$(BIN)/python -m benchmarks.evidence.blind_spots
	$(BIN)/python -m benchmarks.evidence.blocking_calls
	$(BIN)/python -m benchmarks.evidence.ways_out
	$(BIN)/python -m benchmarks.evidence.plain_search
	$(BIN)/python -m benchmarks.evidence.instrumented
	$(BIN)/python -m benchmarks.evidence.qualified_names

bench: $(STAMP)
	$(BIN)/python -m benchmarks.install
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.guard

# `editables` is what hatchling asks for when it builds an editable install without build isolation.
lock: $(STAMP)
	$(BIN)/python -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check $(UV)
	echo 'editables>=0.5' | $(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-emit-find-links --upgrade \
	    --custom-compile-command 'make lock' --group pyproject.toml:dev pyproject.toml - -o requirements-dev.lock

clean:
	rm -rf $(VENV) build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf benchmarks/corpora benchmarks/peers
