"""Advancing the engines of a run to its end: whose turn it is, what ends the run, what is said of it then."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.sentence import say
from ..results.results import Status
from ..track.build import BuiltTrack
from ..track.device_spans import DeviceSpan
from . import genalpha, integration
from .buckling import buckled
from .contacts import passed_through, stiffest, too_deep
from .engine import Engine
from .first_car import FirstCar
from .integration import Log, Memory
from .scheme import Limits
from .seats import Thrown, status_of, thrown_off
from .standstill import Standstill, end_of_standing, standing, whereabouts
from .written_step import SLICE, grow, roomy_log, write_log

Progress = Callable[[float, float, float | None], None]
Show = Callable[[Sequence[tuple[Log, int]]], None]
STALL_SPEED = 0.02  # m/s
BACK = 5.0  # m, a train that far behind its start has rolled back


@dataclass(frozen=True)
class End:
    """When a run ends: time (s), latest; total: the time it is to last, None when a place ends it; open_end: that place
    is the end of the rails. devices: of its track; built and first (its first car): to say where it is."""

    time: float
    total: float | None
    open_end: bool = False
    devices: tuple[DeviceSpan, ...] = ()
    built: BuiltTrack | None = None
    first: FirstCar | None = None


@dataclass
class March:
    """An engine on its way, with a clock and a log of its own.

    place (ng,): arc length (m) at which each guide ends the run, inf for never; guides: how many must be past it; lost:
    name and push (N) of a coupling that has buckled, and what it bears; watched: rows of the log in which all riders
    sat.
    """

    engine: Engine
    place: Array
    guides: int
    memory: Memory
    limits: Limits
    log: Log
    explicit: Callable[[Log, int], int] | None
    over: bool = False
    lost: tuple[str, float, float] | None = None
    watched: int = 1

    @classmethod
    def begin(cls, engine: Engine, place: Array, guides: int, until: float) -> March:
        """At the start of a run that ends at a time (s) at the latest."""
        Y, P, log = engine.memory(), engine.limits(until), roomy_log(engine.system)
        write_log(engine.system.arrays, engine.work, Y, log, True)
        explicit = None
        if engine.settings.method != "generalized_alpha":
            # here, because the solvers of scipy that it brings along take longer to load than the first step does
            from .explicit import explicit_advance

            explicit = explicit_advance(engine, Y, P, place, guides)
        return cls(engine, place, guides, Y, P, log, explicit)

    @property
    def now(self) -> float:
        return float(self.memory.clock[integration.TIME])

    @property
    def rows(self) -> int:
        return int(self.memory.counts[integration.LOGGED])

    @property
    def path(self) -> Array:
        path: Array = self.memory.L[0, : self.engine.system.layout.guides]
        return path

    @property
    def path_speed(self) -> Array:
        speed: Array = self.memory.v[integration.U, self.engine.system.layout.paths]
        return speed

    def behind(self, until: float) -> bool:
        """Whether it has still to go on to reach a time (s)."""
        return not self.over and until - self.now > 1e-12 * max(1.0, until)

    def advance(self, until: float) -> int:
        """A slice of accepted steps, not beyond a time (s), or until a coupling buckles; the code of genalpha.advance.

        A coupling that is pushed so hard that it may buckle is looked at after each step.
        """
        counts = self.memory.counts
        last = int(counts[integration.ACCEPTED]) + SLICE
        code = integration.RUNNING
        while code == integration.RUNNING and not self.lost and counts[integration.ACCEPTED] < last:
            code = self._advance(until, last - int(counts[integration.ACCEPTED]))
            if code != integration.FULL:
                self.lost = buckled(self.engine.system, self.engine.work)
        return code

    def thrown(self) -> Thrown | None:
        """Who has left the seat in what was advanced last: all that is kept then ends with that instant."""
        gone = thrown_off(self.engine.system, self.log, self.watched, self.rows)
        self.watched = self.rows
        if gone is not None:
            self.over = True
            self.memory.counts[integration.LOGGED] = gone.row + 1
            self.memory.clock[integration.TIME] = self.log.t[gone.row]
            self.memory.L[0] = self.log.L[gone.row]
        return gone

    def _advance(self, until: float, steps: int) -> int:
        e = self.engine
        if self.explicit is not None:
            code = self.explicit(self.log, steps)
        else:
            if until != self.limits.t_end:
                self.limits = self.limits._replace(t_end=until)
            S, Y, P = e.system.arrays, self.memory, self.limits
            code = genalpha.advance(S, e.work, e.factor, Y, P, self.log, self.place, self.guides, steps)
        if code == integration.JUMPED:
            e.restart(self.memory, self.log)
            return integration.RUNNING
        if code == integration.PASSED:  # kept is what was still on its side
            self.memory.counts[integration.LOGGED] -= 1
            self.memory.clock[integration.TIME] = self.log.t[self.rows - 1]
        if code == integration.FULL:
            self.log = grow(self.log)
        elif code != integration.RUNNING:
            self.over = True
        return int(code)


def integrate(
    marches: Sequence[March],
    end: End,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
    show: Show | None = None,
) -> tuple[Status, float]:
    """Advance engines to the end of their run, always the one whose clock is furthest behind; returns the status and
    the time (s) of the end, beyond which some may have logged steps.

    The first one has the first car. show(logs): called after every slice with the logs and the rows written so far.
    """
    status: Status | None = None
    until, stalled_since = end.time, math.inf
    while True:
        march = min((m for m in marches if m.behind(until)), key=lambda m: m.now, default=None)
        if march is None:
            return status or _at_last(marches[0], end), until
        code = march.advance(until)
        gone = march.thrown()
        now = min(m.now for m in marches)
        if on_progress is not None:
            on_progress(_fraction(marches[0], end, now), now, end.total)
        if show is not None:
            show([(m.log, m.rows) for m in marches])
        if code == integration.FULL and gone is None:
            continue
        if march.lost is not None and status is None:
            return _buckled(march, end, *march.lost), march.now
        if gone is not None and (status is None or march.now < until):
            status, until = status_of(gone, march.now, _where(march, end)), march.now
        elif code in (integration.PATH_END, integration.STEP_TOO_SMALL, integration.PASSED):
            status, until = _ended(march, end, code), march.now
        if not any(m.behind(until) for m in marches):
            continue
        # not before all have taken a step: what is kept is what all of them have reached
        if should_stop is not None and now > 0.0 and should_stop():
            stopped = say("Stopped at t = {time:.3f s} as asked.", time=now)
            return Status("stopped", stopped, "What was computed is kept."), now
        if status is not None:
            continue
        found, over = _standing(marches, end, now)
        if over is not None:
            return over, now
        if found.what == "waiting":
            stalled_since = math.inf
            continue
        stalled_since, stalled = _stall(marches, end, stalled_since, now)
        if stalled:
            late = say(
                "The train {stalled} at t = {time:.2f s} before its end place.",
                stalled=_what_stalled(marches, end),
                time=now,
            )
            advice = "Start faster, lower the track ahead, or end the ride by time."
            return Status("stalled", late, advice), now


def figures_of(marches: Sequence[March]) -> dict[str, Any]:
    """What the integration took, all engines together, ready for the provenance of a run."""
    names = ("accepted", "rejected", "iterations", "factorisations")
    figures = {name: sum(int(m.memory.counts[k]) for m in marches) for k, name in enumerate(names)}
    return figures | ({"clocks": len(marches)} if len(marches) > 1 else {})


def _at_last(first: March, end: End) -> Status:
    """The status of a run whose time is over."""
    if end.total is not None:
        return Status("done", "The run reached its end.")
    late = say(
        "The end place was not reached within {limit:g s}; the train is{where}.",
        limit=end.time,
        where=_where(first, end),
    )
    return Status("stalled", late, "Start faster, or change the lifts and brakes ahead of that place.")


def _ended(march: March, end: End, code: int) -> Status:
    """The status with which an engine ends the run before its time."""
    if code == integration.STEP_TOO_SMALL:
        return _failure(march, end)
    if code == integration.PASSED:
        return _passed(march, end, int(march.engine.work.z_step[3]) - 1)
    if end.open_end:
        what = "The train" if march.engine.system.cars else "A guided body"
        return Status("end of track", f"{what} reached the end of the track.")
    return Status("done", "The run reached its end.")


def _buckled(march: March, end: End, name: str, push: float, bears: float) -> Status:
    """A coupling is looked at after each step: its push is beyond what it bears by what the last step has added, no
    more; both are told."""
    message = say(
        "Coupling '{name}' buckles at t = {time:.3f s}{where}: pushed with {push:.4g kN} its shanks have no balance"
        " that they keep; straight ones keep it up to {bears:.4g kN}.",
        name=name, time=march.now, where=_where(march, end), push=push, bears=bears,
    )  # fmt: skip
    advice = "Push less, shorten its shanks, or give them stiffer springs at their pins."
    return Status("failed", message, advice)


def _passed(march: March, end: End, pair: int) -> Status:
    return passed_through(march.engine.system, march.engine.work, pair, march.now, _where(march, end))


def _failure(march: March, end: End) -> Status:
    fixed = march.limits.fixed > 0.0
    deep = too_deep(march.engine.system, march.engine.work, march.memory.el)
    if deep is not None:
        return _passed(march, end, deep)
    what = "fixed step" if fixed else "step"
    stiff = stiffest(march.engine.system, march.engine.work)
    advice = (
        f"Contact '{stiff}' is too stiff for a step this short; give it less stiffness, or a softer law."
        if stiff
        else "Use a smaller fixed step or the error-controlled method."
        if fixed
        else "Loosen the tolerance, or look for a kink in the track or a jammed joint at this place."
    )
    place = say(", {s:.1f m} along the track", s=float(np.mean(march.path))) if len(march.path) else ""
    message = say(
        "No {what} converges any more at t = {time:.4f s}{place}.", what=what, time=march.now, place=place
    )
    return Status("failed", message, advice)


def _fraction(first: March, end: End, now: float) -> float:
    by_time = now / end.time
    known = np.isfinite(first.place)
    if not known.any():
        return min(1.0, by_time)
    start = first.engine.state.path[known]
    done = (first.path[known] - start) / np.maximum(first.place[known] - start, 1e-9)
    return float(min(1.0, max(by_time if end.total is not None else 0.0, float(np.min(done)))))


def _standing(marches: Sequence[March], end: End, now: float) -> tuple[Standstill, Status | None]:
    """How the train stands on devices of the track, and the status of the run if that ends it."""
    found = standing(np.concatenate([m.engine.work.device for m in marches]), end.devices, now)
    if found.what in ("moving", "waiting"):
        return found, None
    assert end.built is not None
    assert end.first is not None
    place = end.first.place(marches[0].path)
    return found, end_of_standing(found, end.built, place, now, end.total is not None)


def _stall(marches: Sequence[March], end: End, since: float, now: float) -> tuple[float, bool]:
    """A ride that must reach a place has stalled when every guide crawled for two seconds, or ran back."""
    if marches[0].guides == 0 or end.total is not None:
        return math.inf, False
    if _ran_back(marches):
        return since, True
    if max(float(np.max(np.abs(m.path_speed), initial=0.0)) for m in marches) > STALL_SPEED:
        return math.inf, False
    return min(since, now), now - min(since, now) > 2.0


def _ran_back(marches: Sequence[March]) -> bool:
    return all(bool(np.all(m.path < m.engine.state.path - BACK)) for m in marches)


def _what_stalled(marches: Sequence[March], end: End) -> str:
    how = "rolled back behind its start" if _ran_back(marches) else "came to rest"
    return say("{how}{where}", how=how, where=_where(marches[0], end))


def _where(first: March, end: End) -> str:
    """Where the train is, in words with a blank before them; empty off a track."""
    if end.built is None or end.first is None:
        return ""
    return say(" {where}", where=whereabouts(end.built, end.first.place(first.path)))
