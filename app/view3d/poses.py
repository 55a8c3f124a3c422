"""Where every body is at a time: read from a run, or as drawn at the start when there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.base.arrays import Array
from ...core.base.frames import rotation_matrix
from ...core.multibody.flatten import Flat
from ...core.results.results import Results, States

if TYPE_CHECKING:
    from ...core.structure.skin import Skin
    from ...core.structure.surface import Surface


@dataclass(frozen=True)
class Bending:
    """How a flexible body bends in poses: its outside; centre (3,) m of its mass as described; modal coordinates (n,
    modes) m at the times of the poses."""

    skin: Skin | Surface
    centre: Array
    modal: Array


class Poses:
    """Positions and orientations of named bodies over time; times outside are held at the ends."""

    def __init__(
        self,
        names: tuple[str, ...],
        time: Array,
        position: Array,
        velocity: Array,
        orientation: Array,
        bends: Mapping[str, Bending] | None = None,
    ) -> None:
        """time (n,) s; position, velocity (n, nb, 3) m and m/s; orientation (n, nb, 4) Euler parameters; bends: of
        flexible bodies, where it is not that of the shown run."""
        self.names = names
        self.bends = bends or {}
        self.index = {name: k for k, name in enumerate(names)}
        self._time, self._position, self._velocity, self._orientation = time, position, velocity, orientation

    @staticmethod
    def of_run(results: Results) -> Poses:
        """The poses of a run."""
        s: States = results.states
        return Poses(results.names.bodies, s.time, s.position, s.velocity, s.orientation)

    @staticmethod
    def as_drawn(flat: Flat) -> Poses | None:
        """The pose in which a project is drawn; None when it has no bodies."""
        if not flat.names:
            return None
        position = np.array(flat.position)[None]
        still = np.zeros_like(position)
        return Poses(tuple(flat.names), np.zeros(1), position, still, np.array(flat.orientation)[None])

    def ball(self) -> tuple[Array, float]:
        """Centre (3,) m and radius (m) of a ball that all centres of mass stay in."""
        flat = self._position.reshape(-1, 3)
        centre = 0.5 * (flat.min(axis=0) + flat.max(axis=0))
        return centre, float(np.linalg.norm(flat - centre, axis=1).max())

    def sampled(self, most: int) -> list[tuple[Array, Array]]:
        """Positions and rotations as `at` has them, at no more instants than `most`, spread over all of them."""
        step = max(1, -(-len(self._time) // most))
        return [self.at(float(time)) for time in self._time[::step]]

    def at(self, time: float) -> tuple[Array, Array]:
        """Positions (nb, 3) m and rotation matrices (nb, 3, 3), body to world, at a time (s)."""
        t, k = self._time, self._before(time)
        if len(t) < 2:
            return self._position[0], rotation_matrix(self._orientation[0])
        h = float(t[k + 1] - t[k])
        x = float(np.clip((time - t[k]) / h, 0.0, 1.0)) if h > 0.0 else 1.0
        p0, p1 = self._position[k], self._position[k + 1]
        v0, v1 = self._velocity[k] * h, self._velocity[k + 1] * h
        rise = p1 - p0
        place = p0 + x * (v0 + x * (3.0 * rise - 2.0 * v0 - v1 + x * (v0 + v1 - 2.0 * rise)))
        q0, q1 = self._orientation[k], self._orientation[k + 1]
        sign = np.where(np.sum(q0 * q1, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
        q = (1.0 - x) * q0 + x * sign * q1
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        return place, rotation_matrix(q)

    def bent(self, name: str, time: float) -> Array:
        """Modal coordinates (modes,) m of a flexible body that `bends` at a time (s)."""
        q, t, k = self.bends[name].modal, self._time, self._before(time)
        if len(t) < 2:
            return np.asarray(q[0])
        x = float(np.clip((time - t[k]) / (t[k + 1] - t[k]), 0.0, 1.0))
        return np.asarray(q[k] + x * (q[k + 1] - q[k]))

    def _before(self, time: float) -> int:
        """The last instant at or before a time (s), but for the end."""
        t = self._time
        return int(np.clip(np.searchsorted(t, time, side="right") - 1, 0, max(len(t) - 2, 0)))
