"""Shares in words."""

from __future__ import annotations

from ridewright.core.base.units import percent


def test_that_percents_say_whether_they_are_zero() -> None:
    shares = (-0.003, 0.0, -0.0, 0.004, 0.5, -0.126, -1e-7)
    assert [percent(x) for x in shares] == ["-0.3 %", "0 %", "0 %", "0.4 %", "50 %", "-13 %", "0 %"]
    assert [percent(x, signed=True) for x in (0.0, 0.126, -0.004)] == ["0 %", "+13 %", "-0.4 %"]
