"""The train on rails that give: run and steel one after the other until both agree.

A run on the rails as they are loads the steel; how the steel moves under the wheels, along the track, is where the
rails of the next run lie. That takes the mean of the wheels of a rail at a place, waves longer than CUTOFF, and a train
that goes forward and passes no place twice. The solver sees a path at rest, which takes nothing from the train; what
the wheels of a run give the steel by its moving (`rail_work`) is taken from the train in the next one, by a force
against the way of each wheel that does as much over every BOOKED seconds. So the ledger of the run has it as work of
applied forces, and run and steel together neither make nor lose energy, to what one round differs from the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..model.forces.force import AppliedForce
from ..model.functions import TableFunction
from ..model.placement import placed_model
from ..project.project import Project
from ..results.results import Results
from ..run.simulate import simulate
from ..track.as_built import Row
from ..track.build import BuiltTrack, build_track
from .framing import steel_frame
from .loads import loads_of_run
from .ride import RATE, SteelRide, TrainLoads, ride_over

Told = Callable[[float], None]
CUTOFF = 0.5  # m
SPACING = 0.1  # m
ROUNDS = 8
KEPT = 5  # rounds from which the next one is made
BOOKED = 0.05  # s, over which what the steel is given is taken from the train
GIVEN = "given to the steel"  # what the forces for it are called
SMALL = 1e-3  # of the largest difference between rounds: what is smaller says nothing
CRAWL = 0.25  # m/s: of a wheel that goes slower than some times this little is taken, or it would be held by spikes
RIDING = 0.6  # of a round, the rest is the steel
NEAR = 1e-4  # m; steps of the ride that fall otherwise leave some hundredths of a millimetre


class Round(NamedTuple):
    """One run and the steel under it: largest deflection under a wheel (m); by how much that differs at most from where
    the rails of the run lay (m); largest force of a wheel (N) and its largest difference from the round before (N;
    inf of the first); work (J) that the wheels give the steel, booked (J): that were taken from the train of the run
    for it; stored and damped (J): of the work, what is in the steel at the end and what was lost there."""

    deflection: float
    apart: float
    force: float
    changed: float
    work: float
    booked: float
    stored: float
    damped: float


class Staggered(NamedTuple):
    """The rounds, the last run, the loads of its wheels and the steel under them, and whether they agree to within
    `near` (m)."""

    rounds: tuple[Round, ...]
    results: Results
    loads: TrainLoads
    ride: SteelRide
    near: float
    agrees: bool

    def __repr__(self) -> str:
        return f"Staggered({len(self.rounds)} rounds, {'agree' if self.agrees else 'do not agree'})"

    @property
    def said(self) -> str:
        """How near run and steel have come, and what the wheels' work took from the train."""
        last = self.rounds[-1]
        return say(
            "Run and steel {agree} to {near:.2g mm}: after {count} {rounds} they are {apart:.2g mm} apart, where the"
            " track gives {deflection:.1f mm}. The wheels give the steel {work:.1f J} by its moving; {booked:.1f J}"
            " were taken from the train for it.",
            agree="agree" if self.agrees else "do not agree yet", near=self.near, count=len(self.rounds),
            rounds="rounds" if len(self.rounds) > 1 else "round", apart=last.apart, deflection=last.deflection,
            work=last.work, booked=last.booked,
        )  # fmt: skip


def staggered(
    project: Project,
    rate: float = RATE,
    *,
    rounds: int = ROUNDS,
    near: float = NEAR,
    on_block: Told | None = None,
) -> Staggered:
    """Ride a project until its track lies where its train pushes it, to within `near` (m), at most so many rounds.

    on_block: told from time to time which share (0 to 1) of all rounds is done; what it raises ends the rides. Raises
    InputError without a track, where the rails have a survey already, and as `simulate` and `ride_over`.
    """
    if project.track is None:
        raise InputError(f"{project.name}: has no track, and so none that gives.")
    if project.track.as_built.survey:
        raise InputError(
            f"{project.name}: its rails have a survey; remove it, as the deflection takes its place."
        )
    drawn = build_track(project.track)
    frame, rows = steel_frame(drawn, project.steelwork), np.zeros((0, 5))
    tried: list[tuple[Array, Array]] = []
    found: list[Round] = []
    before: TrainLoads | None = None
    drag = np.zeros((0, 0))
    for k in range(rounds):
        told = (lambda _: None) if on_block is None else partial(_tell, on_block, k, rounds)
        results = simulate(_held_back(_lying(project, rows), drag), on_progress=partial(_riding, told))
        loads = loads_of_run(project, results, drawn)
        ride = ride_over(frame, loads, rate, under=True, on_block=partial(_bending, told))
        now = loads.at(ride.time)
        moved = _along(results, project, drawn, now, ride)
        lay = _at(rows, moved[:, 0])
        apart = np.abs(moved[:, 1:] - lay)
        tried.append((lay, moved[:, 1:]))
        rows = np.column_stack([moved[:, 0], _nearer(tried[-KEPT:])])
        force = np.linalg.norm(now.force, axis=-1)
        changed = np.inf
        if before is not None:
            changed = float(np.abs(force - np.linalg.norm(before.at(ride.time).force, axis=-1)).max())
        assert ride.work is not None
        kept = ride.work
        found.append(
            Round(
                float(np.linalg.norm(ride.under, axis=-1).max()), float(apart.max()), float(force.max()), changed,
                float(kept.given[-1].sum()), _booked(now, drag), float(kept.stored[-1] - kept.stored[0]),
                float(kept.damped[-1]),
            )
        )  # fmt: skip
        before, drag = loads, _drag(ride, now)
        if found[-1].apart <= near:
            break
    return Staggered(tuple(found), results, loads, ride, near, found[-1].apart <= near)


def _tell(on_block: Told, done: int, rounds: int, part: float) -> None:
    """Tell which share of all rounds is done, of a part of the one under way."""
    on_block((done + part) / rounds)


def _riding(told: Told, part: float, *_: object) -> None:
    told(RIDING * part)


def _bending(told: Told, part: float) -> None:
    told(RIDING + (1.0 - RIDING) * part)


def _lying(project: Project, rows: Array) -> Project:
    """The project with its rails where rows of a survey say."""
    assert project.track is not None
    if not len(rows):
        return project
    survey: tuple[Row, ...] = tuple(map(tuple, rows.tolist()))
    rails = project.track.as_built.model_copy(update={"survey": survey, "cutoff": CUTOFF})
    return project.model_copy(update={"track": project.track.model_copy(update={"as_built": rails})})


def _nearer(tried: Sequence[tuple[Array, Array]]) -> Array:
    """Where the rails of the next round lie (n, 4) m: of the rounds' rails and what became of them the mix, of a sum of
    1, that would have come nearest to itself (Anderson 1965). On soft steel plain turns would drift apart."""
    last, became = tried[-1]
    if len(tried) == 1:
        return became
    off = became - last
    less = np.stack([(G - x - off).ravel() for x, G in tried[:-1]], axis=1)
    share, *_ = np.linalg.lstsq(less, -off.ravel(), rcond=SMALL)
    out: Array = became + sum(a * (G - became) for a, (_, G) in zip(share.tolist(), tried, strict=False))
    return out


def _drag(ride: SteelRide, loads: TrainLoads) -> Array:
    """Rows (n, 1 + k): instants, and the force (N) forward on each wheel that takes from it what it gives the steel."""
    assert ride.work is not None
    count = max(2, int(np.ceil(np.ptp(ride.time) / BOOKED)) + 1)
    edges = np.linspace(ride.time[0], ride.time[-1], count)
    wheels = range(loads.s.shape[1])
    given, gone = (
        np.diff(np.stack([np.interp(edges, ride.time, one[:, k]) for k in wheels], axis=1), axis=0)
        for one in (ride.work.given, loads.s)
    )
    force = -given * gone / (gone**2 + (CRAWL * (edges[1] - edges[0])) ** 2)
    return np.column_stack([0.5 * (edges[1:] + edges[:-1]), force])


def _booked(now: TrainLoads, drag: Array) -> float:
    """Work (J) that the forces of `_drag` have taken from the wheels."""
    from scipy.interpolate import CubicSpline  # not needed to show the window

    if len(drag) < 2:
        return 0.0
    force = CubicSpline(drag[:, 0], drag[:, 1:], bc_type="clamped")(
        np.clip(now.time, drag[0, 0], drag[-1, 0])
    )
    return -float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(now.s, axis=0)))


def _held_back(project: Project, drag: Array) -> Project:
    """The project with the forces of `_drag` on the bodies that its wheels are."""
    top = project.assembly
    if len(drag) < 2 or top is None:
        return project
    times, drawn = tuple(drag[:, 0].tolist()), placed_model(top)
    forces = []
    for k, (path, guide) in enumerate(top.every("guide").items()):
        body = "/".join([*path.split("/")[:-1], guide.body])
        forward = rotation_matrix(drawn.orientation[body])[0]  # in the axes of the body
        x, y, z = (
            TableFunction(times=times, values=tuple(values))
            for values in np.outer(forward, drag[:, 1 + k]).tolist()
        )
        forces.append(
            AppliedForce(
                name=f"{GIVEN} {k + 1}", body=body, point=guide.point, axes="body", components=(x, y, z)
            )
        )
    train = top.model_copy(update={"forces": (*top.forces, *forces)})
    return project.model_copy(update={"train": train})


def _at(rows: Array, s: Array) -> Array:
    """Columns of rows (n, 4) at stations; 0 without rows."""
    if not len(rows):
        return np.zeros((len(s), 4))
    return np.stack([np.interp(s, rows[:, 0], rows[:, k]) for k in range(1, 5)], axis=1)


def _along(
    results: Results, project: Project, built: BuiltTrack, loads: TrainLoads, ride: SteelRide
) -> Array:
    """Rows of a survey (n, 5): stations and how far each rail lies to the left and up under the wheels."""
    assert project.assembly is not None
    guides = project.assembly.every("guide")
    paths = [guides[name].path for name in results.names.guides]
    if np.ptp(loads.s, axis=0).max() > built.length and built.track.closed:
        raise InputError("The train passes places twice; let the ride end within a lap for rails that give.")
    grid = np.arange(0.0, built.length, SPACING)
    _, left, up = built.frame_at(grid)
    rows = np.zeros((len(grid), 5))
    rows[:, 0] = grid
    for first, rail in ((1, "left_rail"), (3, "right_rail")):
        own = [k for k, path in enumerate(paths) if path in (rail, "centreline")]
        for k in own:
            s = loads.s[:, k]
            further = np.concatenate([[True], np.diff(np.maximum.accumulate(s)) > 0.0])
            here, at, under = grid, s[further], ride.under[further, k]
            if built.track.closed:  # counted on over the seam, as the wheel does, and on to where it began
                here = grid + built.length * np.ceil((s[0] - grid) / built.length)
                at, under = np.append(at, s[0] + built.length), np.vstack([under, under[:1]])
            move = np.stack([np.interp(here, at, under[:, c]) for c in range(3)], axis=1)
            rows[:, first] += np.sum(move * left, axis=1) / len(own)
            rows[:, first + 1] += np.sum(move * up, axis=1) / len(own)
    return rows
