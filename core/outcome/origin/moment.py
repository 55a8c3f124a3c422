"""The moment of a peak: section, arc length, curvature, cant, speed, and the suspension then and there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import InputError
from ...base.frozen import Frozen
from ...model.outputs import output_rows
from ...project.project import Project
from ...results.results import Results
from ...track.build import BuiltTrack, build_track
from ..finite import finite_figures
from ..rider_view import RiderJudgement

#: The ride filter shows slow changes this much later (s): 2.6131 / (2 pi 5 Hz).
RIDE_FILTER_DELAY = 0.08318


class SpringState(Frozen):
    """A force element of the car at a moment. length m or rad; travel: length less that without load (m or rad); force
    N or N m, positive in tension; contact only for stops: whether it pushes."""

    name: str
    kind: str
    unit: str
    length: float
    travel: float
    force: float
    contact: bool | None = None


class Origin(Frozen):
    """What was there when a value was reached.

    time s, that of the place: half the window, and for the ride filter its delay earlier than `shown` s, the instant at
    which the value stands in its signal and in lists of values. On a track: arc_length
    m of the car's origin, section, position (m, world), gradient (rad, positive uphill), curvature of the curve
    and its parts in the plane of the canted frame (1/m; lateral positive to the left, normal positive upward),
    radius m (None on a straight), cant rad (positive with the left side raised), cant_rate rad/m along the track
    and cant_speed rad/s at the speed ridden.
    speed m/s; nca and nca_rails m/s^2 of carbody and rail plane; roll of the carbody rad; felt: acceleration of
    the part (Gx, Gy, Gz) in g as recorded. springs: those of the car. What a run has not is None. notes say what
    to beware of.
    """

    rider: str
    part: str
    criterion: str
    value: float
    unit: str
    time: float
    shown: float
    car: str | None
    arc_length: float | None
    section: str | None
    position: tuple[float, float, float] | None
    gradient: float | None
    curvature: float | None
    curvature_lateral: float | None
    curvature_normal: float | None
    radius: float | None
    cant: float | None
    cant_rate: float | None
    cant_speed: float | None
    speed: float | None
    nca: float | None
    nca_rails: float | None
    roll: float | None
    felt: tuple[float, float, float] | None
    springs: tuple[SpringState, ...]
    notes: tuple[str, ...]


@finite_figures()
def explain(
    project: Project, results: Results, row: RiderJudgement, *, built: BuiltTrack | None = None
) -> Origin:
    """Track, speed and suspension at the moment of a value.

    project and results: of the run; row: the value, from `core.outcome.rider_view.judge_riders`; built: the track,
    when it is built already. Raises InputError for a value without a time.
    """
    value, at = row.result.value, moment_of(row, float(results.sample_time[0]))
    assert value is not None
    name = row.rider.split("/")[0]
    car = name if f"car/{name}/speed" in results.channels else None
    position = _channel(results, f"car/{car}/arc_length", at)
    here = None
    if position is not None and project.track is not None:
        here = built or build_track(project.track, ride=False)
    speed = _channel(results, f"car/{car}/speed", at)
    felt = results.channels.get(
        f"seat/{row.rider}/acceleration"
        if row.part == "seat"
        else f"rider/{row.rider}/{row.part}/acceleration"
    )
    shown = None
    if felt is not None:
        shown = tuple(float(np.interp(at, results.sample_time, column)) for column in felt.values.T)
    notes = []
    start, end = row.result.time or (at, at)
    if end - start > 1.0:
        notes.append(f"The value belongs to {end - start:.1f} s, here is the middle of them.")
    if row.result.signal.filter == "5 Hz":
        late = f"{RIDE_FILTER_DELAY * 1000:.0f} ms"
        notes.append(
            f"The ride filter shows the load {late} late; place, track and suspension are those at {at:.2f} s."
        )
    return Origin(
        rider=row.rider,
        part=row.part,
        criterion=row.result.criterion,
        value=value,
        unit=row.result.unit,
        time=at,
        shown=row.moment if row.moment is not None else at,
        car=car,
        arc_length=position,
        speed=speed,
        nca=_channel(results, f"car/{car}/nca", at),
        nca_rails=_channel(results, f"car/{car}/nca_rails", at),
        roll=_channel(results, f"car/{car}/roll", at),
        felt=shown,  # type: ignore[arg-type]
        springs=() if car is None or not len(results.states.time) else _springs(project, results, car, at),
        notes=tuple(notes),
        **_track(here, position, speed),
    )


def moment_of(row: RiderJudgement, start: float) -> float:
    """Time (s) at which the car was where the value comes from, not before the start (s) of the run.

    Raises InputError for a value without a time.
    """
    if row.result.value is None or row.moment is None:
        raise InputError(f"{row.result.title} has no value in this run, so it comes from nowhere.")
    late = RIDE_FILTER_DELAY if row.result.signal.filter == "5 Hz" else 0.0
    return max(row.moment - late, start)


def _channel(results: Results, name: str, time: float) -> float | None:
    found = results.channels.get(name)
    return None if found is None else float(np.interp(time, results.sample_time, found.values))


def _track(built: BuiltTrack | None, position: float | None, speed: float | None) -> dict[str, Any]:
    names = (
        "section",
        "position",
        "gradient",
        "curvature",
        "curvature_lateral",
        "curvature_normal",
        "radius",
    )
    if built is None or position is None:
        return dict.fromkeys((*names, "cant", "cant_rate", "cant_speed"))
    state = built.centreline.state([position])
    tangent, bend = state.tangent[0], state.curve[0, 2]
    size = float(np.linalg.norm(bend))
    rate = float(built.centreline.cant_rate([position])[0])
    return {
        "section": built.section_at(position),
        "position": tuple(float(x) for x in state.curve[0, 0]),
        "gradient": float(np.arcsin(np.clip(tangent[2], -1.0, 1.0))),
        "curvature": size,
        "curvature_lateral": float(bend @ state.left[0]),
        "curvature_normal": float(bend @ state.up[0]),
        "radius": 1.0 / size if size > 1e-9 else None,
        "cant": float(state.cant[0]),
        "cant_rate": rate,
        "cant_speed": None if speed is None else rate * speed,
    }


def _springs(project: Project, results: Results, car: str, time: float) -> tuple[SpringState, ...]:
    """Force elements of the car itself that have a coordinate and a load, riders left out."""
    described = None if project.assembly is None else project.assembly.at(car.split("/"))
    if described is None:
        return ()
    states, names, own = results.states, results.names.springs, described.own("force")
    out = []
    for name, row in output_rows(described).items():
        full = f"{car}/{name}"
        if full not in names or row.path not in own:
            continue
        k = names.index(full)
        length = float(np.interp(time, states.time, states.spring_length[:, k]))
        pull = float(np.interp(time, states.time, states.spring_force[:, k]))
        out.append(
            SpringState(
                name=name,
                kind=row.element.kind,
                unit=row.coordinate.unit,
                length=length,
                travel=length - row.origin,
                force=pull,
                contact=abs(pull) > 0.0 if row.type.events else None,
            )
        )
    return tuple(out)
