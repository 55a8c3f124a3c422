"""What becomes of a structure when its mass is divided over three frames, beside the consistent reduction.

Blaauw (tables 1 and 2) has frames at the clamped end, the free end and the centre of mass, and no mass matrix but
masses at these frames: HRZ lumps, or a small share at both ends and the rest in the centre. His internal modes have no
part in that, so that more of them change nothing. Here each way is held against the whole structure: first frequency
with one end clamped, deflection of the free end under a force there, and under own weight. In place of the time of a
run there is the highest frequency of the model, which decides how long steps may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from .model import DIRECTIONS, Structure
from .reduction import Reduced, craig_bampton, factor, hrz_lumps, lowest_modes

CONSISTENT = "consistent"
CENTRE = "centre of mass"
KEPT = (0, 2, 4, 40)  # internal modes of table 1
SHARES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-8)  # of the mass on each interface frame, table 2


@dataclass(frozen=True)
class Row:
    """One way: words; internal modes; first frequency, deflection of the free end under a force there and under own
    weight, each relative to the whole structure (0.01: 1 % too much); highest frequency Hz."""

    way: str
    modes: int
    frequency: float
    force: float
    weight: float
    highest: float


@dataclass(frozen=True)
class MassDivision:
    """Of a structure with one end clamped: mass kg, first frequency Hz, and what the ways make of them."""

    mass: float
    first: float
    rows: tuple[Row, ...]


def mass_division(
    structure: Structure, clamped: str, free: str, at_free: Array | None = None
) -> MassDivision:
    """The ways compared; at_free (6, 6): mass matrix (kg, kg m, kg m^2) of what is fixed to the free frame.

    Raises InputError for the same frame twice, or a structure without a node at its centre of mass.
    """
    if clamped == free:
        raise InputError(f"'{clamped}' cannot be clamped and free; name two frames.")
    s = _with_centre(structure, (clamped, free))
    extra = np.zeros((DIRECTIONS, DIRECTIONS)) if at_free is None else at_free
    whole = _loaded(s, free, extra)
    held = s.of_frame(clamped)
    speed, shapes = lowest_modes(whole, 1, held)
    way = _directions(s, clamped, free, shapes[:, 0])
    exact = (float(speed[0]), *_whole_sags(s, held, free, way))
    rows = []
    for words, kept, reduced, M in _ways(s, clamped, free, extra):
        own = reduced.basis.T @ s.weight(way) if words == CONSISTENT else _weight(reduced, M, extra, way)
        rows.append(Row(words, kept, *_off(reduced, M, own, free, way, exact)))
    return MassDivision(s.mass, exact[0] / (2.0 * np.pi), tuple(rows))


def _with_centre(s: Structure, ends: tuple[str, str]) -> Structure:
    """The structure with a frame at its node nearest to the centre of mass."""
    away = np.linalg.norm(s.nodes - s.centre, axis=1)
    own = [s.frames[name] for name in ends if name in s.frames]
    away[own] = np.inf
    away[np.any(s.unknowns < 0, axis=1)] = np.inf
    if not np.isfinite(away).any():
        raise InputError(
            "The structure has no node between its ends for a body frame; give its beams more elements."
        )
    return replace(s, frames={**s.frames, CENTRE: int(away.argmin())})


def _loaded(s: Structure, free: str, extra: Array) -> Structure:
    own = s.of_frame(free)
    at = np.repeat(own, DIRECTIONS), np.tile(own, DIRECTIONS)
    return replace(s, M=csc_matrix(s.M + coo_matrix((extra.ravel(), at), shape=s.M.shape)))


def _directions(s: Structure, clamped: str, free: str, shape: Array) -> Array:
    """Unit vector (3,) in which the free end goes in the first mode, across the line between the ends."""
    moved: Array = shape[s.of_frame(free)[:3]]
    along = s.nodes[s.frames[free]] - s.nodes[s.frames[clamped]]
    moved = moved - along * (along @ moved) / (along @ along)
    return np.asarray(moved / np.linalg.norm(moved))


def _whole_sags(s: Structure, held: Integers, free: str, way: Array) -> tuple[float, float]:
    """Deflection of the free end, along `way`, under a unit force there and under gravity along it."""
    left = np.setdiff1d(np.arange(s.size), held)
    load = np.zeros((s.size, 2))
    load[s.of_frame(free)[:3], 0] = way
    load[:, 1] = s.weight(way)
    out = np.zeros_like(load)
    out[left] = factor(csc_matrix(s.K[left][:, left])).solve(load[left])
    sags = way @ out[s.of_frame(free)[:3]]
    return float(sags[0]), float(sags[1])


def _ways(s: Structure, clamped: str, free: str, extra: Array) -> Iterator[tuple[str, int, Reduced, Array]]:
    """Words, internal modes, the reduction with its clamped frame held, and the mass matrix that goes with it."""
    names = (clamped, CENTRE, free)
    inner = s.size - DIRECTIONS * len(names)
    tip = slice(DIRECTIONS, 2 * DIRECTIONS)  # of what is left: centre, free end, modes
    tensor = _tensor(s)
    for kept in (n for n in KEPT if n < inner):
        plain = craig_bampton(s, names, kept, corrected=False)
        held = plain.clamped(clamped)
        for words in (CONSISTENT, "HRZ lumps"):
            M = held.M.copy()
            if words != CONSISTENT:
                M = np.eye(len(M))  # internal modes have mass 1 and nothing to do with the frames
                M[: held.boundary, : held.boundary] = hrz_lumps(plain, s.mass)[DIRECTIONS:, DIRECTIONS:]
            M[tip, tip] += extra
            yield words, kept, held, M
    held = craig_bampton(s, names, 0, corrected=False).clamped(clamped)
    for share in SHARES:
        M = np.zeros_like(held.M)
        M[:DIRECTIONS, :DIRECTIONS] = (1.0 - 2.0 * share) * tensor
        M[tip, tip] = share * tensor + extra
        yield f"{100.0 * share:g} % on each end", 0, held, M


def _tensor(s: Structure) -> Array:
    """Mass matrix (6, 6) about the centre of mass."""
    m, r = s.rigid_mass(), s.centre
    lever = np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])
    out = np.zeros((DIRECTIONS, DIRECTIONS))
    out[:3, :3] = s.mass * np.eye(3)
    out[3:, 3:] = m[3:, 3:] + s.mass * lever @ lever
    return out


def _off(
    held: Reduced, M: Array, weight: Array, free: str, way: Array, exact: tuple[float, float, float]
) -> tuple[float, float, float, float]:
    """First frequency and both deflections relative to the whole structure, and the highest frequency Hz."""
    # the lowest as the largest of 1/speed^2: beside a mass of 1e-8 it has no digits among the values of speed^2
    first = 1.0 / np.sqrt(eigh(M, held.K, eigvals_only=True)[-1])
    last = np.sqrt(eigh(held.K, M, eigvals_only=True)[-1])
    load = np.zeros((len(held.K), 2))
    load[held.own(free).start + np.arange(3), 0] = way
    load[:, 1] = weight
    sags = way @ np.linalg.solve(held.K, load)[held.own(free).start + np.arange(3)]
    off = (first / exact[0], sags[0] / exact[1], sags[1] / exact[2])
    one, two, three = (float(x) - 1.0 for x in off)
    return one, two, three, float(last) / (2.0 * np.pi)


def _weight(held: Reduced, M: Array, extra: Array, way: Array) -> Array:
    """Forces of unit gravity on masses at frames, without what is fixed to the free one."""
    R = np.zeros((len(M), 3))
    for k in range(len(held.frames)):
        R[DIRECTIONS * k + np.arange(3), range(3)] = 1.0
    out: Array = M @ (R @ way)
    out[DIRECTIONS : 2 * DIRECTIONS] -= extra[:, :3] @ way
    return out
