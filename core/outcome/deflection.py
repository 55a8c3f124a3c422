"""How the interfaces of a flexible body move against it over a run: deflection, turns, and the frequencies in them
(Blaauw, section 6 and figures 15, 16).

Deflections are of the interface frames from where they are drawn in mean axes, the frame in which the deformation has
no momentum; with what bending without stretching takes back, to second order. Turns of the nodes of beams between them
are looked at too: a beam held in its middle bends most at its free ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..multibody.flexible import built_of
from ..structure.model import DIRECTIONS, NONE
from .excitation import highest_frequency
from .spectrum import MIN_SAMPLES
from .stress import AT_ONCE, BodyStress

SMALL_TURN = 0.1  # rad: there a sine is off from its angle by 0.2 %, and a cosine from 1 by 0.5 %
SAMPLES = 4.0  # a period of the highest frequency: twice as many as are needed at least


@dataclass(frozen=True)
class Deflection:
    """Of a body: moves and turns of each interface (n, 6) m and rad in its axes, by node; the largest distance (m) and
    the largest turn (rad) of all; the highest frequency (Hz) in any, None for a run of too few instants; turns (n,)
    rad: the largest of any interface, or node of its beams, at each instant."""

    of: dict[str, Array]
    largest: float
    turn: float
    highest: float | None
    turns: Array

    @property
    def most(self) -> float:
        """The largest turn (rad) of any interface, or node of its beams."""
        return float(self.turns.max(initial=0.0))

    @property
    def small(self) -> bool:
        """Whether turns are small enough for a deformation that is linear."""
        return self.most <= SMALL_TURN

    @property
    def words(self) -> str:
        """What there is to say of it, as one sentence."""
        message = f"Its interfaces are deflected by up to {1e3 * self.largest:.3g} mm and {self.turn:.2g} rad"
        if self.highest is not None:
            rate = SAMPLES * self.highest
            message += (
                f", with frequencies up to {self.highest:.3g} Hz: {rate:.3g} instants a second have all of it"
            )
        if not self.small:
            message += (
                f"; it turns by up to {self.most:.2g} rad, and turns above {SMALL_TURN:g} rad are not small, as a"
                " linear deformation needs them: divide it into several bodies"
            )
        return f"{message}."


def deflection(one: BodyStress) -> Deflection:
    """The deflection of a body over a run."""
    of = {}
    for end in one.flexible.ends:
        at = one.flexible.floating.interfaces[end.node]
        linear = one.modal @ np.vstack([at.U, at.R]).T
        bent = np.stack(
            [np.einsum("ni,ij,nj->n", one.modal, at.H[c], one.modal) for c in range(DIRECTIONS)], axis=1
        )
        of[end.node] = linear + 0.5 * bent
    moves, turns = ([values[:, some] for values in of.values()] for some in (slice(0, 3), slice(3, 6)))
    largest, turn = (max(float(np.linalg.norm(v, axis=1).max()) for v in some) for some in (moves, turns))
    highest = highest_frequency(one.time, (moves, turns)) if len(one.time) >= MIN_SAMPLES else None
    return Deflection(of, largest, turn, highest, _turns(one, turns))


def _turns(one: BodyStress, interfaces: list[Array]) -> Array:
    out: Array = np.max([np.linalg.norm(v, axis=1) for v in interfaces], axis=0)
    shapes = one.flexible.floating.shapes
    if one.flexible.description.imported is not None or not len(shapes):
        return out
    own = built_of(one.flexible.description)[0].unknowns[:, 3:]
    per_mode = shapes[own[(own != NONE).all(axis=1)]]  # nodes, 3, modes
    each = max(1, AT_ONCE // per_mode[..., 0].size)
    for first in range(0, len(out), each):
        some = slice(first, first + each)
        found = np.linalg.norm(per_mode @ one.modal[some].T, axis=1).max(axis=0)
        out[some] = np.maximum(out[some], found)
    return out
