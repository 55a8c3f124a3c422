"""Where every unknown lies: the one place that counts the slots of bodies, guides, elements and constraint rows.

A line of velocities has a block for every body (velocity of its centre in world axes, angular velocity in its own, then
the rates of its modal coordinates), then the speed of every guide along its path, then a block for the ground, which is
ignored. Accelerations, forces and pose increments have the same shape. A pose has positions (bodies + 1, 3), Euler
parameters (bodies + 1, 4), the ground last, and a line of plain coordinates, to which increments are simply added: the
path coordinates, then the bodies' modal ones. Multipliers follow kind by kind of constraint rows, internal unknowns
of force elements, which are of first order and stand in no velocity line, element by element.

Compiled code finds the same offsets in the tables SLOT, SIZE and PLAIN of `core.multibody.arrays`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers

RIGID = 6  # slots of a body without modal coordinates, and of the ground
TURN = 3  # the first rotational one of them
# constraint rows by kind, in their order, and how many one of each kind has
ROWS = {
    "points": 3,
    "dots": 1,
    "slides": 1,
    "distances": 1,
    "guides": 3,
    "alignments": 1,
    "arcs": 1,
    "ties": 6,
}


@dataclass(frozen=True)
class Layout:
    """Offsets and sizes. modes: modal coordinates of each body; guides: how many; counts: of each kind of ROWS, none
    where it is missing; internals: unknowns of each element that has some."""

    modes: tuple[int, ...]
    guides: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    internals: tuple[int, ...] = ()

    @property
    def bodies(self) -> int:
        return len(self.modes)

    @cached_property
    def sizes(self) -> Integers:
        """Slots of each body and of the ground (bodies + 1,)."""
        return np.array([*(RIGID + n for n in self.modes), RIGID], dtype=np.int64)

    @cached_property
    def slots(self) -> Integers:
        """First slot of each body and of the ground (bodies + 1,)."""
        starts = np.concatenate([[0], np.cumsum(self.sizes[:-1])]).astype(np.int64)
        starts[-1] += self.guides
        return starts

    @property
    def coordinates(self) -> int:
        """Velocity unknowns."""
        return int(self.slots[-1])

    @property
    def width(self) -> int:
        """Slots of a line, those of the ground included."""
        return self.coordinates + RIGID

    @property
    def widest(self) -> int:
        """Slots of the largest block."""
        return int(self.sizes.max())

    def line(self, *lead: int) -> Array:
        """Lines of zeros (*lead, width)."""
        return np.zeros((*lead, self.width))

    def block(self, body: int) -> slice:
        """The slots of a body, or of the ground."""
        first = int(self.slots[body])
        return slice(first, first + int(self.sizes[body]))

    @cached_property
    def rigid(self) -> Integers:
        """Slots of the motion of each body, and of the ground, as a rigid one (bodies + 1, 6)."""
        return np.asarray(self.slots[:, None] + np.arange(RIGID))

    @property
    def spins(self) -> Integers:
        """Slots of the bodies' angular velocities (bodies, 3)."""
        return self.rigid[:-1, TURN:]

    @property
    def paths(self) -> slice:
        """The slots of the speeds along paths."""
        return slice(self.coordinates - self.guides, self.coordinates)

    @cached_property
    def plain(self) -> Integers:
        """Slots of the plain coordinates (guides + modal ones,)."""
        modal = [np.arange(RIGID, n) + a for a, n in zip(self.slots[:-1], self.sizes[:-1], strict=True)]
        return np.concatenate([np.arange(self.paths.start, self.paths.stop), *modal]).astype(np.int64)

    def rigid_of(self, lines: NDArray[Any]) -> NDArray[Any]:
        """The bodies' motion as rigid ones (..., bodies, 6) in lines (..., width): a view where no body has modal
        coordinates, else a copy."""
        if any(self.modes):
            return lines[..., self.rigid[:-1]]
        return lines[..., : self.paths.start].reshape(*lines.shape[:-1], self.bodies, RIGID)

    @cached_property
    def blocks(self) -> Integers:
        """First slots of what is coupled within itself: bodies, then guides; behind them the end."""
        return np.concatenate([self.slots[:-1], np.arange(self.paths.start, self.coordinates + 1)])

    @cached_property
    def first_row(self) -> dict[str, int]:
        """The first constraint row of each kind."""
        out, at = {}, 0
        for kind, rows in ROWS.items():
            out[kind] = at
            at += rows * self.counts.get(kind, 0)
        return out

    @property
    def multipliers(self) -> int:
        """Constraint rows."""
        return sum(rows * self.counts.get(kind, 0) for kind, rows in ROWS.items())

    def rows(self, kind: str, index: int) -> range:
        """The constraint rows of one joint part, guide or driver."""
        first = self.first_row[kind] + ROWS[kind] * index
        return range(first, first + ROWS[kind])

    @cached_property
    def internal_slots(self) -> Integers:
        """First internal unknown of each element that has some, and behind them their number."""
        return np.concatenate([[0], np.cumsum(self.internals)]).astype(np.int64)

    @property
    def internal(self) -> int:
        """Internal unknowns of all elements."""
        return int(self.internal_slots[-1])

    @property
    def unknowns(self) -> int:
        """Of the saddle-point system: velocities, then multipliers."""
        return self.coordinates + self.multipliers

    def row_unknown(self, row: int) -> int:
        """Where a constraint row stands among the unknowns of the saddle-point system."""
        return self.coordinates + row
