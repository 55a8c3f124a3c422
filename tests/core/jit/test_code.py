"""Elements, rows and loops of compiled code are those of Python, in whatever way they are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError
from numba.core.imputils import builtin_registry

import core.jit.locator  # noqa: F401 - makes the changes
from core.jit.options import KERNEL

bare = njit(**{**KERNEL, "cache": False})  # without counted references
ways = pytest.mark.parametrize("compiled", [njit, bare], ids=["counted", "bare"])


def _ranges(n: int, m: int, by: int) -> list[int]:
    out = [0] * 400
    at = 0
    for k in range(n):
        for q in range(m, n):
            out[at] = 10 * k + q
            at += 1
        for q in range(1, 3):
            if q * k == 4:
                continue
            out[at] = -q
            at += 1
    for k in range(n, m, by):
        out[at] = k
        at += 1
        if k == 100:
            break
    else:
        out[at] = 77
        at += 1
    return out[:at]


@pytest.mark.parametrize("limits", [(5, 2, -1), (4, -3, -2), (0, 3, 1), (-2, 4, 3), (3, 3, 1), (99, 95, -1)])
def test_that_loops_go_where_python_s_go(limits: tuple[int, int, int]) -> None:
    if limits[0] < 50:
        assert njit(_ranges)(*limits) == _ranges(*limits)
    kept = njit(lambda n, m, by: [k for k in range(n, m, by)] + [k for k in range(m)] + [len(range(n, m))])
    assert kept(*limits) == [
        *range(limits[0], limits[1], limits[2]),
        *range(limits[1]),
        len(range(*limits[:2])),
    ]


def test_that_a_loop_whose_range_comes_from_elsewhere_goes_as_far_and_may_be_empty() -> None:
    @njit
    def total(way: Any, twice: bool) -> int:
        one = range(3, 3 + len(way))
        if twice:
            one = range(2 * len(way))
        x = 0
        for k in one:
            x = 10 * x + k
        return x

    assert total(np.zeros(4), False) == 3456
    assert total(np.zeros(2), True) == 123
    assert total(np.zeros(0), True) == 0


def test_that_a_step_of_nothing_is_still_refused() -> None:
    with pytest.raises(ValueError, match="must not be zero"):
        njit(lambda step: [k for k in range(0, 3, step)])(0)


def _read(a: Any, i: int, j: int, k: Any) -> tuple[float, float, float, float, float]:
    row, place = a[i], (k, j)
    return a[i, j, k], a[-1, 0, i], row[j, k], row[place[1]][place[0]], a[i, j][-k]


@ways
def test_that_elements_and_rows_are_where_numpy_has_them(compiled: Any) -> None:
    a = np.arange(60.0).reshape(3, 4, 5)
    read = compiled(_read)
    for i, j, k in ((1, 2, 3), (-1, -2, -4), (0, 0, 0), (2, -1, 4)):
        assert read(a, i, j, k) == (a[i, j, k], a[-1, 0, i], a[i, j, k], a[i, j, k], a[i, j, -k])
    mixed = compiled(lambda a, i, j, k: a[i, j, k] + a[i][j][k])
    assert mixed(a, np.int8(-1), np.uint8(3), np.uint32(4)) == 2.0 * a[-1, 3, 4]


@ways
def test_that_what_is_set_is_set_there_and_takes_the_type_of_the_array(compiled: Any) -> None:
    @compiled
    def write(a: Any, i: int, j: int, x: Any) -> None:
        a[i, j] = x
        a[i - 1][j] += x
        a[j, 0] -= 1

    for dtype in (np.float64, np.int32, np.uint8, np.complex128):
        for i, j, x in ((0, 1, 2), (-1, -2, True), (1, 0, 3)):
            a, b = np.arange(9).reshape(3, 3).astype(dtype), np.arange(9).reshape(3, 3).astype(dtype)
            write(a, i, j, x)
            b[i, j] = x
            b[i - 1, j] += dtype(x)
            b[j, 0] -= dtype(1)
            assert np.array_equal(a, b), (dtype, i, j, x)


def test_that_arrays_with_gaps_slices_masks_and_lists_of_places_are_taken_as_before() -> None:
    @njit
    def several(a: Any, places: Any, mask: Any, i: int) -> Any:
        a[i, 1:] = 3.0
        a[i] += 1.0
        return a[1:, i].copy(), a[places], a.ravel()[mask], a[..., i].copy(), a.T[i, 1], a[i, ::2].sum()

    whole = np.arange(48.0).reshape(6, 8)
    for given in (whole[::2, ::3], whole[:4, :3], np.asfortranarray(whole[:3, :3]), whole[:, 1:]):
        compiled, plain = given.copy("K"), given.copy("K")
        places, mask = np.array([2, 0]), np.arange(given.size) % 3 == 1
        if given is not whole:
            compiled, plain = (np.pad(x, ((0, 1), (0, 2)))[:-1, :-2] for x in (compiled, plain))
        found, wanted = several(compiled, places, mask, 1), several.py_func(plain, places, mask, 1)
        assert np.array_equal(compiled, plain)
        for one, other in zip(found, wanted, strict=True):
            assert np.array_equal(one, other)


def test_that_rows_of_rows_have_the_steps_of_their_array() -> None:
    """A view handed to Python, or sliced across, goes by its strides."""
    a = np.arange(120.0).reshape(2, 3, 4, 5)
    given = njit(lambda a, i: (a[i], a[i, -1], a[i][1:, :, 2].sum(), a[i][::2, 1].copy()))
    for i in (0, 1, -1):
        for found, wanted in zip(given(a, i), given.py_func(a, i), strict=True):
            assert np.array_equal(found, wanted)
            assert np.shape(found) == np.shape(wanted)
        assert given(a, i)[0].strides == a[i].strides


def test_that_a_row_keeps_its_array_alive() -> None:
    @njit
    def row(n: int, i: int) -> Any:
        return np.arange(float(n * n)).reshape(n, n)[i]

    rows = [row(50, k) for k in range(40)]
    for k, found in enumerate(rows):
        assert np.array_equal(found, np.arange(2500.0).reshape(50, 50)[k])
        assert found.base is not None


def test_that_reading_what_may_only_be_read_is_fine_and_writing_refused() -> None:
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    assert njit(lambda a: a[1] + a[-1])(fixed) == 3.0

    @njit
    def write(a: Any) -> None:
        a[0] = 1.0

    with pytest.raises(TypingError, match="Cannot modify readonly"):
        write(fixed)


def test_that_bounds_are_checked_where_that_is_asked_for() -> None:
    with pytest.raises(IndexError):
        njit(boundscheck=True)(lambda a, k: a[k])(np.zeros(3), 3)


def test_that_the_changes_are_made_in_this_numba() -> None:
    """Otherwise nothing is wrong, but compiling takes half as long again."""
    changed = [name for emit, name, given in builtin_registry.functions if emit.__module__ == "core.jit.code"]
    assert len(changed) == 7
    assert changed.count(range) == 2
