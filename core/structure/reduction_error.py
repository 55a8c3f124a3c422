"""A reduced structure beside the whole one: frequencies, shapes and effective masses with one interface held; and
beside modes that another program found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from .floating import Floating
from .model import NONE, Structure
from .nastran_results import FoundModes
from .reduction import assurance, effective_mass, lowest_modes

COUNT = 6  # modes that are compared
ALIKE = 1e-4  # relative difference of two speeds that count as the same
MAX_FOUND = 12  # modes of another program that are looked at
OTHER_MODEL = 0.01  # relative difference of frequencies that no rounding of a file makes
RIGID = 0.01  # of the first free frequency: modes below are rigid motions


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

    Parameters
    ----------
    whole
        The structure.
    made
        Of the whole, with its shapes.
    held
        The interface.
    count
        How many modes.

    Returns
    -------
    The errors.
    """
    speeds, shapes, _ = made.held(held)
    maximum = whole.size - len(whole.of_frame(held)) - 1
    count = min(count, len(speeds), maximum)
    # one more of the whole: the last of those compared may be one of two that are equally fast
    exact, modes = lowest_modes(whole, min(count + 1, maximum), whole.of_frame(held))
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


@dataclass(frozen=True)
class FoundMode:
    """A mode that another program found: its frequency there, that of its shape with the matrices here (Rayleigh's
    quotient) (Hz), and how much of it, by mass, the reduced body can make (1: all)."""

    there: float
    here: float
    share: float


def beside(whole: Structure, basis: Array, first: float, found: FoundModes) -> tuple[FoundMode, ...]:
    """The lowest elastic modes of another program, however it held the structure, beside the matrices here.

    basis (unknowns, coordinates): all that the reduced body can do; first: its first free frequency, Hz. With a shape
    that solves (K - w^2 M) x = 0 where it moves, x'Kx / x'Mx is w^2 whatever was held. Raises InputError when the
    frequencies are those of another model.
    """
    there = whole.unknowns != NONE
    elastic = np.flatnonzero(found.hertz > RIGID * first)[:MAX_FOUND]
    if not len(elastic):
        raise InputError(
            f"there is no elastic mode in it (above {RIGID * first:.3g} Hz); ask for more modes."
        )
    shapes = np.zeros((whole.size, len(elastic)))
    shapes[whole.unknowns[there]] = found.shapes[there][:, elastic]
    mass = np.sum(shapes * (whole.M @ shapes), axis=0)
    if not np.all(mass > 0.0):
        raise InputError("one of its modes moves no mass; write it again.")
    here = np.sqrt(np.abs(np.sum(shapes * (whole.K @ shapes), axis=0)) / mass) / (2.0 * np.pi)
    for k, of_file, own in zip(elastic, found.hertz[elastic], here, strict=True):
        if abs(own / of_file - 1.0) > OTHER_MODEL:
            raise InputError(
                f"its mode {k + 1} has {of_file:.5g} Hz, and with these matrices {own:.5g} Hz; export both of the same"
                " model."
            )
    moment = basis.T @ (whole.M @ shapes)
    made = np.linalg.lstsq(basis.T @ (whole.M @ basis), moment)[0]
    share = np.sum(moment * made, axis=0) / mass
    return tuple(map(FoundMode, found.hertz[elastic].tolist(), here.tolist(), share.tolist()))


def _moved(whole: Structure, made: Floating, held: str, shapes: Array) -> Array:
    """Unknowns (size, modes) of the whole under modes of the reduced body that hold an interface."""
    motion = made.with_held(held) @ shapes
    turn = motion[3:6]
    about_origin = motion[:3] - np.cross(turn, made.centre, axis=0)
    out: Array = whole.rigid_motions() @ np.vstack([about_origin, turn]) + made.shapes @ motion[6:]
    return out
