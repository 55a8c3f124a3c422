"""Criteria on riders and seats by the motion that an engine has, all by one way from motion to verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..base.arrays import Array
from ..base.frames import from_matrix
from ..outcome.rider_view import RiderJudgement
from ..outcome.seats import judge_run
from ..outcome.second_engine import Agreement
from ..project.project import Project
from ..project.sampling import assessed_seats
from ..results.results import Results
from ..results.sampler import Motion, Sampler
from ..run.channels import rider_channels, seat_channels
from .engines.base import OtherRun

CRITERION = "criterion"
WINDOW = 1e-3  # of a value: windows begin and end at whole samples
SAMPLES = 2.0  # of a value in seconds
#: As which smaller values count, in every unit but those of SMALL.
LEAST = 0.1
SMALL = {"rad/s^2": 1.0, "%": 1.0, "1": 0.01}
SEATS = 4  # of more so many are judged, spread over all: they are on few bodies
USED = 0.1  # part of a limit: values that use less of it count as if they used so much
#: Rows of judgements by whom, which part and criterion.
Found = dict[tuple[str, str, str], RiderJudgement]


def judged_bodies(project: Project, run: Results) -> bool:
    """Whether anybody, or anything, is judged in a ride."""
    top = project.assembly
    return bool(run.names.riders) or (top is not None and bool(assessed_seats(top)))


def judge_ours(project: Project, run: Results, instants: Array, begun: int) -> Found:
    """Criteria of one of our runs at common instants (n,) s: values by whom, which part and criterion; begun: the first
    instant that counts."""
    return _judge(project, run, instants[begun:], Sampler(run.states, instants[begun:]).body)


def judge_other(project: Project, run: Results, other: OtherRun, begun: int) -> Found:
    """The same of a ride of another engine; run: one of ours, for its names."""
    names = list(other.masses.mass)

    def body(number: int) -> Motion:
        k = names.index(run.names.bodies[number])
        at = slice(begun, None), k
        turned = np.array([from_matrix(axes) for axes in other.axes[at]])
        return Motion(
            other.position[at], turned, other.velocity[at], other.angular_velocity[at], other.acceleration[at],
            other.angular_acceleration[at],
        )  # fmt: skip

    return _judge(project, run, other.time[begun:], body)


def _judge(project: Project, run: Results, instants: Array, body: Callable[[int], Motion]) -> Found:
    index = {name: k for k, name in enumerate(run.names.bodies)}
    channels = rider_channels(project, run.names.riders, index, body)
    seats = seat_channels(project, index, body)
    kept = list(seats)[:: max(1, -(-len(seats) // SEATS))]
    channels |= {name: seats[name] for name in kept}
    felt = replace(run, channels=channels, sample_time=instants)
    rows = judge_run(felt, project.evaluation).rows
    return {row.key: row for row in rows if row.result.value is not None}


def compare_criteria(
    ours: tuple[Found, Found], theirs: tuple[Found, Found], sample: float
) -> tuple[Agreement, ...]:
    """How the criteria of two rides agree, each in two accuracies, the finer last; sample (s): of the instants."""
    out = []
    for key, row in ours[1].items():
        if not all(key in found for found in (ours[0], *theirs)):
            continue
        a, a0, b, b0 = (_value(found, key) for found in (ours[1], ours[0], theirs[1], theirs[0]))
        least = max(USED * abs(row.result.limit or 0.0), SMALL.get(row.result.unit, LEAST))
        allowed = abs(a - a0) + abs(b - b0) + WINDOW * max(abs(a), abs(b), least)
        if row.result.unit == "s":
            allowed += SAMPLES * sample
        when, apart = row.moment or 0.0, abs(a - b)
        name = f"{row.result.title}, {row.part.replace('_', ' ')} of {row.rider}"
        since, then = (when, apart) if apart > allowed else (None, None)
        out.append(
            Agreement(
                quantity=CRITERION, name=name, unit=row.result.unit, difference=apart, allowed=allowed, time=when,
                largest=abs(a), since=since, then=then,
            )
        )  # fmt: skip
    return tuple(out)


def _value(found: Found, key: tuple[str, str, str]) -> float:
    value = found[key].result.value
    assert value is not None
    return value
