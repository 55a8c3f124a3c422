"""The modes of the reduced body itself: what one interface makes of it while the others are held, and how it swings
between held interfaces (Craig & Bampton 1968; Blaauw, figures 4 to 7).

They are taken from the body in its floating frame, so that beams and imported structures have them alike: a motion is
the six of the frame and the modal coordinates, and interfaces are held by their rows of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import eigh, null_space

from ..base.arrays import Array
from ..base.frames import skew
from .floating import Floating
from .model import DIRECTIONS

WAYS: Final = ("along x", "along y", "along z", "about x", "about y", "about z")
MISSED: Final = 1e-6  # of a unit motion of an interface that a body may miss and still have it


@dataclass(frozen=True)
class OwnMode:
    """A mode of a body: words; frequency Hz, None of a static one; motion (6 + modes,): translation m and rotation rad
    of the floating frame, then modal coordinates. Static ones are of one metre or radian, others of mass 1."""

    words: str
    frequency: float | None
    motion: Array


def interface_rows(made: Floating, name: str) -> Array:
    """How an interface moves (m) and turns (rad) with a motion of the body, (6, 6 + modes)."""
    at, n = made.interfaces[name], len(made.inertia)
    rows = np.zeros((DIRECTIONS, DIRECTIONS + n))
    rows[:, :DIRECTIONS] = np.eye(DIRECTIONS)
    rows[:3, 3:6], rows[:3, DIRECTIONS:], rows[3:, DIRECTIONS:] = -skew(at.place), at.U, at.R
    return rows


def constraint_modes(made: Floating) -> tuple[OwnMode, ...]:
    """The static deflection of least energy for every unit motion of an interface, the others held. A body that keeps
    too few modes to have one is without it."""
    C = np.vstack([interface_rows(made, name) for name in made.interfaces])
    free, stiff = null_space(C), np.r_[np.zeros(DIRECTIONS), made.stiffness]
    any_motion = np.asarray(np.linalg.pinv(C), dtype=np.float64)
    found = []
    for k, (name, way) in enumerate((name, way) for name in made.interfaces for way in WAYS):
        x = any_motion[:, k]
        if np.abs(C @ x - np.eye(len(C))[k]).max() > MISSED:
            continue
        if free.shape[1]:
            x = x - free @ np.linalg.solve(free.T * stiff @ free, free.T @ (stiff * x))
        found.append(OwnMode(f"{name} {way}", None, x))
    return tuple(found)


def held_modes(made: Floating) -> tuple[OwnMode, ...]:
    """Modes between held interfaces, slowest first: exact for the internal modes that are kept, too fast where static
    corrections stand for others."""
    free = null_space(np.vstack([interface_rows(made, name) for name in made.interfaces]))
    if not free.shape[1]:
        return ()
    stiff = np.r_[np.zeros(DIRECTIONS), made.stiffness]
    values, shapes = eigh(free.T * stiff @ free, free.T @ made.block @ free)
    hertz = np.sqrt(np.maximum(values, 0.0)) / (2.0 * np.pi)
    motions = (free @ shapes).T
    return tuple(
        OwnMode(f"internal {k + 1}", float(f), x) for k, (f, x) in enumerate(zip(hertz, motions, strict=True))
    )
