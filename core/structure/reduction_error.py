"""A reduced structure beside the whole one: frequencies, shapes and effective masses with one interface held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridewright.core.structure.floating import Floating
from ridewright.core.structure.model import Array, Structure
from ridewright.core.structure.reduction import assurance, effective_mass, lowest_modes

COUNT = 6  # modes that are compared
ALIKE = 1e-4  # relative difference of two speeds that count as the same


@dataclass(frozen=True)
class ModeError:
    """A mode: frequency of the reduced and of the whole body (Hz), modal assurance criterion of their shapes, and the
    share of the whole's mass that moves with it along x, y and z (3,)."""

    reduced: float
    whole: float
    assurance: float
    mass: tuple[float, float, float]

    @property
    def error(self) -> float:
        """Relative, of the frequency."""
        return self.reduced / self.whole - 1.0


def compared(whole: Structure, made: Floating, held: str, count: int = COUNT) -> tuple[ModeError, ...]:
    """The lowest modes with an interface held, reduced beside whole, each with the one of its number.

    made: of the whole, with its shapes.
    """
    speeds, shapes, _ = made.held(held)
    most = whole.size - len(whole.of_frame(held)) - 1
    count = min(count, len(speeds), most)
    # one more of the whole: the last of those compared may be one of two that are equally fast
    exact, modes = lowest_modes(whole, min(count + 1, most), whole.of_frame(held))
    moved = _moved(whole, made, held, shapes[:, :count])
    alike = assurance(moved, modes, whole.M)
    # of two that are equally fast, as of a round tube, any mixture is a mode: what counts is that both have it
    same = np.abs(exact[:count, None] - exact) < ALIKE * exact
    shares = effective_mass(whole, modes)[:, :3]
    return tuple(
        ModeError(
            float(speeds[k] / (2.0 * np.pi)), float(exact[k] / (2.0 * np.pi)), float(alike[k][same[k]].sum()),
            tuple(shares[k].tolist()),
        )
        for k in range(count)
    )  # fmt: skip


def _moved(whole: Structure, made: Floating, held: str, shapes: Array) -> Array:
    """Unknowns (size, modes) of the whole under modes of the reduced body that hold an interface."""
    motion = made.with_held(held) @ shapes
    turn = motion[3:6]
    about_origin = motion[:3] - np.cross(turn, made.centre, axis=0)
    out: Array = whole.rigid_motions() @ np.vstack([about_origin, turn]) + made.shapes @ motion[6:]
    return out
