"""What a drag of one point costs: geometry and point ride of a 1,300 m track with 100 points, against everything."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track
from tests.benchmarks import measure

POINTS = 100
REPEATS = 41
GOAL_MS = 6.0  # point ride and geometry, on every move of the mouse
SHIFT = 1e-3  # m, so that no build sees the same track twice


def resampled() -> Track:
    """GateKeeper through 100 points in ten sections, about 1,300 m, with the cants it has there."""
    built = build_track(load_example("gatekeeper").track, ride=False)
    state = built.centreline.state(np.arange(POINTS) * (built.length / POINTS))
    level = np.hypot(state.tangent[:, 0], state.tangent[:, 1]) > 0.5
    nodes = [
        ControlPoint(x=float(x), y=float(y), z=float(z), cant=float(cant) if flat else None)
        for (x, y, z), cant, flat in zip(state.curve[:, 0], state.cant, level, strict=True)
    ]
    sections = tuple(
        SplineSection(name=f"section {k + 1}", points=tuple(nodes[10 * k : 10 * k + 10])) for k in range(10)
    )
    return Track(name="GateKeeper, 100 points", closed=True, sections=sections)


def dragged(track: Track, move: int) -> Track:
    """The track with a point in its middle moved a little, differently for every move."""
    section = track.sections[5]
    assert isinstance(section, SplineSection)
    points = list(section.points)
    points[4] = points[4].model_copy(update={"z": points[4].z + SHIFT * (move + 1)})
    sections = list(track.sections)
    sections[5] = section.model_copy(update={"points": tuple(points)})
    return track.model_copy(update={"sections": tuple(sections)})


def median_ms(call: Callable[[int], Any], repeats: int = REPEATS) -> float:
    """Median CPU milliseconds over calls with a running number."""
    call(0)
    taken = []
    for move in range(1, repeats + 1):
        started = time.process_time()
        call(move)
        taken.append(time.process_time() - started)
    return 1e3 * statistics.median(taken)


def main() -> None:
    """Print and store the figures."""
    track = resampled()
    tracks = [dragged(track, move) for move in range(REPEATS + 1)]
    # over the hills without stalling, so that the whole track is ridden
    settings = PointRideSettings(speed=33.0, mu=0.0)
    built: BuiltTrack = build_track(track, ride=False)
    ride = preview_ride(built, settings)
    geometry = median_ms(lambda move: build_track(tracks[move], ride=False))
    preview = median_ms(lambda _: preview_ride(built, settings))
    both = median_ms(lambda move: preview_ride(build_track(tracks[move], ride=False), settings))
    everything = median_ms(lambda move: build_track(tracks[move], ride=True), 9)
    precise = median_ms(lambda _: ride_point(built, settings), 9)
    rows = [
        ("geometry, build_track(ride=False)", geometry),
        ("point ride, preview_ride", preview),
        ("both, as on a drag", both),
        ("point ride, precise", precise),
        ("everything, build_track(ride=True)", everything),
    ]
    print(measure.table(("what", "median CPU ms"), rows))
    print(
        f"  {built.length:.0f} m, {POINTS} points, {len(ride.s)} samples; everything / drag = {everything / both:.1f}"
    )
    measure.write(
        "preview",
        {
            "length_m": built.length,
            "points": POINTS,
            "samples": len(ride.s),
            "status": ride.status,
            "median_ms": dict(rows),
            "everything_over_drag": everything / both,
            "goals": [
                measure.goal(f"geometry and point ride within {GOAL_MS:g} ms: {both:.2f} ms", both <= GOAL_MS)
            ],
        },
    )
