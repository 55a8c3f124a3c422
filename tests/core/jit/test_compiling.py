"""What is changed in numba to compile quickly changes nothing of what comes out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from llvmlite import ir as ll
from numba import njit
from numba.core import compiler, ir
from numba.core.errors import TypingError

import core.jit.locator  # noqa: F401 - makes the changes


def _share(x: float, y: float) -> float:
    return max(x, 1.0) / y


def _shapes(a: Any, k: int) -> Any:
    total, pair = 0.0, (a[0], a[k])
    for q in range(a.shape[0]):
        if a[q] > 0.0:
            total += math.sqrt(a[q]) * pair[0]
    return total, pair[1], a[1:k].sum()


def test_that_calls_remembered_for_one_setting_are_not_made_with_another() -> None:
    """A division by zero is an error for Python and infinite for numpy, whichever was compiled first."""
    for _ in range(2):
        strict, loose = njit(_share), njit(error_model="numpy")(_share)
        assert loose(3.0, 0.0) == math.inf
        with pytest.raises(ZeroDivisionError):
            strict(3.0, 0.0)
        assert loose(3.0, 2.0) == strict(3.0, 2.0) == 1.5


def test_that_calls_with_other_types_are_made_for_those() -> None:
    product = njit(lambda x, y: x * y)
    for x, y in (
        (3, 4),
        (3, 0.5),
        (2.0, 3j),
        (True, 7),
        (np.float32(0.1), np.float32(3.0)),
        (np.uint8(200), np.uint8(2)),
    ):
        assert product(x, y) == pytest.approx(x * y if not isinstance(x, np.uint8) else 400)
    values = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(product(values, values), values * values)
    assert np.array_equal(product(values, 2), values * 2)


def _listed(held: Any) -> list[Any]:
    """All variables in a part of an instruction, as numba looks for them."""
    if isinstance(held, ir.Var):
        return [held]
    if isinstance(held, ir.Inst):
        return list(held.list_vars())
    if isinstance(held, list | tuple | dict):
        parts = held.values() if isinstance(held, dict) else held
        return [one for part in parts for one in _listed(part)]
    return []


def test_that_all_variables_of_every_instruction_are_listed() -> None:
    seen = 0
    for function in (_share, _shapes):
        for block in compiler.run_frontend(function).blocks.values():
            for statement in block.body:
                for held in (*vars(statement).values(), list(vars(statement).values()), vars(statement)):
                    found = statement._rec_list_vars(held)
                    assert [id(one) for one in found] == [id(one) for one in _listed(held)]
                    seen += len(found)
    assert seen > 100


def test_that_settings_are_equal_exactly_when_all_their_values_are() -> None:
    one, other = compiler.Flags(), compiler.Flags()
    assert one == other
    one.nrt = True
    assert one != other
    assert one.values() != other.values()
    other.nrt = True
    assert one == other
    other.boundscheck = other.options["boundscheck"].default  # set to what it is anyway
    assert one == other
    assert hash(one) == hash(other)
    one.error_model = "numpy"
    assert one != other


def test_that_a_call_that_cannot_be_made_is_still_explained() -> None:
    for _ in range(2):
        with pytest.raises(TypingError, match=r"No implementation of function Function.*add"):
            njit(lambda x: x + "a")(1)


def test_that_sizes_of_types_are_those_of_the_machine() -> None:
    context = njit(lambda x: x).targetctx
    word, real, byte = ll.IntType(64), ll.DoubleType(), ll.IntType(8)
    for _ in range(2):
        for kind, size in (
            (word, 8), (real, 8), (byte, 1), (word.as_pointer(), 8), (ll.LiteralStructType([byte, real]), 16),
            (ll.ArrayType(ll.LiteralStructType([real, word, byte]), 3), 72), (ll.ArrayType(byte, 3), 3),
        ):  # fmt: skip
            assert context.get_abi_sizeof(kind) == size


def test_that_an_explanation_is_plain_text() -> None:
    with pytest.raises(TypingError) as caught:
        njit(lambda x: x.absent)(1.0)
    assert "absent" in str(caught.value)
    assert "\x1b" not in str(caught.value)
