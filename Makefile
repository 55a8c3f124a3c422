# make run    open the studio; without a display ride the bundled example and write files
# make test   everything CI runs
# Both make their own environment first: with uv where it is on PATH, else with python3 -m venv and pip.

SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON := .venv/bin/python
HEADLESS := .venv-headless/bin/python
WORKERS ?= 2
# Windows wait a third of their time: for a picture, a timer, another process.
SCREENS ?= $(shell echo $$(($(WORKERS) * 3 / 2)))
# Many tests start the program anew: it is not compiled from its text each time, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
# Sums come out otherwise in their last digit on another processor: numpy's own loops without what newer ones have. Names
# that a numpy does not know are passed over.
VECTORS := X86_V3 X86_V4 AVX512_ICL AVX512_SPR
# Kernels are compiled for tests as the program compiles those of a ride (core/warm_up/ahead.py): in half the time.
LIGHT := NUMBA_OPT=1 NUMBA_LOOP_VECTORIZE=0 NUMBA_SLP_VECTORIZE=0

# Where tests pass themselves over without a package; which of them do is marked (tests/conftest.py).
EXTRA = $(sort $(patsubst %/conftest.py,%,$(shell grep -rl --include=*.py importorskip tests/core tests/verification)))

COMPILE := import sys; from ridewright.core.warm_up.ahead import compile_missing; list(map(compile_missing, sys.argv[1:]))

.PHONY: help run test check kernels compiled-headless tests-headless tests-app nightly bench wheel sources bundle site screenshots format clean

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 24

# What a user of the studio needs.
.venv/.ready: pyproject.toml setup.py core/base/version.py tools/environment.sh
	tools/environment.sh .venv studio,studies,structure
	@touch $@

# What tests and developers need on top of it.
.venv/.dev: pyproject.toml setup.py core/base/version.py tools/environment.sh
	tools/environment.sh .venv studio,dev
	@touch .venv/.ready $@

# Holds what core needs and nothing else: no Qt, no VTK, no plotting library.
.venv-headless/.ready: pyproject.toml setup.py core/base/version.py tools/environment.sh
	tools/environment.sh .venv-headless test
	@touch $@

# The same with the oldest numba that pyproject.toml allows.
.venv-oldest/.ready: pyproject.toml setup.py core/base/version.py tools/environment.sh
	tools/environment.sh .venv-oldest test "numba==0.67.*"
	@touch $@

run: .venv/.ready ## open the studio; without a display ride the Looping Star, files go to out/
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then tools/system_libraries.sh window; fi
	$(PYTHON) -m ridewright.app

test: ## everything CI runs: style, types, import contracts, all tests
	$(MAKE) --no-print-directory -j2 check compiled-headless
	$(MAKE) --no-print-directory tests-app

# The tests begin before the last kernels are compiled: those that call them come late.
compiled-headless: .venv-headless/.ready
	$(HEADLESS) -c "$(COMPILE)" preview ride
	$(MAKE) --no-print-directory -j2 kernels tests-headless

kernels: .venv-headless/.ready ## compile the solver ahead in two processes, as the studio does in the background
	$(HEADLESS) -c "$(COMPILE)" preview ride explicit

check: .venv/.dev ## style, types and import contracts
	.venv/bin/ruff check --no-cache .
	.venv/bin/ruff format --check .
	tools/names.sh .venv/names
	.venv/bin/mypy
	PYTHONPATH=.venv/names .venv/bin/lint-imports

tests-headless: .venv-headless/.ready ## tests of core and verification, without Qt, VTK and plotting libraries
	$(HEADLESS) tools/assert_headless.py
	$(LIGHT) $(HEADLESS) -m pytest -n $(WORKERS) -m "not (extra or nightly)" tests/core tests/verification

tests-app: .venv/.dev ## tests of the studio on a virtual screen, and those of core that need what .venv-headless has not: the report, studies, meshes
	tools/system_libraries.sh tests
	$(LIGHT) $(PYTHON) -m pytest -n $(SCREENS) -m "(screen or extra) and not nightly" tests/app $(EXTRA)

nightly: .venv/.cross-check .venv-headless/.ready .venv-oldest/.ready ## tests that take long: damaged inputs, kills, the 3D view with the second of its widgets, all pieces of kernels, other processors, the names other systems lack, second engines, the oldest numba
	tools/system_libraries.sh tests
	tools/names.sh .venv/names
	for system in win32 darwin; do .venv/bin/mypy --no-warn-unreachable --platform $$system --cache-dir .mypy_cache/$$system || exit 1; done
	$(PYTHON) -m pytest -n $(WORKERS) -m nightly tests
	$(LIGHT) $(PYTHON) -m pytest -n $(WORKERS) tests/core/cross_check
	for core in Haswell Nehalem; do \
		OPENBLAS_CORETYPE=$$core NPY_DISABLE_CPU_FEATURES="$(VECTORS)" \
		$(MAKE) --no-print-directory tests-headless tests-app || exit 1; done
	.venv-oldest/bin/python -m pytest -n $(WORKERS) tests/core/jit tests/core/multibody tests/core/solver

# Second engines come on top of the environment of the studio: their tests pass themselves over without.
.venv/.cross-check: .venv/.dev
	tools/environment.sh .venv cross-check
	@touch $@

# The peers come on top of the environment of the studio.
.venv/.bench: .venv/.dev
	tools/environment.sh .venv bench
	@touch $@

bench: .venv/.bench ## measure the solver, with peers; one thread, CPU time, figures in out/bench/
	$(PYTHON) -m tests.benchmarks $(BENCH)

# Those that a wheel is built for: `make wheel PYTHONS="python3.11 python3.12 python3.13"`.
PYTHONS ?= $(PYTHON)

wheel: .venv/.ready ## a wheel of this platform with the kernels compiled for a common processor, in dist/, for each of PYTHONS
	$(PYTHON) -m tools.wheel $(PYTHONS)

sources: .venv/.ready ## the archive of sources that builds and tests, in dist/
	$(PYTHON) -m tools.source_archive

bundle: .venv/.ready ## the studio with interpreter, libraries and kernels for people without Python, in dist/
	$(PYTHON) -m tools.bundle

site: .venv/.dev ## the guide as a site with search, in out/site; broken links are errors
	$(PYTHON) -m tools.site

screenshots: .venv/.dev ## pictures of the studio for README and user guide, on a virtual screen without a display
	tools/system_libraries.sh tests
	if [ -n "$$DISPLAY" ]; then $(PYTHON) -m tools.screenshots; \
	else xvfb-run -a -s "-screen 0 1920x1200x24" $(PYTHON) -m tools.screenshots; fi

format: .venv/.dev ## put the source text into the house style
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

clean: ## remove environments, caches and output
	rm -rf .venv .venv-headless .venv-oldest out build dist ./*.egg-info .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
