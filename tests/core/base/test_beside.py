"""Work on several things at once."""

from __future__ import annotations

import threading
from contextvars import ContextVar

import pytest

from ridewright.core.base import beside
from ridewright.core.base.beside import each

SAID: ContextVar[str] = ContextVar("said", default="")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_that_answers_come_in_order_with_what_the_asker_has_set(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "processors", lambda: count)
    token = SAID.set("hello")
    meet = threading.Barrier(count)  # as many are at work at once, or this would wait for ever

    def work(number: int) -> tuple[int, str]:
        meet.wait(timeout=20.0)
        return number, SAID.get()

    try:
        assert [*each(work, range(6))] == [(number, "hello") for number in range(6)]
    finally:
        SAID.reset(token)


def test_that_what_work_raises_is_raised_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "processors", lambda: 2)
    found = each(lambda number: 12 // number, [4, 3, 0, 1])
    assert (next(found), next(found)) == (3, 4)
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_that_nothing_asked_gives_nothing() -> None:
    assert [*each(str, [])] == []
