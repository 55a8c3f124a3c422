"""What is remembered of the last calls."""

from __future__ import annotations

from ridewright.core.base.remembered import remembered


def test_that_the_last_ones_are_found_once_and_older_ones_again() -> None:
    calls: list[object] = []

    @remembered(2)
    def pair(one: object, number: float = 1.0) -> tuple[object, float]:
        calls.append(one)
        return one, number

    first, second, third = [1], [1], [1]  # equal, and not the same
    assert pair(first, 2.0) is pair(first, 2.0)
    assert pair(first, 3.0) == (first, 3.0)
    assert len(calls) == 2
    pair(second)
    pair(third)
    pair(second)
    assert len(calls) == 4
    pair(first, 2.0)
    assert len(calls) == 5


def test_that_an_answer_may_depend_on_less_than_the_arguments() -> None:
    calls: list[int] = []

    @remembered(4, lambda row, _told: (row[0],))
    def first_of(row: list[str], told: object) -> str:
        calls.append(1)
        return row[0]

    assert first_of(["a", "b"], object()) == first_of(["a", "c"], object()) == "a"
    assert len(calls) == 1
