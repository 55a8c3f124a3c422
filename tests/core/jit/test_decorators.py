"""Python calls every kernel, with arguments of short rides, and gets what the same function gives as Python; nothing
of numba is changed."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.registry import CPUDispatcher

from ridewright import core
from ridewright.core.jit.decorators import allocating, inner, kernel, part, shared

PACKAGE = Path(core.__file__).parent
DECORATED = re.compile(r"^@(kernel|allocating|inner|shared|part|njit\b.*)\ndef (\w+)", re.MULTILINE)
INNER = ("inner", "shared")
# what compiled code takes from a kernel that has a wrapper for Python; without one a call from Python ends the program
WITHOUT_WRAPPER = "no_cpython_wrapper"


def _twice(x: Any) -> float:
    return float(2.0 * x[0])


@pytest.mark.parametrize("decorator", [kernel, allocating, inner, shared, part])
def test_that_python_and_kernels_can_call_it(decorator: Any) -> None:
    given, made = np.array([1.5]), decorator(_copy_of(_twice))

    @njit
    def caller(x: Any) -> float:
        return float(made(x) + 1.0)

    assert made(given) == 3.0
    assert caller(given) == 4.0


def _copy_of(function: FunctionType) -> FunctionType:
    return FunctionType(function.__code__, function.__globals__, function.__name__)


def _kernels() -> list[tuple[str, str, str]]:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(("ridewright.core", *file.relative_to(PACKAGE).with_suffix("").parts))
        found += [(module, how, name) for how, name in DECORATED.findall(file.read_text(encoding="utf-8"))]
    return found


def test_that_every_kernel_has_what_python_calls_it_by() -> None:
    kernels = _kernels()
    assert len(kernels) > 200
    for module, how, name in kernels:
        made = getattr(import_module(module), name)
        if how in INNER:
            assert isinstance(made, FunctionType), (module, name)
        else:
            assert isinstance(made, CPUDispatcher), (module, name)
            assert WITHOUT_WRAPPER not in made.targetoptions, (module, name)


def test_that_core_changes_nothing_of_numba_and_takes_one_private_name() -> None:
    private: list[str] = []
    for file in PACKAGE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(numba|llvmlite)[\w.]*\s*=[^=]", text, re.MULTILINE), file
        assert "llvmlite" not in text, file
        private += re.findall(r"(?:from|import) (numba\.(?:core|np|cpython)[\w.]*)", text)
    assert private == ["numba.core.caching"]


PIECE = "part"  # pieces of `advance`, each of which takes as long to compile on its own
CALLED = [
    pytest.param(f"{module}.{name}", marks=[pytest.mark.nightly] if how == PIECE else [])
    for module, how, name in _kernels()
    if how in ("kernel", "allocating", PIECE)
]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[bytes, bytes]]:
    """By kernel: pickled arguments of its first call; its result as Python, and what the arguments are afterwards."""
    out = tmp_path_factory.mktemp("calls") / "calls"
    subprocess.run(
        [sys.executable, "-W", "ignore", str(Path(__file__).with_name("recording.py")), str(out)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=True,
    )
    found: dict[str, tuple[bytes, bytes]] = pickle.loads(out.read_bytes())
    return found


def test_that_the_rides_call_every_kernel(calls: dict[str, tuple[bytes, bytes]]) -> None:
    """By day, so that who adds a kernel, or takes the last call of one away, hears of it."""
    wanted = {
        f"{module}.{name}" for module, how, name in _kernels() if how in ("kernel", "allocating", PIECE)
    }
    assert wanted - set(calls) == set()


def _numbers(given: Any) -> list[np.ndarray]:
    """All arrays and numbers in nested tuples."""
    if isinstance(given, tuple):
        return [number for one in given for number in _numbers(one)]
    return [np.asarray(given, dtype=float)] if given is not None else []


@pytest.mark.parametrize("name", CALLED)
def test_that_python_calls_it_and_gets_what_python_would_find(
    name: str, calls: dict[str, tuple[bytes, bytes]]
) -> None:
    module, _, function = name.rpartition(".")
    given, expected = (pickle.loads(part) for part in calls[name])
    result = getattr(import_module(module), function)(*given)
    for found, wanted in zip(_numbers((result, given)), _numbers(expected), strict=True):
        finite = np.abs(wanted[np.isfinite(wanted)])
        np.testing.assert_allclose(
            found, wanted, rtol=1e-9, atol=1e-11 * float(np.max(finite, initial=1.0)), equal_nan=True
        )
