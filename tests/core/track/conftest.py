"""Shapes shared by the track tests, with closed forms or built from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track


def _spline_track(points: np.ndarray, cants: object = None, **fields: object) -> Track:
    """Track of one spline section; cants: None, one value or one (or None) for every point."""
    given = cants if isinstance(cants, list | tuple | np.ndarray) else [cants] * len(points)
    nodes = tuple(
        ControlPoint(x=float(p[0]), y=float(p[1]), z=float(p[2]), cant=None if c is None else float(c))
        for p, c in zip(points, given, strict=True)
    )
    return Track.model_validate({"name": "t", "sections": (SplineSection(name="a", points=nodes),), **fields})


@pytest.fixture(scope="session")
def spline_track() -> Callable[..., Track]:
    return _spline_track


def _general_points() -> np.ndarray:
    """Unevenly spaced points of a closed, twisted course about 190 m long without symmetry."""
    a = 2.0 * np.pi * (np.arange(22) + 0.3 * np.sin(1.0 + 2.1 * np.arange(22))) / 22
    return np.stack(
        [
            30.0 * np.cos(a) + 3.0 * np.cos(3 * a + 0.4),
            22.0 * np.sin(a + 0.2),
            6.0 * np.sin(2 * a + 0.7) + a * 0.0,
        ],
        axis=-1,
    )


@pytest.fixture(scope="session")
def general_points() -> np.ndarray:
    return _general_points()


@pytest.fixture(scope="session")
def general(general_points: np.ndarray) -> BuiltTrack:
    """The closed general course, banked differently at every point."""
    k = np.arange(len(general_points))
    return build_track(_spline_track(general_points, 0.1 - 0.6 * np.sin(0.8 * k), closed=True, gauge=1.1))


def _joined_track(**fields: object) -> Track:
    """Open course: an inclined straight eased into a turn, a straight piece inside the spline, a level straight."""
    turn = [
        {"x": 0.0, "y": 0.0, "z": 5.0, "cant": 0.0, "straight": True},
        {"x": 12.0, "y": 1.0, "z": 4.0, "cant": 0.0},
        {"x": 18.0, "y": 1.6, "z": 3.5, "cant": -0.1},
        {"x": 24.0, "y": 3.4, "z": 3.0, "cant": -0.4},
        {"x": 29.0, "y": 7.0, "z": 2.7, "cant": -0.5},
        {"x": 32.5, "y": 12.0, "z": 2.5, "cant": -0.2, "straight": True},
        {"x": 35.0, "y": 18.0, "z": 2.4, "cant": -0.2},
        {"x": 39.0, "y": 24.0, "z": 2.6, "cant": 0.3},
        {"x": 45.0, "y": 28.0, "z": 2.9, "cant": 0.1},
    ]
    data = {
        "name": "joined",
        "sections": [
            {"kind": "spline", "name": "turn", "points": turn},
            {"kind": "straight", "name": "run-out", "end": [60.0, 31.0, 3.3], "cant": 0.0},
        ],
        **fields,
    }
    return Track.model_validate(data)


@pytest.fixture(scope="session")
def joined_track() -> Callable[..., Track]:
    return _joined_track


@pytest.fixture(scope="session")
def joined() -> BuiltTrack:
    return build_track(_joined_track())


def _loop_points(radius: float = 8.0, lead: float = 24.0) -> tuple[np.ndarray, list[float | None]]:
    """A run-up along x, a planar vertical loop with a run-out, as points with cants (None near the vertical)."""
    flat = [[-lead + 4.0 * k, 0.0, 0.0] for k in range(round(lead / 4.0))]
    turn = np.linspace(0.0, 2.0 * np.pi, 17)
    loop = [[radius * np.sin(a), 0.25 * a, radius * (1.0 - np.cos(a))] for a in turn]
    out = [[4.0 * k, 0.25 * 2.0 * np.pi, 0.0] for k in range(1, 7)]
    cants: list[float | None] = [0.0] * len(flat)
    cants += [0.0 if np.cos(a) > 0.5 else np.pi if np.cos(a) < -0.5 else None for a in turn]
    return np.array(flat + loop + out), cants + [0.0] * len(out)


@pytest.fixture(scope="session")
def loop_points() -> tuple[np.ndarray, list[float | None]]:
    return _loop_points()
