"""Mass times a line: of every body the diagonal of mass and moments of inertia, and blocks of those that have more.

A body's mass is a block over its slots (velocity of its centre in world axes, angular velocity in its own, rates of its
modal coordinates). The diagonal of a rigid body on principal axes stands in the table BODY and is all that most bodies
have; what a block has besides (products of inertia, modal coordinates, what couples them with rotation) is a row of
the table BLOCK, with nothing in the rows and columns of the translation. With angular momentum J w + C w + B v of a
body, diagonal J, v the rates of its modal coordinates and [C B; B^T D] its row of BLOCK,
  J w' + C w' + B v' + w x (J w + C w + B v) = moment,   B^T w' + D v' = modal force.
Rows of BLOCK are constant; kernels take them from Work.block, where `flexible_kernels` has put those of flexible bodies
as they are bent (what comes of C and B changing stands among the forces). This is the velocity form: rotation is
advanced by the momentum of the diagonal alone, so that a free flexible body keeps its angular momentum not to rounding
but to the second order of the step.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner
from .arrays import BLOCK, BODY, SIZE, SLOT, int_line, ints, reals
from .layout import TURN


@inner
def subtract_inertia(body, at, acceleration, out):
    """out -= M acceleration without blocks, both lines; body (nb, 4): mass and inertia."""
    for b in range(body.shape[0]):
        q, w = at[b], at[b] + TURN
        for c in range(3):
            out[q + c] -= body[b, 0] * acceleration[q + c]
            out[w + c] -= body[b, 1 + c] * acceleration[w + c]


@inner
def _block_row(size, row, i, x, first):
    """Row i of a block times a line; size: slots of its body; first: slot of the body."""
    out, n = 0.0, size - TURN
    for j in range(n):
        out += row[i * n + j] * x[first + TURN + j]
    return out


@inner
def subtract_blocks(S, block, acceleration, out):
    """out -= what blocks make of the accelerations, both lines."""
    index, at, size = ints(S, BLOCK), int_line(S, SLOT), int_line(S, SIZE)
    for k in range(index.shape[0]):
        b = index[k, 0]
        for i in range(size[b] - TURN):
            out[at[b] + TURN + i] -= _block_row(size[b], block[k], i, acceleration, at[b])


@inner
def subtract_mass(S, block, acceleration, out):
    """out -= M acceleration, both lines."""
    subtract_inertia(reals(S, BODY), int_line(S, SLOT), acceleration, out)
    subtract_blocks(S, block, acceleration, out)


@inner
def subtract_mean_blocks(S, block0, block1, A0, A1, acceleration, out):
    """As `subtract_blocks` for accelerations of the middle of a step, as the mean of what the blocks at both its ends
    make of them, moments in world axes with the axes A0 and A1 (nb + 1, 3, 3) there, in the axes of the end."""
    index, at, size = ints(S, BLOCK), int_line(S, SLOT), int_line(S, SIZE)
    for k in range(index.shape[0]):
        b = index[k, 0]
        q = at[b] + TURN
        for i in range(size[b] - TURN):
            first = 0.5 * _block_row(size[b], block0[k], i, acceleration, at[b])
            last = 0.5 * _block_row(size[b], block1[k], i, acceleration, at[b])
            out[q + i] -= last
            if i >= TURN:
                out[q + i] -= first
                continue
            for c in range(3):
                world = A0[b, c, i] * first
                for j in range(TURN):
                    out[q + j] -= A1[b, c, j] * world


@inner
def block_forces(S, block, u, force):
    """force += the moments -w x (C w + B v) of bodies with blocks."""
    index, at, size = ints(S, BLOCK), int_line(S, SLOT), int_line(S, SIZE)
    for k in range(index.shape[0]):
        b = index[k, 0]
        q = at[b] + TURN
        h0 = _block_row(size[b], block[k], 0, u, at[b])
        h1 = _block_row(size[b], block[k], 1, u, at[b])
        h2 = _block_row(size[b], block[k], 2, u, at[b])
        force[q] -= u[q + 1] * h2 - u[q + 2] * h1
        force[q + 1] -= u[q + 2] * h0 - u[q] * h2
        force[q + 2] -= u[q] * h1 - u[q + 1] * h0


@inner
def block_energy(S, block, u):
    """Kinetic energy (J) that blocks add to that of mass and moments of inertia."""
    index, at, size = ints(S, BLOCK), int_line(S, SLOT), int_line(S, SIZE)
    out = 0.0
    for k in range(index.shape[0]):
        b = index[k, 0]
        for i in range(size[b] - TURN):
            out += 0.5 * u[at[b] + TURN + i] * _block_row(size[b], block[k], i, u, at[b])
    return out


@inner
def block_tangent(S, block, cM, Hd):
    """Hd (bodies, widest, widest) += cM times the blocks; lower parts."""
    index, size = ints(S, BLOCK), int_line(S, SIZE)
    for k in range(index.shape[0]):
        b = index[k, 0]
        n = size[b] - TURN
        for i in range(n):
            for j in range(i + 1):
                Hd[b, TURN + i, TURN + j] += cM * block[k, i * n + j]
