"""Rotations with Euler parameters, and the sign conventions everything else relies on.

Euler parameters p = (e0, e1, e2, e3) are scalar first and unit; A(p) takes body components to world
components (Nikravesh 1988; Viegas 2016, eq. 2.4). Angular velocities are in body axes unless named otherwise.
Functions ending in `_kernel` are compiled and work on single bodies; the others are vectorised numpy.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from .arrays import Array


def skew(a: ArrayLike) -> Array:
    """The matrix a~ with a~ b = a x b. a: (..., 3); returns (..., 3, 3)."""
    v = np.asarray(a, dtype=np.float64)
    out = np.zeros((*v.shape[:-1], 3, 3))
    out[..., 0, 1], out[..., 0, 2] = -v[..., 2], v[..., 1]
    out[..., 1, 0], out[..., 1, 2] = v[..., 2], -v[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -v[..., 1], v[..., 0]
    return out


def rotation_matrix(p: ArrayLike) -> Array:
    """A(p) for unit Euler parameters p (..., 4); returns (..., 3, 3) (Viegas 2016, eq. 2.4)."""
    q = np.asarray(p, dtype=np.float64)
    e0, e1, e2, e3 = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    out = np.empty((*q.shape[:-1], 3, 3))
    out[..., 0, 0] = 2.0 * (e0 * e0 + e1 * e1) - 1.0
    out[..., 0, 1] = 2.0 * (e1 * e2 - e0 * e3)
    out[..., 0, 2] = 2.0 * (e1 * e3 + e0 * e2)
    out[..., 1, 0] = 2.0 * (e1 * e2 + e0 * e3)
    out[..., 1, 1] = 2.0 * (e0 * e0 + e2 * e2) - 1.0
    out[..., 1, 2] = 2.0 * (e2 * e3 - e0 * e1)
    out[..., 2, 0] = 2.0 * (e1 * e3 - e0 * e2)
    out[..., 2, 1] = 2.0 * (e2 * e3 + e0 * e1)
    out[..., 2, 2] = 2.0 * (e0 * e0 + e3 * e3) - 1.0
    return out


def multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """Euler parameters of A(p) A(q). p, q: (..., 4)."""
    a, b = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    a0, a1, a2, a3 = np.moveaxis(a, -1, 0)
    b0, b1, b2, b3 = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
            a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
            a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
            a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
        ],
        axis=-1,
    )


def conjugate(p: ArrayLike) -> Array:
    """Euler parameters of A(p) transposed. p: (..., 4)."""
    return np.asarray(np.asarray(p, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0]))


def from_matrix(matrix: ArrayLike) -> Array:
    """Euler parameters (4,) with e0 >= 0 of one rotation matrix (3, 3)."""
    m = np.asarray(matrix, dtype=np.float64)
    trace = float(np.trace(m))
    squares = np.array([1.0 + trace, *(1.0 + 2.0 * m[k, k] - trace for k in range(3))]) / 4.0
    k = int(np.argmax(squares))
    p = np.empty(4)
    if k == 0:
        p[0] = math.sqrt(squares[0])
        p[1:] = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / (4.0 * p[0])
    else:
        i, j, n = k - 1, k % 3, (k + 1) % 3
        p[k] = math.sqrt(squares[k])
        p[0] = (m[n, j] - m[j, n]) / (4.0 * p[k])
        p[1 + j] = (m[j, i] + m[i, j]) / (4.0 * p[k])
        p[1 + n] = (m[n, i] + m[i, n]) / (4.0 * p[k])
    p /= np.linalg.norm(p)
    return np.asarray(p if p[0] >= 0.0 else -p)


def from_rotation_vector(vector: ArrayLike) -> Array:
    """Euler parameters (..., 4) of the rotation about `vector` (..., 3) by its length (rad)."""
    v = np.asarray(vector, dtype=np.float64)
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(angle / 2.0), 0.5 * np.sinc(angle / (2.0 * np.pi)) * v], axis=-1)


def rotation_vector(p: ArrayLike) -> Array:
    """The rotation vector (..., 3), length in [0, pi], of Euler parameters p (..., 4)."""
    q = np.asarray(p, dtype=np.float64)
    q = np.where(q[..., :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    factor = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return np.asarray(factor * q[..., 1:])


def perpendicular(axis: ArrayLike) -> tuple[Array, Array, Array]:
    """A right-handed orthonormal triad (f, g, a) with a along `axis` (3,): f x g = a."""
    a = np.asarray(axis, dtype=np.float64)
    a = a / np.linalg.norm(a)
    seed = np.zeros(3)
    seed[int(np.argmin(np.abs(a)))] = 1.0
    f = np.cross(a, seed)
    f /= np.linalg.norm(f)
    return f, np.cross(a, f), a


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
def rotation_matrix_kernel(p, A):  # type: ignore[no-untyped-def]
    """A(p) of one body: p (4,) in, A (3, 3) out."""
    e0, e1, e2, e3 = p[0], p[1], p[2], p[3]
    A[0, 0] = 2.0 * (e0 * e0 + e1 * e1) - 1.0
    A[0, 1] = 2.0 * (e1 * e2 - e0 * e3)
    A[0, 2] = 2.0 * (e1 * e3 + e0 * e2)
    A[1, 0] = 2.0 * (e1 * e2 + e0 * e3)
    A[1, 1] = 2.0 * (e0 * e0 + e2 * e2) - 1.0
    A[1, 2] = 2.0 * (e2 * e3 - e0 * e1)
    A[2, 0] = 2.0 * (e1 * e3 - e0 * e2)
    A[2, 1] = 2.0 * (e2 * e3 + e0 * e1)
    A[2, 2] = 2.0 * (e0 * e0 + e3 * e3) - 1.0


@njit(cache=True, nogil=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
def rotate_by_vector_kernel(p, x, y, z, out):  # type: ignore[no-untyped-def]
    """out (4,) = p o exp(x, y, z): turns body p by a rotation vector given in its own axes; normalised."""
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    # sin(half)/half from its series where the quotient would lose digits
    k = 0.5 * (1.0 - half * half / 6.0 if half < 1e-4 else math.sin(half) / half)
    b0, b1, b2, b3 = math.cos(half), k * x, k * y, k * z
    a0, a1, a2, a3 = p[0], p[1], p[2], p[3]
    c0 = a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3
    c1 = a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2
    c2 = a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1
    c3 = a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0
    norm = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3)
    out[0], out[1], out[2], out[3] = c0 / norm, c1 / norm, c2 / norm, c3 / norm
