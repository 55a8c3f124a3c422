"""What can be drawn of a run while it is computed, from the samples and the progress the solver reports."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...core.base.arrays import Array

MAX_SAMPLES = 2000  # samples in a curve; a long ride is thinned, for a curve has not more pixels


class Sample(Protocol):
    """One moment of a run as the solver tells it.

    time (s), speed (m/s) of the first car, nan without a train, and for each rider the load (3,) g in the head, in
    rider axes.
    """

    time: float
    speed: float
    rider_g: Mapping[str, ArrayLike]


@dataclass(frozen=True, eq=False)
class LiveCurve:
    """A run in progress.

    time (n,) s and the fraction (n,) done then; speed (n,) m/s, empty without a train; loads (n, 3) g of each rider's
    head.
    """

    time: ArrayLike
    fraction: ArrayLike
    speed: ArrayLike = ()
    loads: Mapping[str, Array] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether there is more to draw than how much is done."""
        return len(np.atleast_1d(self.speed)) > 0 or bool(self.loads)


class LiveRecorder:
    """Collects what one run tells."""

    def __init__(self) -> None:
        self._progress: list[tuple[float, float]] = []
        self._time: list[float] = []
        self._speed: list[float] = []
        self._loads: dict[str, list[Array]] = {}

    def add(self, fraction: float, now: float) -> None:
        """Note that the ride has reached `now` (s), a fraction of the whole."""
        if not self._progress or now > self._progress[-1][0]:
            self._progress.append((now, fraction))

    def take(self, sample: Sample) -> None:
        """Note a moment of the ride."""
        self._time.append(float(sample.time))
        self._speed.append(float(sample.speed))
        for rider, load in sample.rider_g.items():
            self._loads.setdefault(rider, []).append(np.asarray(load, dtype=float))

    def curve(self) -> LiveCurve:
        """What is known so far."""
        progress = np.array(self._progress or [(0.0, 0.0)], dtype=float)
        if not self._time:
            return LiveCurve(progress[:, 0], progress[:, 1])
        step = -(-len(self._time) // MAX_SAMPLES)
        whole = [rider for rider, loads in self._loads.items() if len(loads) == len(self._time)]
        time, speed = np.array(self._time[::step]), np.array(self._speed[::step])
        return LiveCurve(
            time,
            np.interp(time, progress[:, 0], progress[:, 1]),
            speed if np.isfinite(speed).all() else np.zeros(0),
            {rider: np.array(self._loads[rider][::step]) for rider in whole},
        )


def sampling(simulate: Callable[..., Any], take: Callable[[Sample], None]) -> dict[str, Any]:
    """The arguments that make a solver tell its samples; none for one that does not know how."""
    return {"on_sample": take} if "on_sample" in inspect.signature(simulate).parameters else {}
