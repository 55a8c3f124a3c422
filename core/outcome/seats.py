"""Loads at every assessed seat of a run, held against all criteria that need nothing but the acceleration there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from pydantic import Field

from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.frozen import Frozen
from ..base.reading import natural
from ..injury.evaluate import criterion_ids, evaluate_history
from ..injury.history import History
from ..injury.result import CriterionResult
from ..results.results import Results
from .built_in_classes import by_their_classes
from .free_riders import FreeRiderSummary, free_rider_summaries
from .rider_view import (
    Judgement,
    RiderJudgement,
    as_seated,
    by_margin,
    existing_tables,
    judge_riders,
    restraint_at,
    rider_history,
)
from .start import judged_from, start_note

PREFIX, SUFFIX = "seat/", "/acceleration"
AXES = ("Gx", "Gy", "Gz")


class LoadRange(Frozen):
    """Smallest and largest specific force along an axis of a seat, g."""

    least: float
    largest: float


class SeatSummary(Frozen):
    """A seat: its least margin (a part of the limit; None where nothing has one), the criterion that has it, the range
    of the loads along its axes (Gx, Gy, Gz; unfiltered), a note where it was not assessed, and what seat and restraint
    did to who sits there freely."""

    margin: float | None
    governing: CriterionResult | None
    loads: dict[str, LoadRange] = Field(default_factory=dict)
    note: str = ""
    free: FreeRiderSummary | None = None


@dataclass(frozen=True)
class SeatAssessment:
    """The criteria at a seat, least margin first; those whose limit is not meant for their load and those without a
    limit behind; free: what seat and restraint did to who sits there freely, if somebody does."""

    seat: str
    results: tuple[CriterionResult, ...]
    loads: dict[str, tuple[float, float]]
    note: str = ""
    free: FreeRiderSummary | None = None

    @property
    def governing(self) -> CriterionResult | None:
        """What is nearest to its limit, or furthest beyond."""
        return self.results[0] if self.results and self.results[0].judged else None

    @property
    def margin(self) -> float | None:
        """Its margin."""
        return None if self.governing is None else self.governing.margin

    def summary(self) -> SeatSummary:
        """In a few figures."""
        loads = {axis: LoadRange(least=low, largest=high) for axis, (low, high) in self.loads.items()}
        return SeatSummary(
            margin=self.margin, governing=self.governing, loads=loads, note=self.note, free=self.free
        )


def assessed_in(results: Results) -> tuple[str, ...]:
    """Paths of the seats that a run has the loads of, numbers in them counted as such."""
    found = [name for name in results.channels if name.startswith(PREFIX)]
    return tuple(sorted((name.removeprefix(PREFIX).removesuffix(SUFFIX) for name in found), key=_natural))


def _natural(text: str) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", text)
    return [(-1 if (number := natural(part)) is None else number, part) for part in parts]


def seat_history(results: Results, seat: str) -> History:
    """The history at a seat for the criteria: acceleration in g, seat axes, gravity in.

    Raises InputError when the run has no such seat, or it is too short.
    """
    channel = results.channels.get(f"{PREFIX}{seat}{SUFFIX}")
    if channel is None:
        raise InputError(f"the run has no loads at seat '{seat}'.")
    first = judged_from(results)
    return History(time=results.sample_time[first:], acceleration=channel.values[first:], body="seat")


def judged_history(results: Results, who: str, part: str) -> History:
    """The history behind a row of a judgement.

    Parameters
    ----------
    results
        The run.
    who, part
        A rider and a part of it, or a seat and "seat".

    Returns
    -------
    Its signals over time.

    Raises
    ------
    InputError
        When the run has none that can be judged.
    """
    return seat_history(results, who) if part == "seat" else rider_history(results, who, part)


def assess_seat(results: Results, seat: str, options: EvaluationOptions | None = None) -> SeatAssessment:
    """All criteria that the acceleration at one seat allows; those that need more are left out."""
    options, _ = existing_tables(as_seated(results, seat, options))
    try:
        history = seat_history(results, seat)
        found = evaluate_history(history, criterion_ids(options, "pelvis"), options)
        found = by_their_classes(found, history, restraint_at(results, seat), options)
    except InputError as error:
        return SeatAssessment(seat, (), {}, f"Not assessed: {error}")
    known = [one for one in found if one.value is not None]
    known.sort(key=lambda one: (one.margin is None, bool(one.apart), one.margin or 0.0))
    felt = history.acceleration
    loads = {
        axis: (float(np.min(felt[:, k])), float(np.max(felt[:, k]))) for k, axis in enumerate(AXES)
    }  # fmt: skip
    return SeatAssessment(seat, tuple(known), loads)


def assess_seats(results: Results, options: EvaluationOptions | None = None) -> tuple[SeatAssessment, ...]:
    """Every seat of a run that is assessed, or on which somebody sits freely.

    Parameters
    ----------
    results
        Of a run with such seats.
    options
        Restraint and tables that count, `project.evaluation`; by default those of a new project.

    Returns
    -------
    For each seat, in their order, the criteria that its acceleration allows, and the least and largest loads (g); one
    that cannot be assessed says why in `note`.
    """
    seats = {seat: assess_seat(results, seat, options) for seat in assessed_in(results)}
    for one in free_rider_summaries(results).values():
        seats[one.seat] = replace(seats.get(one.seat, SeatAssessment(one.seat, (), {})), free=one)
    return tuple(seats[seat] for seat in sorted(seats, key=_natural))


def worst_seat(seats: Sequence[SeatAssessment]) -> SeatAssessment | None:
    """The seat with the least margin; None where none has one."""
    known = [seat for seat in seats if seat.margin is not None]
    return min(known, key=lambda seat: seat.margin or 0.0, default=None)


def seat_judgements(seats: Sequence[SeatAssessment]) -> list[RiderJudgement]:
    """The criteria at all seats as rows of a judgement."""
    return [RiderJudgement(seat.seat, "seat", result) for seat in seats for result in seat.results]


class Verdicts(NamedTuple):
    """Every criterion on every rider and seat of a run, and the seats one by one."""

    judgement: Judgement
    seats: tuple[SeatAssessment, ...]


def judge_run(
    results: Results, options: EvaluationOptions | None = None, seats: Sequence[SeatAssessment] | None = None
) -> Judgement:
    """Every criterion on every rider and on every assessed seat of a run, least margin first.

    Parameters
    ----------
    results
        What came out.
    options
        Restraint, editions and what is counted; None for the usual.
    seats
        Those of the run, where they are assessed already.

    Returns
    -------
    The verdicts. A seat that could not be assessed gives one sentence.
    """
    own = judge_riders(results, options)
    seats = assess_seats(results, options) if seats is None else seats
    notes = tuple(f"{seat.seat}: {seat.note}" for seat in seats if seat.note)
    started = start_note(results) if seats and not own.rows else None
    notes = notes if started is None else (started, *notes)
    return Judgement(tuple(by_margin([*own.rows, *seat_judgements(seats)])), (*own.notes, *notes))
