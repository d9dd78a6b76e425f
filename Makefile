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
# An installed server has its bytecode; so shall the one that is tested and measured here.
unexport PYTHONPATH PYTHONDONTWRITEBYTECODE

# The extension needs Node 20.19 or newer; without npm its part of a target says that it is left out.
EXTENSION := vscode-extension
NPM := $(shell command -v npm 2>/dev/null)
ifdef NPM
NODE_MODULES := $(EXTENSION)/node_modules/.installed
RUN_NPM = cd $(EXTENSION) && npm run --silent
else
NODE_MODULES :=
RUN_NPM = @echo "Left out, because there is no npm (install Node 20.19 or newer):"
endif

.PHONY: demo test test-server test-extension test-browser screenshots check lint types contracts generated tree check-extension \
  vsix bench format generate lock check-constraints clean help

help:
	@echo "make demo               index the sample vault through the real server and search it"
	@echo "make test               run the tests"
	@echo "make check              lint, types, import contracts, generated files, tree"
	@echo "make vsix               build the extension for VS Code, server included"
	@echo "make bench              print the measurements"
	@echo "make screenshots        make the pictures of the documentation again"
	@echo "make format             format the code and mend what the linter can"
	@echo "make generate           write the generated files again"
	@echo "make lock               write constraints.txt again from pyproject.toml"
	@echo "make check-constraints  prove that constraints.txt resolves on every platform"

demo: .venv/.installed
	@$(PY) demo/demo.py

test: test-server test-extension test-browser

test-server: .venv/.installed-dev
	@$(PY) -m pytest

test-extension: $(NODE_MODULES)
	$(RUN_NPM) test

# In a real VS Code: code-server and Chromium, set up by the tests themselves.
test-browser: $(if $(NPM),vsix)
	$(RUN_NPM) test:e2e

# The browser tests once more, keeping a picture of what each feature looks like; the
# extension's own page can only show those that it carries.
screenshots: export NOTEKIN_PICTURES = $(CURDIR)/docs/images
screenshots: test-browser
	@mv docs/images/vscode-search.png docs/images/vscode-related.png docs/images/vscode-hover.png $(EXTENSION)/media/

check: lint types contracts generated tree check-extension

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
	$(PY) tools/write_vscode_settings.py --check

tree: .venv/.installed-dev
	$(PY) tools/check_tree.py

check-extension: $(NODE_MODULES)
	$(RUN_NPM) check

# The server travels in the extension as a wheel, together with the versions to install it with.
vsix: .venv/.installed-dev $(NODE_MODULES)
	@rm -rf $(EXTENSION)/server $(EXTENSION)/*.vsix
	@$(PY) -m hatchling build -t wheel -d $(EXTENSION)/server
	@cp constraints.txt $(EXTENSION)/server/
	@cp LICENSE $(EXTENSION)/
	$(RUN_NPM) package
	@$(PY) tools/print_size.py $(EXTENSION)

bench: .venv/.installed-dev $(if $(NPM),vsix)
	@$(PY) tests/benchmarks $(ARGS)

format: .venv/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generate: .venv/.installed-dev $(NODE_MODULES)
	$(PY) -m notekin_protocol.generate
	$(PY) tools/write_reference.py
	$(PY) tools/write_vscode_settings.py
	$(RUN_NPM) l10n

lock: .venv/.installed-lock
	$(PY) tools/check_constraints.py --write

check-constraints: .venv/.installed-lock
	$(PY) tools/check_constraints.py

clean:
	rm -rf .venv build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	rm -rf $(EXTENSION)/.code-server $(EXTENSION)/.e2e $(EXTENSION)/node_modules $(EXTENSION)/dist $(EXTENSION)/server $(EXTENSION)/*.vsix

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

$(EXTENSION)/node_modules/.installed: $(EXTENSION)/package-lock.json
	@echo "Installing the tools of the extension ..."
	@cd $(EXTENSION) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
