"""What a wheel bends between two ties: each rail as a beam over many equal spans, beside the bending of the frame.

The frame's beams stand for spine, rails and ties as one; at their nodes they know what the whole bears. A wheel bends
its rail between two ties besides. Of a beam that runs on over ties that do not give, moments die down from tie to tie
by 3^(1/2) - 2; a wheel in the middle makes 0.171 P p there and -0.079 P p at the ties beside it (theorem of three
moments). A wheel's share of the rails is statics of the two: forces down by its moment about the track, those aside on
either rail, as side wheels press one at a time.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from .frame import SteelFrame
from .ride import TrainLoads

DECAY = np.sqrt(3.0) - 2.0
OWN = 2.0 + np.sqrt(3.0)  # of the moment at a tie beside a wheel: 4 + DECAY
REACH = 4.0  # panels, beyond which less than 0.1 % is left
FINE = 24.0  # instants a panel, at the highest speed
BLOCK = 4096  # instants at once
PLACES = ("at a tie", "between two ties")
AROUND = 8  # fibres of a rail


def influence(u: Array) -> Array:
    """Moment (n, 2) at a tie, and in the middle of the span behind it, for 1 N at u (n,) panels from that tie, sagging
    positive, of a panel of 1 m."""
    span = np.floor(u)
    a = u - span
    left, right = a * (1.0 - a) * (2.0 - a), a * (1.0 - a) * (1.0 + a)
    nearer, farther = ((right - OWN * left), (left - OWN * right)) / (OWN**2 - 1.0)

    def tie(k: int) -> Array:
        behind = span - k  # how many spans the wheel's is ahead of the tie's
        ahead = np.where(behind >= 0.0, behind, -behind - 1.0)
        out: Array = DECAY**ahead * np.where(behind >= 0.0, nearer, farther)
        return out

    first, second = tie(0), tie(1)
    simple = np.where(span == 0.0, 0.5 * np.minimum(a, 1.0 - a), 0.0)
    return np.stack([first, 0.5 * (first + second) + simple], axis=-1)


class Bent(NamedTuple):
    """Of one beam of the track: instants (n,) by their numbers at which wheels bend its rails, and moments (n, 2, 3)
    N m at the tie where it begins and in the middle of the panel behind: of the left and the right rail down, and of
    either aside."""

    at: Integers
    moment: Array


class RailBending:
    """Wheels that bend the rails of a frame between ties: time (n,) s, as fine as the panels ask for."""

    def __init__(self, frame: SteelFrame, loads: TrainLoads) -> None:
        self.frame = frame
        panel = min(one.panel for one in frame.rails)
        speed = np.abs(np.diff(loads.s, axis=0) / np.diff(loads.time)[:, None]).max(initial=1e-3)
        count = max(2, int(np.ceil(np.ptp(loads.time) * speed * FINE / panel)) + 1)
        self.time = np.linspace(loads.time[0], loads.time[-1], count)
        blocks = [
            self._entries(loads.at(self.time[first : first + BLOCK]), first)
            for first in range(0, count, BLOCK)
        ]
        at, s, force = (np.concatenate(one) for one in zip(*blocks, strict=True))
        order = np.argsort(s, kind="stable")
        self._at, self._s, self._force = at[order], s[order], force[order]

    def _entries(self, loads: TrainLoads, first: int) -> tuple[Integers, Array, Array]:
        """Every wheel at every instant: its number, where it is (m), and what it presses the left and the right rail
        down with, and aside (N)."""
        frame, (n, k) = self.frame, loads.s.shape
        last = frame.stations[-1]
        s = np.mod(loads.s, last) if frame.closed else loads.s
        s = s.ravel()
        beam = np.clip(np.searchsorted(frame.stations, s, side="right") - 1, 0, len(frame.stations) - 2)
        half, z = np.array([(one.half, one.z) for one in frame.rails])[beam].T
        bays = frame.bays
        x = (s - frame.stations[beam]) / np.diff(frame.stations)[beam]
        centre = bays.start[beam] + (x * bays.length[beam])[:, None] * bays.axes[beam, :, 0]
        force, point = loads.force.reshape(-1, 3), loads.point.reshape(-1, 3)
        turning = np.cross(point - centre, force) + loads.moment.reshape(-1, 3)
        along = np.einsum("nij,ni->nj", bays.axes[beam], force)
        roll = np.einsum("ni,ni->n", bays.axes[beam, :, 0], turning) + z * along[:, 1]
        down = -0.5 * along[:, 2, None] + np.stack([-roll, roll], axis=1) / (2.0 * half[:, None])
        return np.repeat(np.arange(first, first + n), k), s, np.column_stack([down, along[:, 1]])

    def of(self, beam: int) -> Bent:
        """What wheels bend at a beam of the track."""
        rails, frame = self.frame.rails[beam], self.frame
        start, reach = float(frame.stations[beam]), REACH * rails.panel
        laps = (-frame.stations[-1], 0.0, frame.stations[-1]) if frame.closed else (0.0,)
        at, bent = [], []
        for lap in laps:
            low, high = np.searchsorted(
                self._s, [start - reach - lap, start + reach + rails.panel - lap]
            ).tolist()
            u = (self._s[low:high] + lap - start) / rails.panel
            at.append(self._at[low:high])
            bent.append(rails.panel * influence(u)[:, :, None] * self._force[low:high, None, :])
        instants, which = np.unique(np.concatenate(at), return_inverse=True)
        moment = np.zeros((len(instants), 2, 3))
        np.add.at(moment, which, np.concatenate(bent))
        return Bent(instants, moment)

    @cached_property
    def largest(self) -> Array:
        """Of every beam of the track what a rail is bent by at most (beams,) N m, down and aside together."""
        out = np.zeros(len(self.frame.rails))
        for beam in range(len(out)):
            moment = np.abs(self.of(beam).moment)
            out[beam] = np.hypot(moment[..., :2].max(axis=-1), moment[..., 2]).max(initial=0.0)
        return out

    def stress(self, beam: int, inside: Array, time: Array, rail: int) -> Array:
        """Normal stress (2, fibres, n) Pa over `self.time` at a tie and between two, of forces inside (6, m) the beam
        at times (m,) s and of what wheels bend besides."""
        rails, section = self.frame.rails[beam], self.frame.pieces[beam].section
        turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
        r, side = rails.section.reach[0], 1.0 if rail == 0 else -1.0
        y, z = side * rails.half + r * np.cos(turn), rails.z + r * np.sin(turn)
        N, My, Mz = (np.interp(self.time, time, inside[k]) for k in (0, 4, 5))
        whole = N / section.area + z[:, None] * My / section.Iy - y[:, None] * Mz / section.Iz
        out = np.stack([whole, whole])
        bent = self.of(beam)
        I = rails.section.Iy
        down, aside = bent.moment[:, :, rail].T[:, None], bent.moment[:, :, 2].T[:, None]
        out[:, :, bent.at] += r / I * (np.cos(turn)[:, None] * aside - np.sin(turn)[:, None] * down)
        return out
