"""Courses: a motion that is known at instants, followed in between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_matrix
from ridewright.core.multibody.course import APART, Course, course

TILT, TURNS, SWAY = 0.4, 2.3, 3.1  # rad, 1/s, 1/s


class Known(NamedTuple):
    """A motion in closed form at instants: place, matrix, and first and second derivatives."""

    r: np.ndarray
    v: np.ndarray
    a: np.ndarray
    A: np.ndarray
    w: np.ndarray
    dw: np.ndarray


def somersaults(t: np.ndarray) -> Known:
    """A body that turns over and over about y while it nods about its own x: A = Ry(TURNS t + 0.3) Rx(TILT sin SWAY t),
    so that its angular velocity in its own axes is Rx^T (0, TURNS, 0) + (d tilt, 0, 0)."""
    r = np.stack([20.0 * t + np.sin(2.0 * t), np.cos(3.0 * t), 0.5 * t**3], axis=1)
    v = np.stack([20.0 + 2.0 * np.cos(2.0 * t), -3.0 * np.sin(3.0 * t), 1.5 * t**2], axis=1)
    a = np.stack([-4.0 * np.sin(2.0 * t), -9.0 * np.cos(3.0 * t), 3.0 * t], axis=1)
    f, q = TURNS * t + 0.3, TILT * np.sin(SWAY * t)
    d, dd = TILT * SWAY * np.cos(SWAY * t), -TILT * SWAY**2 * np.sin(SWAY * t)
    one, zero = np.ones_like(t), np.zeros_like(t)
    over = np.array([[np.cos(f), zero, np.sin(f)], [zero, one, zero], [-np.sin(f), zero, np.cos(f)]])
    nod = np.array([[one, zero, zero], [zero, np.cos(q), -np.sin(q)], [zero, np.sin(q), np.cos(q)]])
    A = np.einsum("ijn,jkn->nik", over, nod)
    w = np.stack([d, TURNS * np.cos(q), -TURNS * np.sin(q)], axis=1)
    dw = np.stack([dd, -TURNS * d * np.sin(q), -TURNS * d * np.cos(q)], axis=1)
    return Known(r, v, a, A, w, dw)


def told(t: np.ndarray) -> Course:
    k = somersaults(t)
    return course("Body", t, (k.r[0], from_matrix(k.A[0])), (k.v, k.a, k.w, k.dw))


def errors(step: float) -> np.ndarray:
    """Largest errors of place (m), acceleration (m/s^2), axes and their second derivatives (1/s^2) between instants."""
    made = told(np.arange(0.0, 3.0 + 1e-9, step))
    t = np.linspace(0.0, 3.0, 997)
    exact, found = somersaults(t), made.path.sample(t)
    axes = []
    for axis in np.eye(3)[1:]:
        spun = np.cross(exact.w, axis)
        twice = np.cross(exact.dw, axis) + np.cross(exact.w, spun)
        axes.append([np.einsum("nij,nj->ni", exact.A, x) for x in (np.broadcast_to(axis, spun.shape), twice)])
    return np.array([
        np.abs(found[:, 0, :3] - exact.r).max(),
        np.abs(found[:, 2, :3] - exact.a).max(),
        max(np.abs(found[:, 0, k : k + 3] - one[0]).max() for k, one in zip((3, 6), axes, strict=True)),
        max(np.abs(found[:, 2, k : k + 3] - one[1]).max() for k, one in zip((3, 6), axes, strict=True)),
    ])  # fmt: skip


def test_that_a_course_follows_somersaults_with_its_orders() -> None:
    """Places and turns of order 4 in the distance of the instants, accelerations of order 3 or more."""
    coarse, fine = errors(0.02), errors(0.01)
    orders = np.log2(coarse / fine)
    assert orders[0] == pytest.approx(4.0, abs=0.3)
    assert orders[2] == pytest.approx(4.0, abs=0.3)
    assert orders[1] > 2.7
    assert orders[3] > 2.7
    assert fine[0] < 1e-7
    assert fine[2] < 1e-6


def test_that_instants_that_all_but_coincide_leave_no_jolt() -> None:
    t = np.arange(0.0, 1.0 + 1e-9, 0.01)
    crowded = np.sort(np.concatenate([t, t[1:-1] + 1e-9, t[1:-1] + 0.5 * APART]))
    at = np.linspace(0.0, 1.0, 1001)
    plain, more = told(t).path.sample(at), told(crowded).path.sample(at)
    assert more == pytest.approx(plain, abs=1e-6)
    assert told(crowded).end == 1.0


def test_that_one_instant_is_no_course() -> None:
    with pytest.raises(InputError, match="motion of 'Body', which is known at one instant only"):
        told(np.array([0.0]))
