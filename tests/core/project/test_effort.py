"""Runs that would take hours are told of before they start."""

from __future__ import annotations

import pytest

from ridewright.core.cli.set_fields import set_fields
from ridewright.core.project.effort import long_run
from ridewright.core.project.examples import load_example


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["settings.fixed_step=1e-7", "scenario.duration=39"], ("390 million steps of 39 s", "hours")),
        (["settings.fixed_step=1e-7"], ("600 million steps of a minute of riding",)),
        (
            ["settings.method=rk4", "settings.fixed_step=1e-6", "scenario.duration=86000"],
            ("86 thousand million", "days"),
        ),
        (
            ["settings.max_step=1e-7", "scenario.duration=39"],
            ("A maximum step size of 1e-7 s", "take a longer one"),
        ),
    ],
)
def test_that_absurd_steps_are_told_with_their_number_and_time(
    changes: list[str], told: tuple[str, ...]
) -> None:
    sentence = long_run(set_fields(load_example("looping_star"), changes))
    for words in told:
        assert words in sentence


@pytest.mark.parametrize(
    "changes",
    [
        [],
        ["settings.fixed_step=1e-4"],
        ["settings.method=rk4"],
        ["settings.method=adaptive_lsoda", "settings.fixed_step=1e-7"],
        ["settings.fixed_step=1e-7", "scenario.duration=0.05"],
    ],
)
def test_that_usual_steps_are_not(changes: list[str]) -> None:
    assert long_run(set_fields(load_example("looping_star"), changes)) == ""
