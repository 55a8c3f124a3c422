"""Named tuples that kernels take by reference."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from core.jit.options import INNER, KERNEL
from core.jit.reference import by_reference
from core.multibody.kernel import addresses, call

kernel = njit(**{**KERNEL, "cache": False})


@by_reference
class Held(NamedTuple):
    """Something of everything."""

    line: Any
    places: Any
    rate: float
    count: int
    block: Any
    small: Any
    on: bool


def held(n: int = 4, m: int = 3) -> Held:
    return Held(
        np.arange(float(n)), np.arange(n)[::-1].copy(), 0.25, n, np.arange(24.0 * m).reshape(2, m, 12),
        np.arange(2 * m, dtype=np.uint32).reshape(m, 2), n % 2 == 0,
    )  # fmt: skip


@njit(**INNER)
def _weigh(x: Any, k: int) -> float:
    return float(x.line[x.places[k]] * x.rate + x.count if x.on else -1.0)


@kernel
def read(x: Any, k: int) -> Any:
    sizes = (
        x.line.size,
        x.block.shape[0],
        x.block.shape[1],
        x.block.shape[2],
        x.block[1].size,
        x.small.shape[0],
    )
    return _weigh(x, k), x.block[1, k, -1], x.block[1][k][3], x.small[k, 1], sizes


@kernel
def write(x: Any, k: int) -> None:
    x.block[1, k] = x.line[0]
    x.line[:] = 7.0
    x.places[k] += 1


def expected(x: Held, k: int) -> Any:
    sizes = (x.line.size, *x.block.shape, x.block[1].size, x.small.shape[0])
    weighed = x.line[x.places[k]] * x.rate + x.count if x.on else -1.0
    return weighed, x.block[1, k, -1], x.block[1, k, 3], x.small[k, 1], sizes


def test_that_a_kernel_sees_what_it_holds_whatever_the_sizes_and_is_compiled_once() -> None:
    for n, m in ((4, 3), (9, 5), (2, 2)):
        x = held(n, m)
        for k in range(2):
            assert read(x, k) == expected(x, k)
    assert len(read.overloads) == 1


def test_that_what_a_kernel_writes_is_in_the_arrays() -> None:
    x = held()
    write(x, 1)
    assert np.all(x.line == 7.0)
    assert x.places.tolist() == [3, 3, 1, 0]
    assert np.all(x.block[1, 1] == 0.0)
    assert x.block[1, 2, 0] != 0.0


def test_that_other_arrays_in_their_place_and_copies_are_others() -> None:
    x = held()
    write(x, 0)
    other = x._replace(line=np.arange(50.0))
    assert isinstance(other, Held)
    assert read(other, 0) == expected(other, 0)
    for made in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), Held(*(copy.copy(part) for part in x))):
        made.line[:] = [1.0, 2.0, 3.0, 4.0]
        assert made.address != x.address  # type: ignore[attr-defined]
        assert read(made, 1) == expected(made, 1) != read(x, 1)


def test_that_it_is_one_argument_of_a_call_by_address() -> None:
    x = held()
    where = addresses((write, (x, 0)))

    @njit
    def through(where: Any, x: Any) -> None:
        call(where[0], write, (x, 1))

    through(where, x)
    assert np.all(x.line == 7.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("block", np.zeros((4, 6, 12))[::2]),
        ("line", "text"),
        ("rate", np.float32(1.0)),
        ("count", None),
        ("line", [1.0]),
    ],
)
def test_that_what_cannot_be_referred_to_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"Field '{field}' of Held cannot be referred to"):
        read(held()._replace(**{field: value}), 0)


def test_that_a_field_that_is_not_there_is_an_error_of_the_kernel() -> None:
    with pytest.raises(TypingError, match="absent"):
        kernel(lambda x: x.absent)(held())


def test_that_kernels_for_fields_of_other_types_are_others() -> None:
    x = held()
    y = x._replace(line=np.arange(4), rate=3)
    assert read(x, 1) == expected(x, 1)
    assert read(y, 1) == expected(y, 1)
    assert read(x, 1) == expected(x, 1)
