# Every target works on a fresh clone: `setup` makes .venv and installs what is needed.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin

.PHONY: setup play test check proto bench search kill fuzz strength lock clean

setup: .venv/installed

.venv/installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit("Shotclock needs Python 3.11 or newer, " + sys.executable + " is " + sys.version.split()[0] + ": run make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

play: setup
	$(BIN)/shotclock play sudoku greedy minimax --board easy-3x3 --turn 200ms --seed 7

test: setup
	$(BIN)/pytest --numprocesses=auto --dist=worksteal

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

proto: setup
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc --proto_path=proto --python_out=proto --grpc_python_out=proto \
	  --mypy_out=proto --mypy_grpc_out=proto proto/shotclock/v1/*.proto

bench: setup
	$(BIN)/python bench/turns.py
	$(BIN)/python bench/hung.py
	$(BIN)/python bench/fairness.py
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/verify.py
	$(BIN)/python bench/load.py
	$(BIN)/python bench/delay.py
	$(BIN)/python bench/throughput.py
	$(BIN)/python bench/pruning.py

# Thousands of positions searched in every way, a thousand interrupts per game, and what the searches do; takes some minutes.
search: setup
	$(BIN)/python bench/agreement.py
	$(BIN)/python bench/interrupts.py
	$(BIN)/python bench/search.py

# Damaged texts by the hundred thousand, for every game.
fuzz: setup
	$(BIN)/python bench/fuzz.py

# Kills the referee 200 times in the middle of a series, and ten times in a tournament, and goes on; takes some minutes.
kill: setup
	$(BIN)/python bench/kill.py
	$(BIN)/python bench/kill.py tournament --kills 10

# Our bots against each other, into docs/strength.md: some ten minutes, a night with SCALE=full.
SCALE ?= short
strength: setup
	$(BIN)/python bench/strength.py --scale $(SCALE) --write docs/strength.md

# Pinned versions with hashes and without addresses.
lock: setup
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --prerelease if-necessary-or-explicit --extra dev --generate-hashes --no-emit-index-url \
	  --no-header --output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv
