# `make demo` on a fresh machine needs Python 3.11 to 3.14 and make; the rest is set up here.
# Another interpreter than the one found: make PYTHON=python3.12 demo

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
EXE := .exe
else
BIN := .venv/bin
EXE :=
endif
PYTHON ?=
PY := $(BIN)/python$(EXE)
PIP := $(PY) -m pip --disable-pip-version-check -qq --no-input
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
unexport PYTHONPATH

.PHONY: demo test check lint types contracts generated tree bench format generate lock check-constraints clean help

help:
	@echo "make demo               index the sample vault through the real server and search it"
	@echo "make test               run the tests"
	@echo "make check              lint, types, import contracts, generated files, tree"
	@echo "make bench              print the measurements"
	@echo "make format             format the code and mend what the linter can"
	@echo "make generate           write the generated files again"
	@echo "make lock               write constraints.txt again from pyproject.toml"
	@echo "make check-constraints  prove that constraints.txt resolves on every platform"

demo: .venv/.installed
	@$(PY) demo/demo.py

test: .venv/.installed-dev
	@$(PY) -m pytest

check: lint types contracts generated tree

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.installed-dev
	$(BIN)/pyright

contracts: .venv/.installed-dev
	$(BIN)/lint-imports

generated: .venv/.installed-dev
	$(PY) -m notekin_protocol.generate --check
	$(PY) tools/write_reference.py --check

tree: .venv/.installed-dev
	$(PY) tools/check_tree.py

bench: .venv/.installed-dev
	@$(PY) tests/benchmarks $(ARGS)

format: .venv/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generate: .venv/.installed-dev
	$(PY) -m notekin_protocol.generate
	$(PY) tools/write_reference.py

lock: .venv/.installed-lock
	$(PY) tools/check_constraints.py --write

check-constraints: .venv/.installed-lock
	$(PY) tools/check_constraints.py

clean:
	rm -rf .venv build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# The build backend is installed from the constraints first, and build isolation is off: an
# isolated build would fetch whatever backend is newest, on every version of pip differently.
.venv/.installed: pyproject.toml constraints.txt tools/pick_python.sh
	@python=$$(sh tools/pick_python.sh "$(PYTHON)") && \
	  if ! sh tools/pick_python.sh $(PY) >/dev/null 2>&1; then \
	    echo "Setting up .venv with $$python ..." && "$$python" -m venv --clear .venv; fi
	@echo "Installing Notekin and what it needs ..."
	@$(PIP) install --constraint constraints.txt hatchling editables
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable .
	@touch $@

.venv/.installed-dev: .venv/.installed
	@echo "Installing the tools for tests and checks ..."
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable ".[dev]"
	@touch $@

.venv/.installed-lock: .venv/.installed
	@$(PIP) install --constraint constraints.txt uv
	@touch $@
