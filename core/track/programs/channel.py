"""Channels: functions of one argument made of transitions between values, the material of every program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ...base.arrays import Array, Integers
from . import kernels

NARROWEST = 1e-9  # m or s; pieces narrower than this are jumps
SHAPES = {"linear": 0, "cubic": 1, "quartic": 2, "quintic": 3, "sine": 4, "plateau": 5}


@dataclass(frozen=True)
class Channel:
    """A piecewise function: over [edges[k], edges[k+1]] from start[k] by step[k] with a transition of kind[k].

    edges (n+1,) increasing; start, step (n,); kind (n,) see SHAPES; slope (n,): rate at the start of the piece in
    addition to that of the transition, running out over the piece.
    """

    edges: Array
    start: Array
    step: Array
    kind: Integers
    slope: Array

    @cached_property
    def table(self) -> Array:
        """The pieces as the kernels take them, (n, 7); see `kernels.channel_at`."""
        out = np.zeros((len(self.start), 7))
        out[:, 0], out[:, 1], out[:, 2] = self.edges[:-1], self.edges[1:], self.start
        out[:, 3], out[:, 4], out[:, 5] = self.step, self.kind, self.slope
        row = np.empty(4)
        for k in range(len(out) - 1):
            kernels.channel_at(out[k : k + 1], self.edges[k + 1], row)
            out[k + 1, 6] = row[3]
        return out

    @property
    def end(self) -> float:
        """Largest argument."""
        return float(self.edges[-1])

    @property
    def largest(self) -> float:
        """Largest absolute value at the ends of the pieces."""
        return float(max(np.abs(self.start).max(), np.abs(self.start + self.step).max()))

    def at(self, x: ArrayLike) -> Array:
        """Value, first and second derivative and integral from the first edge at x (n,): (n, 4)."""
        x = np.ascontiguousarray(np.atleast_1d(np.asarray(x, dtype=float)))
        out = np.empty((len(x), 4))
        kernels.channel_rows(self.table, x, out)
        return out

    def total(self) -> float:
        """Integral over the whole channel."""
        return float(self.at(self.end)[0, 3])


def channel(
    start: float, pieces: Sequence[tuple[float, float, str]], *, slope: float = 0.0, begin: float = 0.0
) -> Channel:
    """Channel from `start` through pieces (width, value at its end, transition); pieces without width are jumps.
    Of nothing but jumps comes a channel of the narrowest width, for whoever lays it to refuse.

    slope: rate at the beginning, which runs out over the first piece. A plateau ends where it began, so its value
    is the one it holds.
    """
    edges, starts, steps, kinds = [begin], [], [], []
    value = start
    for width, target, transition in pieces:
        if width > NARROWEST:
            edges.append(edges[-1] + width)
            starts.append(value)
            steps.append(target - value)
            kinds.append(SHAPES[transition])
        if transition != "plateau":
            value = target
    if not starts:
        edges, starts, steps, kinds = [begin, begin + NARROWEST], [value], [0.0], [SHAPES["linear"]]
    slopes = np.zeros(len(starts))
    slopes[0] = slope
    return Channel(
        np.array(edges), np.array(starts), np.array(steps), np.array(kinds, dtype=np.int64), slopes
    )


def constant(value: float, length: float) -> Channel:
    """Channel that holds one value over [0, length]."""
    return channel(value, [(length, value, "linear")])
