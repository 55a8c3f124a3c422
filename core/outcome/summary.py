"""The summary of a run: what happened, in a few figures, for people and for programs (summary.json).

The layout is described in resources/guide/summary.md and kept stable: fields keep their names and meaning, new
ones are added, and VERSION rises only when an old reader would misread a new summary.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import numpy as np
from pydantic import Field

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.finding import Finding
from ..base.frozen import Frozen
from ..base.version import VERSION as PROGRAM_VERSION
from ..injury.limit_files import tables_as_they_are
from ..injury.parts import PARTS
from ..injury.result import CriterionResult, Verdict
from ..model.couplings import coupling_type
from ..project.project import Project, write_atomically
from ..project.sampling import channel_rate
from ..results.results import CONTACT_TERMS, Ledger, Results, cars_of, first_car_at
from ..track.build import build_track
from ..track.check import TrackReport, check_track
from .finite import finite_figures
from .free_riders import FreeRiderSummary, free_rider_summaries
from .headline import losses_text, top_speed, top_speed_at, verdict_counts, verdict_line
from .over_top import OverTop, over_top
from .rider_view import RiderJudgement, existing_tables, judge_part
from .run_findings import findings_of
from .seats import SeatSummary, assess_seats, seat_judgements, worst_seat
from .touches import Touches, touches_of_pairs, touches_of_riders
from .trains import RowSummary, rows_summary

VERSION: Final = 1
# Rows of criteria a rider gets in the text for a terminal, and the length of their titles.
SHOWN = 16
TITLE = 48
EVENT_WORDS = {
    "section": "section borders passed",
    "stop met": "stops met",
    "stop left": "stops left",
    "gap closed": "coupling gaps closed",
    "gap opened": "coupling gaps opened",
    "folds": "couplers folded",
    "unfolds": "couplers unfolded",
    "touch": "touches",
    "release": "releases",
    "rises": "levels passed upwards",
    "falls": "levels passed downwards",
}
ENERGY_TERMS = ("kinetic", "potential", "elastic", "dissipated", "drag", "driven")


class StatusSummary(Frozen):
    """How the run ended."""

    name: str
    complete: bool
    message: str
    advice: str


class ModelSummary(Frozen):
    """Size of the compiled model at its start pose."""

    bodies: int
    coordinates: int
    rows: int
    rank: int
    degrees_of_freedom: int
    redundant: tuple[str, ...]


class TimeSummary(Frozen):
    """Simulated time (s), stored instants of the motion, samples of the channels, their rate (Hz) and what was asked
    for where that is less than limits need."""

    start: float
    end: float
    instants: int
    samples: int
    sample_rate: float | None
    asked_rate: float | None = None


class Extreme(Frozen):
    """A largest or least value with its time (s) and, on a track, its place (m along the centreline)."""

    value: float
    time: float
    arc_length: float | None = None


class SpeedSummary(Frozen):
    """Speed of the first car in m/s; the largest forwards or backwards, as cover of the report and table of runs."""

    channel: str
    start: float
    least: Extreme
    largest: Extreme
    end: float


class EnergySummary(Frozen):
    """Energy in J. drift is the largest |ledger residual| divided by `reference`, the initial kinetic energy, or
    the largest one when the run starts at rest; None when nothing moves."""

    start: dict[str, float]
    end: dict[str, float]
    residual: Extreme
    reference: float
    reference_is: Literal["initial kinetic energy", "largest kinetic energy"]
    drift: float | None


class ViolationSummary(Frozen):
    """Largest constraint violations: joints and guides in m (or rad), velocity in m/s (or rad/s)."""

    joints: Extreme
    guides: Extreme
    velocity: Extreme


class PartSummary(Frozen):
    """The criteria on one part of a rider; `note` says why there are none."""

    body: str
    criteria: tuple[CriterionResult, ...] = ()
    note: str = ""


class PlacedExtreme(Extreme):
    """An extreme with the section of the track that the first car was on."""

    section: str | None = None


class CouplingSummary(Frozen):
    """A coupling: largest tension and compression (N; None: never pulled, never pushed), extension (m), angle between
    line and car (rad), and the work on its cars to the end (J). over: largest force over the rated one, if given."""

    model: str
    tension: PlacedExtreme | None
    compression: PlacedExtreme | None
    extension: PlacedExtreme
    yaw: PlacedExtreme
    work: float
    over: float | None = None


class EventSummary(Frozen):
    """Something that happened at an instant (s), and on a track its place (m along the centreline, over laps)."""

    kind: str
    name: str
    time: float
    arc_length: float | None = None


class Summary(Frozen):
    """What summary.json holds."""

    format: Literal["ridewright-summary"] = "ridewright-summary"
    version: Literal[1] = VERSION
    program: str
    project: str
    status: StatusSummary
    model: ModelSummary
    time: TimeSummary
    track: TrackReport | None
    speed: SpeedSummary | None
    energy: EnergySummary
    violations: ViolationSummary
    findings: tuple[Finding, ...] = ()
    events: tuple[EventSummary, ...] = ()
    couplings: dict[str, CouplingSummary] = Field(default_factory=dict)
    bunching: Extreme | None = None
    contacts: dict[str, Touches] = Field(default_factory=dict)
    touched_riders: dict[str, Touches] = Field(default_factory=dict)
    free_riders: dict[str, FreeRiderSummary] = Field(default_factory=dict)
    slid: dict[str, float] = Field(default_factory=dict)
    over_top: OverTop | None = None
    rows: tuple[RowSummary, ...] = ()
    seats: dict[str, SeatSummary] = Field(default_factory=dict)
    worst_seat: str | None = None
    checks: dict[Verdict, int] = Field(default_factory=dict)
    verdict: str = ""
    losses: str = ""
    riders: dict[str, dict[str, PartSummary]]


@finite_figures()
@tables_as_they_are()
def summarise(project: Project, results: Results) -> Summary:
    """The summary of a run.

    Parameters
    ----------
    project
        What was run.
    results
        What came out, complete or not.

    Returns
    -------
    The summary. Criteria a rider's signal cannot be judged by (a run stopped after a few steps) are left out with a
    note. Accelerations are in g, rider axes, as an accelerometer feels them; arc lengths are those of the first or
    the rider's car on the centreline.
    """
    status, size, time, grid = results.status, results.size, results.states.time, results.sample_time
    options, _ = existing_tables(project.evaluation)
    riders = {name: _rider(results, name, bodies, options) for name, bodies in results.names.riders.items()}
    judged = [
        RiderJudgement(name, part, result)
        for name, parts in riders.items()
        for part, one in zip(PARTS, parts.values(), strict=True)
        for result in one.criteria
    ]
    seats = assess_seats(results, project.evaluation)
    worst = worst_seat(seats)
    every = [*judged, *seat_judgements(seats)]
    span = float(grid[-1] - grid[0]) if len(grid) > 1 else 0.0
    return Summary(
        program=f"ridewright {PROGRAM_VERSION}",
        project=project.name,
        status=StatusSummary(
            name=status.name, complete=status.complete, message=status.message, advice=status.advice
        ),
        model=ModelSummary(
            bodies=size.bodies,
            coordinates=size.coordinates,
            rows=size.rows,
            rank=size.rank,
            degrees_of_freedom=size.degrees_of_freedom,
            redundant=size.redundant,
        ),
        time=TimeSummary(
            start=float(time[0]),
            end=float(time[-1]),
            instants=len(time),
            samples=len(grid),
            sample_rate=(len(grid) - 1) / span if span > 0.0 else None,
            asked_rate=project.settings.sample_rate
            if channel_rate(project) > project.settings.sample_rate
            else None,
        ),
        track=None if project.track is None else check_track(project.track),
        speed=_speed(results),
        energy=energy_summary(results),
        violations=ViolationSummary(
            joints=_extreme(results, results.violations.joints),
            guides=_extreme(results, results.violations.guides),
            velocity=_extreme(results, results.violations.velocity),
        ),
        findings=findings_of(results, project),
        events=tuple(
            EventSummary(kind=e.kind, name=e.name, time=e.time, arc_length=e.place) for e in results.events
        ),
        couplings=couplings_summary(project, results),
        bunching=_bunching(project, results),
        contacts={name: one for name, one in touches_of_pairs(results).items() if one.count},
        touched_riders=touches_of_riders(results),
        free_riders=free_rider_summaries(results),
        slid=results.provenance.get("assembly", {}).get("slid", {}),
        over_top=over_top(project, results),
        rows=rows_summary(project, results, judged),
        seats={seat.seat: seat.summary() for seat in seats},
        worst_seat=None if worst is None else worst.seat,
        checks=verdict_counts(every),
        verdict=verdict_line(every),
        losses=losses_text(project)[0],
        riders=riders,
    )


def write_summary(summary: Summary, path: str | Path) -> None:
    """Write summary.json.

    Parameters
    ----------
    summary
        What is written.
    path
        The file.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    write_atomically(Path(path), summary.model_dump_json(indent=1) + "\n")


def _extreme(results: Results, values: Array) -> Extreme:
    """The entry of largest size at the stored instants."""
    k = int(np.argmax(np.abs(values)))
    time = float(results.states.time[k])
    return Extreme(value=float(values[k]), time=time, arc_length=first_car_at(results, time))


def _speed(results: Results) -> SpeedSummary | None:
    cars = cars_of(results)
    if not cars:
        return None
    name = f"car/{cars[0]}/speed"
    speed = results.channels[name].values

    def at(k: int) -> Extreme:
        time = float(results.sample_time[k])
        return Extreme(value=float(speed[k]), time=time, arc_length=first_car_at(results, time))

    return SpeedSummary(
        channel=name,
        start=float(speed[0]),
        least=at(int(np.argmin(speed))),
        largest=at(top_speed_at(results) or 0).model_copy(update={"value": top_speed(results) or 0.0}),
        end=float(speed[-1]),
    )


def couplings_summary(project: Project, results: Results) -> dict[str, CouplingSummary]:
    """The couplings of the train of a run, from their channels."""
    out: dict[str, CouplingSummary] = {}
    if project.assembly is None or not project.assembly.couplings:
        return out
    built = None if project.track is None else build_track(project.track, ride=False)

    def placed(found: Extreme) -> PlacedExtreme:
        section = None if built is None or found.arc_length is None else built.section_at(found.arc_length)
        return PlacedExtreme(**dict(found), section=section)

    for coupling in project.assembly.couplings:
        prefix = f"coupling/{coupling.name}/"
        if prefix + "force" not in results.channels:
            continue
        force = results.channels[prefix + "force"].values
        tension, compression = float(force.max()), float(force.min())
        work = results.channels[prefix + "work"].values
        yaw = np.stack([results.channels[f"{prefix}yaw_{side}"].values for side in "ij"], axis=1)
        side = int(np.argmax(np.abs(yaw).max(axis=0)))
        out[coupling.name] = CouplingSummary(
            model=coupling_type(coupling).word,
            tension=placed(_sampled(results, force, int(np.argmax(force)))) if tension > 0.0 else None,
            compression=placed(_sampled(results, force, int(np.argmin(force))))
            if compression < 0.0
            else None,
            extension=placed(_largest(results, results.channels[prefix + "extension"].values)),
            yaw=placed(_largest(results, yaw[:, side])),
            work=float(work[-1]),
            over=None if coupling.rating is None else max(tension, -compression) / coupling.rating,
        )
    return out


def _bunching(project: Project, results: Results) -> Extreme | None:
    """The train's length beyond its free length where that differs most: the sum of the extensions."""
    train = project.assembly
    every = [] if train is None else [f"coupling/{c.name}/extension" for c in train.couplings]
    known = [results.channels[name].values for name in every if name in results.channels]
    return _largest(results, np.sum(known, axis=0)) if known else None


def _largest(results: Results, values: Array) -> Extreme:
    return _sampled(results, values, int(np.argmax(np.abs(values))))


def _sampled(results: Results, values: Array, k: int) -> Extreme:
    time = float(results.sample_time[k])
    return Extreme(value=float(values[k]), time=time, arc_length=first_car_at(results, time))


@finite_figures()
def energy_summary(results: Results) -> EnergySummary:
    """Energies at both ends (J) and how far the ledger of a run closes."""
    ledger: Ledger = results.energy
    initial, largest = float(ledger.kinetic[0]), float(ledger.kinetic.max())
    # At rest means: what moves at the start is nothing beside what moves later.
    at_rest = initial <= 1e-9 * largest
    reference = largest if at_rest else initial
    residual = _extreme(results, ledger.residual)
    terms = (*ENERGY_TERMS, *(term for term in CONTACT_TERMS if getattr(ledger, term).any()))
    return EnergySummary(
        start={term: float(getattr(ledger, term)[0]) for term in terms},
        end={term: float(getattr(ledger, term)[-1]) for term in terms},
        residual=residual,
        reference=reference,
        reference_is="largest kinetic energy" if at_rest else "initial kinetic energy",
        drift=abs(residual.value) / reference if reference > 0.0 else None,
    )


def _rider(
    results: Results, rider: str, bodies: dict[str, str], options: EvaluationOptions
) -> dict[str, PartSummary]:
    judged: dict[str, PartSummary] = {}
    for part in PARTS:
        try:
            criteria, note = judge_part(results, rider, part, options), ""
        except InputError as error:
            criteria, note = (), f"Not judged: {error}"
        judged[part] = PartSummary(body=bodies.get(part, ""), criteria=criteria, note=note)
    return judged
