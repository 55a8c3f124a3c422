"""Craig-Bampton reduction: a structure by the motions of its interface frames and a few modes between them.

Craig & Bampton 1968, as in Blaauw, section 4, with its signs put right: rows first, K_bi is the block of boundary rows
and interior columns; a unit motion of a frame leaves the interior in balance, q_i = -K_ii^-1 K_ib q_b (printed with +);
modes between fixed frames solve (K_ii - w^2 M_ii) phi = 0 (printed with K and M changed over).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import ArpackError, LinearOperator, SuperLU, eigsh, splu

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from .model import DIRECTIONS, NONE, Structure, place_of

LOOSE_FRAME = 1e-9  # of the largest of a frame
MECHANISM = 1e-12  # of the mean stiffness over the mean mass
LARGE = 20_000  # unknowns
FREE = 1e-6  # of the first elastic eigenvalue: eigenvalues below are rigid motions


class LooseError(InputError):
    """A structure that can move within itself while its interfaces are held: its stiffness is singular."""


@dataclass(frozen=True)
class Reduced:
    """A reduced structure. basis (unknowns, coordinates): columns are unit motions of the frames in their order, six
    each, modes between fixed frames by frequency (mass 1), then static corrections (mass 1); K, M (coordinates,
    coordinates); fixed: rad/s of the modes between fixed frames."""

    structure: Structure
    frames: tuple[str, ...]
    basis: Array
    K: Array
    M: Array
    fixed: Array

    @property
    def boundary(self) -> int:
        """Coordinates that are motions of frames."""
        return DIRECTIONS * len(self.frames)

    def own(self, frame: str) -> slice:
        """The coordinates of a frame."""
        first = DIRECTIONS * self.frames.index(frame)
        return slice(first, first + DIRECTIONS)

    def clamped(self, frame: str) -> Reduced:
        """The same with one frame held."""
        left = np.delete(np.arange(len(self.K)), np.r_[self.own(frame)])
        names = tuple(name for name in self.frames if name != frame)
        K, M = self.K[np.ix_(left, left)], self.M[np.ix_(left, left)]
        return Reduced(self.structure, names, self.basis[:, left], K, M, self.fixed)

    def frequencies(self) -> Array:
        """Hz of all modes, rigid ones as 0."""
        return modes(self.K, self.M)[0] / (2.0 * np.pi)


def modes(K: Array, M: Array) -> tuple[Array, Array]:
    """Frequencies (rad/s, rising, 0 for rigid motions) and shapes (mass 1, columns) of small matrices."""
    values, shapes = eigh(K, M)
    elastic = values[values > FREE * np.abs(values).max(initial=0.0)]
    minimum = FREE * float(elastic.min(initial=np.inf)) if len(elastic) else 0.0
    return np.sqrt(np.where(values > minimum, values, 0.0)), shapes


def lowest_modes(structure: Structure, count: int, held: Integers | None = None) -> tuple[Array, Array]:
    """The lowest modes of a whole structure with some unknowns held: rad/s (count,), shapes (unknowns, count), mass 1.

    A free structure has six rigid ones among them, with frequencies near 0. Raises InputError when there are fewer.
    """
    free = np.setdiff1d(np.arange(structure.size), [] if held is None else held)
    if count < 1 or count >= len(free):
        raise InputError(f"A structure of {len(free)} free unknowns has no {count} lowest modes to look for.")
    K, M = structure.K[free][:, free], structure.M[free][:, free]
    shift = -1e-3 * float(K.diagonal().mean() / M.diagonal().mean()) if held is None else 0.0
    loose = structure.loose_turns()[free]
    values, found = _lowest(
        csc_matrix(K), csc_matrix(M), count, factor(with_held(K - shift * M, loose)), shift
    )
    order = np.argsort(values)
    shapes = np.zeros((structure.size, count))
    shapes[free] = found[:, order]
    return np.sqrt(np.maximum(values[order], 0.0)), shapes


def craig_bampton(
    structure: Structure,
    frames: Sequence[str],
    modes_kept: int,
    *,
    corrected: bool = True,
    centrifugal: bool = False,
) -> Reduced:
    """Reduce a structure to its frames and the lowest modes between them.

    Parameters
    ----------
    structure, frames
        What is reduced, and the names of what stays.
    modes_kept
        How many modes with the frames held.
    corrected
        With static corrections for what acts inside and not on the frames: own weight and inertia of the six rigid
        accelerations (without them the stress under own weight can be a fifth too small).
    centrifugal
        And for what it feels when it turns, which stretches modes too high to be among those kept.

    Returns
    -------
    The structure in the motions of its frames and these modes.

    Raises
    ------
    InputError
        For a missing frame, one that turns without meeting anything, more modes than there are, or a structure that is
        still loose when its frames are held.

    References
    ----------
    Craig & Bampton 1968.
    """
    if not frames:
        raise InputError("A reduction needs at least one frame to which the structure is joined.")
    b = np.concatenate([structure.of_frame(name) for name in frames])
    check_frames(structure, frames)
    i = np.setdiff1d(np.arange(structure.size), b)
    if not len(i):
        raise InputError("There is no node between the interfaces; give a beam two elements or more.")
    if not 0 <= modes_kept < len(i):
        raise InputError(f"There are {len(i)} unknowns between the frames, too few for {modes_kept} modes.")
    K_ii, K_ib = csc_matrix(structure.K[i][:, i]), structure.K[i][:, b]
    M_ii = csc_matrix(structure.M[i][:, i])
    factors = factor(with_held(K_ii, structure.loose_turns()[i]))
    columns = np.zeros((structure.size, len(b)))
    columns[b, range(len(b))] = 1.0
    columns[i] = -factors.solve(K_ib.toarray())
    inner = np.zeros((len(i), 0))
    fixed = np.zeros(0)
    if modes_kept:
        fixed, inner = _fixed_modes(structure, i, K_ii, M_ii, modes_kept, factors)
    if corrected:
        felt = structure.rigid_motions()
        if centrifugal:
            felt = np.hstack([felt, _strains(structure)])
        loads = (structure.M @ felt)[i]
        inner = np.hstack([inner, _new(factors.solve(loads), inner, M_ii)])
    basis = np.hstack([columns, np.zeros((structure.size, inner.shape[1]))])
    basis[np.ix_(i, np.arange(len(b), basis.shape[1]))] = inner
    K, M = (basis.T @ (matrix @ basis) for matrix in (structure.K, structure.M))
    return Reduced(structure, tuple(frames), basis, _even(K), _even(M), fixed)


def _fixed_modes(
    structure: Structure, i: Integers, K: csc_matrix, M: csc_matrix, count: int, factors: SuperLU
) -> tuple[Array, Array]:
    """Speeds rad/s and shapes (mass 1) of the lowest modes of the unknowns i between fixed frames. Raises InputError
    where there are not so many, or the structure is loose."""
    try:
        values, inner = _lowest(K, M, count, factors, 0.0)
    except ArpackError:
        heavy = M.diagonal() > 0.0
        minimum = place_of(structure, int(i[np.argmin(M.diagonal())]))
        raise InputError(
            f"{count} modes between the interfaces are not to be had: of {len(i)} unknowns there"
            f" {int(heavy.sum())} have mass, {minimum} has the least. Keep fewer modes, or spread the mass over all"
            " nodes."
        ) from None
    order = np.argsort(values)
    if values[order[0]] <= MECHANISM * float(K.diagonal().mean() / M.diagonal().mean()):
        motion = np.zeros(structure.size)
        motion[i] = inner[:, order[0]]
        raise InputError(
            "The structure can move within itself while its interfaces are held, most"
            f" {structure.max_moved(motion)}; join what is loose or soft, or take a"
            " hinge out."
        )
    return np.sqrt(values[order]), inner[:, order]


def _strains(structure: Structure) -> Array:
    """Accelerations (unknowns, 6) that grow with place, as centrifugal ones do: along an axis, or across two."""
    out, x = np.zeros((structure.size, DIRECTIONS)), structure.nodes - structure.centre
    for k, (a, b) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))):
        for c, d in {(a, b), (b, a)}:
            has = structure.unknowns[:, c] != NONE
            out[structure.unknowns[has, c], k] = x[has, d]
    return out


def check_frames(structure: Structure, frames: Sequence[str]) -> None:
    """Raise InputError for a frame that turns about an axis without meeting stiffness or mass: what is fixed to it
    would, too."""
    loose = structure.loose_turns(LOOSE_FRAME)
    for name in frames:
        own = structure.of_frame(name)
        turns = loose[own[3:]].toarray() if np.all(own != NONE) else np.eye(3)
        for axis in turns.T[np.abs(turns).max(axis=0) > 0.5]:
            about = ", ".join(f"{x:.3g}" for x in axis + 0.0)
            raise InputError(
                f"Frame '{name}' at ({', '.join(f'{x:.4g}' for x in structure.nodes[structure.frames[name]])}) m turns"
                f" about ({about}) without meeting stiffness or mass; tie it to nodes that span a plane, or join a beam"
                " there that has no hinge."
            )


def factor(K: csc_matrix) -> SuperLU:
    """Factors of a stiffness, which is positive definite: large ones without looking for pivots, in an order of the
    symmetric pattern, which fills in a third less. Raises LooseError when it is exactly singular."""
    try:
        if K.shape[0] <= LARGE:
            return splu(K)
        return splu(K, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:
        raise LooseError(
            "The structure can move within itself while its interfaces are held; join what is loose, or take a"
            " hinge out."
        ) from None


def with_held(K: csc_matrix, loose: csc_matrix) -> csc_matrix:
    """A stiffness with turns held that meet nothing. Where K knows nothing of them, nothing else changes."""
    return csc_matrix(K + float(K.diagonal().mean()) * (loose @ loose.T))


def _lowest(K: csc_matrix, M: csc_matrix, count: int, factors: SuperLU, shift: float) -> tuple[Array, Array]:
    """Eigenvalues of K x = value M x nearest a shift, with their vectors; factors: of K - shift M."""
    inverse = LinearOperator(K.shape, matvec=factors.solve, dtype=np.float64)
    out: tuple[Array, Array] = eigsh(
        K, count, M, sigma=shift, which="LM", v0=_start(K.shape[0]), OPinv=inverse
    )
    return out


def _start(size: int) -> Array:
    """What iterations for modes start from: the same every time, so that runs can be repeated to the last digit."""
    return np.random.default_rng(1).standard_normal(size)


def _new(found: Array, known: Array, M: csc_matrix) -> Array:
    """What columns have that is not in the known ones, mass-orthonormal; what is nothing new is left out."""
    size = np.sqrt(np.maximum(np.einsum("ik,ik->k", found, M @ found), 1e-300))
    found = found / size
    for _ in range(2):
        found = found - known @ (known.T @ (M @ found))
    values, turns = np.linalg.eigh(found.T @ (M @ found))
    keep = values > 1e-10
    out: Array = found @ (turns[:, keep] / np.sqrt(values[keep]))
    return out


def _even(matrix: Array) -> Array:
    out: Array = 0.5 * (matrix + matrix.T)
    return out


def assurance(one: Array, other: Array, M: csc_matrix) -> Array:
    """Modal assurance criterion (columns of one, of other) weighted by mass: 1 where shapes are the same up to size."""
    cross = one.T @ (M @ other)
    sizes = np.outer(np.einsum("ik,ik->k", one, M @ one), np.einsum("ik,ik->k", other, M @ other))
    out: Array = cross**2 / sizes
    return out


def effective_mass(structure: Structure, shapes: Array) -> Array:
    """Share (modes, 6) of the mass, and of the moments about the origin, that moves with modes of mass 1."""
    R = structure.rigid_motions()
    whole = np.diag(R.T @ (structure.M @ R))
    out: Array = (shapes.T @ (structure.M @ R)) ** 2 / whole
    return out


def damping(K: Array, M: Array, ratio: float) -> Array:
    """Damping matrix that damps every mode of K and M, rigid ones left out, with one share of critical damping."""
    speeds, shapes = modes(K, M)
    out: Array = M @ shapes @ np.diag(2.0 * ratio * speeds) @ shapes.T @ M
    return out


def state_space(K: Array, L: Array, M: Array, boundary: int) -> tuple[Array, Array, Array, Array]:
    """A, B, C, D of x' = A x + B u, y = C x + D u for given motions of the first `boundary` coordinates (Blaauw, 7, 8).

    x: internal coordinates and their rates; u: boundary motions, their rates and accelerations; y: forces with which
    the body pulls on the boundary, then the internal coordinates. L: damping. Departs from the print: M_ii^-1 stands on
    the left; C has one row of forces, (-K_bi + M_bi M_ii^-1 K_ii, -L_bi + M_bi M_ii^-1 L_ii), and below it the identity
    for the internal coordinates; the second terms of D have a plus, as -K_bb + M_bi M_ii^-1 K_ib.
    """
    n = len(K) - boundary
    b, i = slice(0, boundary), slice(boundary, None)
    solved = np.linalg.solve(M[i, i], np.hstack([K[i, i], L[i, i], K[i, b], L[i, b], M[i, b]]))
    Kii, Lii, Kib, Lib, Mib = np.split(solved, np.cumsum([n, n, boundary, boundary]), axis=1)
    zero, one = np.zeros, np.eye(n)
    A = np.block([[zero((n, n)), one], [-Kii, -Lii]])
    B = np.block([[zero((n, 3 * boundary))], [-Kib, -Lib, -Mib]])
    C = np.block([[-K[b, i] + M[b, i] @ Kii, -L[b, i] + M[b, i] @ Lii], [one, zero((n, n))]])
    D = np.block(
        [
            [-K[b, b] + M[b, i] @ Kib, -L[b, b] + M[b, i] @ Lib, -M[b, b] + M[b, i] @ Mib],
            [zero((n, 3 * boundary))],
        ]
    )
    return A, B, C, D


def hrz_lumps(reduced: Reduced, mass: float) -> Array:
    """Lumped mass matrix of the boundary coordinates (Hinton, Rock & Zienkiewicz 1976; Blaauw, 5.2.3): the diagonal of
    the reduced one, scaled so that translations carry the mass (kg) along each axis; all else is left out. Turns about
    an axis, for which the sources do not say it, are scaled with the mean of the two translations across it."""
    diagonal = np.diag(reduced.M)[: reduced.boundary].reshape(-1, DIRECTIONS)
    scale = mass / diagonal[:, :3].sum(axis=0)
    turns = 0.5 * (scale.sum() - scale)
    out: Array = np.diag((diagonal * np.concatenate([scale, turns])).ravel())
    return out
