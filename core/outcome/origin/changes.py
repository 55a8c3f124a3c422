"""Small changes of a ride: more speed, more cant about a place, wider curves, stiffer or harder damped suspension.

Each takes what is ridden and gives it back changed; nothing of the project is touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.arrays import Array
from ...base.fields import told
from ...model.assembly import Assembly
from ...model.forces import Force
from ...multibody.compile import State
from ...project.project import Project
from ...track.build import BuiltTrack
from ...track.centreline import Centreline, RollLaw
from ...track.frames import frenet_blends
from ...track.roll import septic

STIFFNESS = ("N/m", "N m/rad")
DAMPING = ("N s/m", "N m s/rad")


@dataclass(frozen=True)
class Bump:
    """More cant about a place: full from s1 to s2 (m), nothing before s0 and after s3, smooth to the third
    derivative."""

    s0: float
    s1: float
    s2: float
    s3: float

    def pieces(self, angle: float) -> tuple[tuple[float, float, Array], ...]:
        """Start and end (m) and polynomial (8,) ascending in the distance from the start (m), rad."""
        none, full = np.zeros(4), np.array([angle, 0.0, 0.0, 0.0])
        flat = np.zeros(8)
        flat[0] = angle
        return (
            (self.s0, self.s1, septic(self.s1 - self.s0, none, full)),
            (self.s1, self.s2, flat),
            (self.s2, self.s3, septic(self.s3 - self.s2, full, none)),
        )


def bump_around(position: float, speed: float) -> Bump:
    """The stretch over which the cant is changed for a peak at a position (m) passed at a speed (m/s).

    Full from 0.5 s before to 0.25 s after (at least 5 m each), ramps of 0.75 s (at least 10 m): what acts on the
    rider at the peak has the changed cant, and the ramps turn the train slowly.
    """
    ramp = max(10.0, 0.75 * speed)
    first, last = position - max(5.0, 0.5 * speed), position + max(5.0, 0.25 * speed)
    return Bump(first - ramp, first, last, last + ramp)


def with_cant(built: BuiltTrack, bump: Bump, angle: float) -> BuiltTrack:
    """The track with its cant changed by an angle (rad, left side up) over a stretch; the curve itself stays."""
    line = built.centreline
    law = line.roll_law
    for start, end, coef in bump.pieces(angle):
        for part in _laps(line, start, end):
            law = _added(law, part[0], part[1], _shifted(coef, part[2]))
    return _rebuilt(built, line.with_roll(law))


def _laps(line: Centreline, start: float, end: float) -> list[tuple[float, float, float]]:
    """Parts (from, to, distance of `from` from the start) of a stretch inside [0, length]; a closed track goes
    round."""
    length = line.length
    shifts = [0.0]
    if line.closed:
        lap = float(np.floor(start / length)) * length
        shifts = [lap, lap + length]
    parts = []
    for shift in shifts:
        a, b = max(start - shift, 0.0), min(end - shift, length)
        if b - a > 1e-9:
            parts.append((a, b, a + shift - start))
    return parts


def _shifted(coef: Array, x0: float) -> Array:
    """The polynomial in x - x0 instead of x."""
    return np.asarray(np.polynomial.Polynomial(coef)(np.polynomial.Polynomial([x0, 1.0])).coef, dtype=float)


def _padded(coef: Array) -> Array:
    out = np.zeros(8)
    out[: len(coef)] = coef[:8]
    return out


def _added(law: RollLaw, start: float, end: float, coef: Array) -> RollLaw:
    """The roll law plus a polynomial in s - start over [start, end], which lies inside the track."""
    borders = np.unique(np.concatenate([law.s, [start, end]]))
    keep = np.append(np.diff(borders) > 1e-9, True)
    keep[0] = True
    borders = borders[keep]
    borders[-1] = law.s[-1]
    rows, modes = [], []
    for a, b in pairwise(borders):
        k = int(np.clip(np.searchsorted(law.s, 0.5 * (a + b), side="right") - 1, 0, len(law.mode) - 1))
        row = _padded(_shifted(law.coef[k], a - law.s[k]))
        if start < 0.5 * (a + b) < end:
            row = row + _padded(_shifted(coef, a - start))
        rows.append(row)
        modes.append(law.mode[k])
    return RollLaw(borders, np.array(modes, dtype=np.int64), np.array(rows))


def scaled(built: BuiltTrack, factor: float, centre: Array) -> BuiltTrack:
    """The track with every length but its gauge multiplied by a factor about a point (3,) m: all radii grow alike."""
    line = built.centreline
    coef = line.coef * factor
    coef[:, 0] += (1.0 - factor) * centre
    law = line.roll_law
    powers = factor ** -np.arange(8.0)
    larger = replace(
        line,
        coef=coef,
        cell_s=line.cell_s * factor,
        roll_law=RollLaw(law.s * factor, law.mode, law.coef * powers),
    )
    changed = _rebuilt(built, larger)
    spans = tuple(replace(x, s0=x.s0 * factor, s1=x.s1 * factor) for x in built.sections)
    stations = tuple(replace(x, s=x.s * factor) for x in built.stations)
    return replace(changed, sections=spans, stations=stations)


def _rebuilt(built: BuiltTrack, line: Centreline) -> BuiltTrack:
    blends = frenet_blends(line) if built.blends is not None else None
    return replace(built, centreline=line, blends=blends)


def moved_state(
    state: State, guides: tuple[str, ...], old: BuiltTrack, new: BuiltTrack, shift: float = 0.0
) -> State:
    """A state carried from one track to another that runs through the same places but for small changes.

    guides: path name of each guide; shift (m): how much further along the centreline of the new track the same places
    lie. Distances within the train are kept.
    """
    path = state.path.copy()
    for k, position in enumerate(places_of(state, guides, old)):
        name = guides[k]
        path[k] = position + shift if name == "centreline" else new.rails[name].to_rail([position + shift])[0]
    return replace(state, path=path)


def places_of(state: State, guides: tuple[str, ...], built: BuiltTrack) -> Array:
    """Arc length (m) of the centreline at each guide."""
    positions = state.path.copy()
    for k, name in enumerate(guides):
        if name != "centreline":
            positions[k] = built.rails[name].to_centreline(positions[[k]])[0]
    return positions


def faster(state: State, factor: float) -> State:
    """The state with every velocity multiplied by a factor."""
    return replace(state, u=state.u * factor)


def with_suspension(project: Project, *, stiffness: float = 1.0, damping: float = 1.0) -> Project:
    """The project with stiffness and damping of every spring of the cars multiplied; riders and stops stay."""
    if project.train is None:
        return project

    def change(part: Assembly) -> dict[str, Any]:
        return (
            {}
            if part.role == "rider"
            else {"forces": tuple(_scaled(f, stiffness, damping) for f in part.forces)}
        )

    return project.model_copy(update={"train": project.train.each(change)})


def _scaled(force: Force, stiffness: float, damping: float) -> Force:
    """A force element with what is a stiffness or a damping by its unit multiplied, curves of force over length too."""
    factors = {**dict.fromkeys(STIFFNESS, stiffness), **dict.fromkeys(DAMPING, damping)}
    fields: dict[str, Any] = {}
    for name, info in type(force).model_fields.items():
        value = getattr(force, name)
        factor = factors.get(str(told(info, "unit")).split(",")[0])
        if factor is not None:
            fields[name] = _times(value, factor)
        elif [unit for _, unit in told(info, "columns", ())] == ["m", "N"]:
            fields[name] = tuple((x, y * stiffness) for x, y in value)
    return force.model_copy(update=fields)


def _times(value: Any, factor: float) -> Any:
    return tuple(_times(part, factor) for part in value) if isinstance(value, tuple) else value * factor


def has_springs(project: Project) -> bool:
    """Whether a car of the train, or what joins them, has a spring that can be made stiffer."""
    if project.train is None:
        return False
    return any(
        force.enabled and _scaled(force, 2.0, 1.0) != force
        for _, part in project.train.walk()
        if part.role != "rider"
        for force in part.forces
    )
