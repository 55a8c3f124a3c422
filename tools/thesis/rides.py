"""Both rides and every figure of theirs that a conclusion of the thesis speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ridewright.core.injury.criteria.hic import hic
from ridewright.core.injury.criteria.sustained import SustainedCurve, sustained_g
from ridewright.core.injury.limits import CurveSet, load_limits
from ridewright.core.injury.rider_axes import Direction
from ridewright.core.outcome.rider_view import Judgement, judge_riders, rider_history
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import BuiltTrack, build_track

Array = NDArray[np.float64]
TOLERANCE = "sustained_g_brulle"
DIRECTIONS: tuple[Direction, ...] = ("+Gx", "-Gx", "+Gy", "-Gy", "+Gz", "-Gz")
#: The thesis looks at the upper torso, and at the head for HIC and 3 ms.
BODY = "upper_torso"


@dataclass(frozen=True)
class ThesisRide:
    """A ride with what is drawn of it. last (m): where the unbraked last curves begin that the thesis disregards; None
    when all counts."""

    name: str
    title: str
    project: Project
    results: Results
    built: BuiltTrack
    judgement: Judgement
    last: float | None

    @property
    def time(self) -> Array:
        return self.results.sample_time

    @property
    def rider(self) -> str:
        return next(iter(self.results.names.riders))

    def car(self, name: str) -> Array:
        """A signal of the car on the sample grid."""
        return self.results.channels[f"car/{self.rider.split('/')[0]}/{name}"].values

    def acceleration(self, part: str = BODY) -> Array:
        """Acceleration (n, 3) g of a part in its own axes, gravity in."""
        return rider_history(self.results, self.rider, part).acceleration

    def held(self, direction: Direction) -> SustainedCurve:
        """g held against duration in a direction, of the upper torso, up to where the last curves begin."""
        keep = self.counted()
        limits = load_limits(TOLERANCE, CurveSet)
        return sustained_g(self.time[keep], self.acceleration()[keep], direction, limits)

    def counted(self) -> NDArray[np.bool_]:
        """The samples that count: all, or those before the last curves."""
        if self.last is None:
            return np.ones(self.time.size, dtype=bool)
        return np.asarray(self.car("arc_length") < self.last)

    def running_hic(self, window: float = 0.036, every: float = 0.05) -> tuple[Array, Array]:
        """Times (s) and HIC of the windows up to a length that begin within 50 ms of them."""
        a = np.linalg.norm(self.acceleration("head"), axis=1)
        rate = 1.0 / float(self.time[1] - self.time[0])
        step, reach = round(every * rate), round((every + window) * rate)
        starts = np.arange(0, a.size - reach, step)
        values = [hic(self.time[k : k + reach + 1], a[k : k + reach + 1], window).value for k in starts]
        return self.time[starts], np.array(values)

    def running_clip(self, width: float = 0.003) -> Array:
        """At every sample the resultant of the head held for 3 ms from there."""
        a = np.linalg.norm(self.acceleration("head"), axis=1)
        rate = 1.0 / float(self.time[1] - self.time[0])
        count = round(width * rate) + 1
        padded = np.concatenate([a, np.full(count - 1, a[-1])])
        return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, count).min(axis=1))


def ride(name: str) -> ThesisRide:
    """Ride a bundled example ("looping_star", "gatekeeper")."""
    project = load_example(name)
    results = simulate(project)
    assert project.track is not None
    built = build_track(project.track, ride=False)
    spans = [span for span in built.sections if "curve" in span.name.lower()]
    last = spans[-2].s0 if name == "looping_star" and len(spans) > 1 else None
    title = project.name
    return ThesisRide(name, title, project, results, built, judge_riders(results, project.evaluation), last)


def figures_of(r: ThesisRide) -> dict[str, float]:
    """Every number the comparison quotes, in SI units and g."""
    s, speed, time = r.car("arc_length"), r.car("speed"), r.time
    low = int(np.argmin(speed))
    out = {
        "length": r.built.length,
        "height": float(np.ptp(r.built.centreline.position(np.linspace(0, r.built.length, 2000))[:, 2])),
        "duration": float(time[-1] - time[0]),
        "speed_start": float(speed[0]),
        "speed_end": float(speed[-1]),
        "speed_least": float(speed[low]),
        "speed_least_at": float(s[low]),
        "speed_lost_percent": 100.0 * (1.0 - float(speed[-1] / speed[0])),
        "nca_rms": _rms(r.car("nca")),
        "nca_rails_rms": _rms(r.car("nca_rails")),
        "roll_rms_degrees": float(np.degrees(_rms(r.car("roll")))),
        "roll_largest_degrees": float(np.degrees(np.abs(r.car("roll")).max())),
        "bank_rate_rms": float(
            np.sqrt(np.mean(r.built.centreline.roll_rate(np.arange(0.0, r.built.length, 1.0)) ** 2))
        ),
    }
    held = {d: r.held(d) for d in DIRECTIONS}
    for direction, curve in held.items():
        key = {"+": "plus", "-": "minus"}[direction[0]] + direction[1:]
        k = curve.worst
        out[f"{key}_short"] = float(curve.level[0])
        if curve.limit is not None and curve.margin is not None:
            out[f"{key}_used_percent"] = 100.0 * (1.0 - float(curve.margin[k]))
            out[f"{key}_worst_duration"] = float(curve.duration[k])
    for criterion in ("hic36", "clip_3ms", "bric"):
        row = next(
            row for row in r.judgement.rows if row.part == "head" and row.result.criterion == criterion
        )
        out[criterion] = float(row.result.value or 0.0)
        out[f"{criterion}_at"] = float(row.moment or 0.0)
    out["guide_violation"] = float(np.abs(r.results.violations.guides).max())
    for prefix in ("f2291", "en13814"):
        # The onset in design stands beside the standard and is no clause of it.
        rows = [
            row.result
            for row in r.judgement.rows
            if row.result.criterion.startswith(prefix) and "_jerk_" not in row.result.criterion
        ]
        out[f"{prefix}_judged"] = float(sum(x.limit is not None for x in rows))
        out[f"{prefix}_outside"] = float(sum(x.verdict == "outside" for x in rows))
    onsets = [row.result for row in r.judgement.rows if "_jerk_" in row.result.criterion]
    out["design_onset_outside"] = float(sum(x.verdict == "outside" for x in onsets))
    seat = [row.result for row in r.judgement.rows if row.result.criterion == "eiband_+Gz_voluntary"]
    out["eiband_used_percent"] = max(100.0 * (1.0 - x.margin) for x in seat if x.margin is not None)
    return out | _nca_figures(r)


def _rms(x: Array) -> float:
    return float(np.sqrt(np.mean(x**2)))


def _nca_figures(r: ThesisRide) -> dict[str, float]:
    """What the tilting takes off: over all, on long and on short stretches of curve, and on the way up to 1200 m."""
    s, nca, rails = r.car("arc_length"), r.car("nca"), r.car("nca_rails")
    long, short = _curves(s, rails)
    out = {"nca_off_percent": 100.0 * (1.0 - _rms(nca) / _rms(rails))}
    for name, pieces in (("long", long), ("short", short)):
        if pieces:
            inside = np.concatenate([np.arange(a, b) for a, b in pieces])
            out[f"nca_off_{name}_percent"] = 100.0 * (1.0 - _rms(nca[inside]) / _rms(rails[inside]))
            out[f"nca_{name}_curves"] = float(len(pieces))
    near = (s > 1100.0) & (s < 1200.0)
    if near.any():
        out["nca_rails_before_1200"] = float(np.abs(rails[near]).max())
        out["nca_off_before_1200_percent"] = 100.0 * (
            1.0 - float(np.abs(nca[near]).max() / np.abs(rails[near]).max())
        )
    return out


def _curves(s: Array, rails: Array) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Stretches of more than 1.5 m/s^2 to one side in the rail plane: those over 30 m, and the others over 3 m."""
    side = np.where(np.abs(rails) > 1.5, np.sign(rails), 0.0)
    edges = np.flatnonzero(np.diff(side)) + 1
    borders = np.concatenate([[0], edges, [side.size]])
    found = [(int(a), int(b)) for a, b in pairwise(borders) if side[a] != 0.0 and b - a > 5]
    spans = [(a, b, float(s[b - 1] - s[a])) for a, b in found]
    return [(a, b) for a, b, d in spans if d > 30.0], [(a, b) for a, b, d in spans if 3.0 < d <= 30.0]
