"""Applied and inertial forces of the bodies, and what the force elements carry, geometry by geometry.

Generalised forces are a line (see layout): (Fx, Fy, Fz world; Mx, My, Mz body axes) for each body, then one along each
guide's path (always zero: the path coordinate has no inertia of its own and no force).

A geometry knows its coordinate and how a load along it acts on the bodies; what the load is, says a law
(`core.model.laws`). Every geometry has one loop here and one in tangent_kernels:
  distance  of two points                                    angle  about an axis, unwrapped
  slide     of a point of j along a direction that i carries  turn   rotation vector of j against i, axes of i
  frame     of j against one of i: displacement and rotation vector, axes of the frame of i
  speed     of a body's centre                                path   along a guide, with the force between body and path
  load      none: functions of time are a force or torque
Rotation vectors q: what is elastic acts as the gradient of its energy, with the moment T^-T f of a load f, where T q'
is the angular velocity; what is viscous acts along the angular velocity itself.

Element output rows (coordinate, its rate, load in tension or opening, stored energy, slope of the load with the
coordinate) come in the order distance, angle, turn (without slope: its size has no sign), slide, frame (six rows an
element, the energy in the first); the rest has none.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from core.jit.decorators import inner, kernel
from core.model.laws import COORDINATES, D, F, X
from core.multibody.arrays import (
    ACTIVE,
    ALGEBRAIC,
    BODY,
    DC,
    E_ANGLE,
    E_DISTANCE,
    E_FRAME,
    E_LOAD,
    E_PATH,
    E_SLIDE,
    E_SPEED,
    E_TURN,
    FN_AT,
    FORCE,
    GD,
    GUIDE_ROW,
    LAW,
    M0,
    M1,
    META,
    P0,
    P1,
    PAR,
    PLAIN,
    SLOT,
    Z0,
    Z1,
    count,
    int_line,
    ints,
    real_line,
    reals,
    sizes,
)
from core.multibody.constraint_kernels import _back, _cross, _dot, _turn, separation
from core.multibody.device_kernels import device_forces
from core.multibody.law_kernels import FIRST_WIDE, as_scalar, remember, scalar_law, wide_law
from core.multibody.layout import TURN

# lines of Work.z: internal unknowns, their rates, what they start the step from
Z_NOW, Z_RATE, Z_BASE = range(3)
# Work.z_step: the step of z' = (z - base) / step, 0 where z is given, AT_REST where it is found with z' = 0; and 1
# where some internal unknowns could not be found in the last `forces`
AT_REST = -1.0


@inner
def by_law(S, W, who, x, v):
    """What an element's law says at coordinate x (from its origin) and rate v: load, slopes, stored energy, loss."""
    p = real_line(S, PAR)[who[P0] : who[P1]]
    m = W.memory[who[M0] : who[M1]]
    s = W.fn[who[FN_AT], 0] if who[FN_AT] >= 0 else 0.0
    if who[LAW] < FIRST_WIDE:
        return scalar_law(who[LAW], p, x, v, m, s)
    W.coordinates[0, 0], W.coordinates[1, 0] = x, v
    stored, lost = by_wide_law(S, W, who, 1)
    return as_scalar(W.wide, stored, lost)


@inner
def by_wide_law(S, W, who, n):
    """As `by_law` for n coordinates in W.coordinates[0], rates in [1]; loads and slopes go to W.wide."""
    p = real_line(S, PAR)[who[P0] : who[P1]]
    m = W.memory[who[M0] : who[M1]]
    s = W.fn[who[FN_AT], 0] if who[FN_AT] >= 0 else 0.0
    a, b = who[Z0], who[Z1]
    return wide_law(
        who[LAW], p, W.coordinates[0, :n], W.coordinates[1, :n], W.z[Z_NOW, a:b], W.z[Z_BASE, a:b], W.z[Z_RATE, a:b],
        W.z_step, who[ALGEBRAIC], m, s, W.wide, W.gauss,
    )  # fmt: skip


@inner
def _lose(W, who, lost):
    """Book what an element loses or, if it is active, takes out."""
    if who[ACTIVE] == 0:
        W.power[0] += lost
    else:
        W.power[2] -= lost


@inner
def _point_velocity(A, u, slot, s, out):
    """out = v + A (w x s)."""
    w0, w1, w2 = u[slot + 3], u[slot + 4], u[slot + 5]
    x = w1 * s[2] - w2 * s[1]
    y = w2 * s[0] - w0 * s[2]
    z = w0 * s[1] - w1 * s[0]
    for c in range(3):
        out[c] = u[slot + c] + A[c, 0] * x + A[c, 1] * y + A[c, 2] * z


@inner
def _push(force, slot, A, s, f, sign):
    """Add sign f (world) at the point s of a body to the generalised forces."""
    b0 = sign * (A[0, 0] * f[0] + A[1, 0] * f[1] + A[2, 0] * f[2])
    b1 = sign * (A[0, 1] * f[0] + A[1, 1] * f[1] + A[2, 1] * f[2])
    b2 = sign * (A[0, 2] * f[0] + A[1, 2] * f[1] + A[2, 2] * f[2])
    for c in range(3):
        force[slot + c] += sign * f[c]
    force[slot + 3] += s[1] * b2 - s[2] * b1
    force[slot + 4] += s[2] * b0 - s[0] * b2
    force[slot + 5] += s[0] * b1 - s[1] * b0


@inner
def _twist(force, slot, A, a, moment):
    """Add the moment (about the world direction a) to a body."""
    for c in range(3):
        force[slot + 3 + c] += moment * (A[0, c] * a[0] + A[1, c] * a[1] + A[2, c] * a[2])


@kernel
def forces(S, W, u, lam):
    """All forces but those of constraints: W.vel[FORCE], element outputs W.el, powers W.power (W).

    u: line of velocities at the pose of the last `constraints` call; lam (m,) multipliers, which the force between
    body and path needs. W.power: dissipated in elements, taken by drag, put in by applied forces and devices. Internal
    unknowns of elements are found on the way (W.z, with W.z_step).
    """
    nb, _, _, _ = sizes(S)
    at, force = int_line(S, SLOT), W.vel[FORCE]
    force[:] = 0.0
    W.power[:] = 0.0
    W.z_step[1] = 0.0
    gravity, body = reals(S, META)[0], reals(S, BODY)
    for b in range(nb):
        q = at[b]
        w0, w1, w2 = u[q + 3], u[q + 4], u[q + 5]
        I0, I1, I2 = body[b, 1], body[b, 2], body[b, 3]
        for c in range(3):
            force[q + c] = body[b, 0] * gravity[c]
        force[q + 3] = (I1 - I2) * w1 * w2
        force[q + 4] = (I2 - I0) * w2 * w0
        force[q + 5] = (I0 - I1) * w0 * w1
    n = _distances(S, W, u, at, force, 0)
    n = _angles(S, W, u, at, force, n)
    n = _turns(S, W, u, at, force, n)
    n = _slides(S, W, u, at, force, n)
    _frames(S, W, u, at, force, n)
    _applied(ints(S, E_LOAD), reals(S, E_LOAD), W.A, W.fn, u, at, W.tmp, force, W.power)
    _resistances(S, W, u, at, lam)
    if count(S, DC) > 0:
        device_forces(S, W, u)


@inner
def _distances(S, W, u, at, force, n):
    rows, what, A, el = ints(S, E_DISTANCE), reals(S, E_DISTANCE), W.A, W.el
    d, vi, vj = W.tmp[0], W.tmp[1], W.tmp[2]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        si, sj = what[k, 0:3], what[k, 3:6]
        bi, bj = at[i], at[j]
        separation(A, W.r, i, j, si, sj, d)
        _point_velocity(A[i], u, bi, si, vi)
        _point_velocity(A[j], u, bj, sj, vj)
        length = max(math.sqrt(_dot(d, d)), 1e-12)
        rate = 0.0
        for x in range(3):
            d[x] /= length
            rate += d[x] * (vj[x] - vi[x])
        f, slope, _, stored, lost = by_law(S, W, rows[k], length - what[k, 6], rate)
        el[n, 0], el[n, 1], el[n, 2], el[n, 3], el[n, 4] = length, rate, f, stored, slope
        _lose(W, rows[k], lost)
        _push(force, bi, A[i], si, d, f)
        _push(force, bj, A[j], sj, d, -f)
        n += 1
    return n


@inner
def axis_angle(who, what, A, angle0, tmp, a):
    """Angle of body j against i about an element's axis, unwrapped next to angle0; a (3,) out: world axis."""
    Ai, Aj = A[who[0]], A[who[1]]
    fj, x, y = tmp[15], tmp[16], tmp[17]
    _turn(Aj, what[9:12], fj)
    _turn(Ai, what[0:3], x)
    _turn(Ai, what[3:6], y)
    _turn(Ai, what[6:9], a)
    angle = math.atan2(_dot(y, fj), _dot(x, fj))
    return angle + 2.0 * math.pi * math.floor((angle0 - angle) / (2.0 * math.pi) + 0.5)


@kernel
def keep_elements(S, W):
    """Make the present state of the elements, as the last `forces` call left it, the one of the last accepted step:
    unwrapped angles in W.angle0, and what laws remember in W.memory."""
    rows, what = ints(S, E_ANGLE), reals(S, E_ANGLE)
    for k in range(rows.shape[0]):
        W.angle0[k] = axis_angle(rows[k], what[k], W.A, W.angle0[k], W.tmp, W.tmp[0])
    if W.memory.shape[0] == 0:
        return
    n = _remember(S, W, ints(S, E_DISTANCE), reals(S, E_DISTANCE), 6, 0)
    n = _remember(S, W, rows, what, 12, n)
    n += ints(S, E_TURN).shape[0]
    _remember(S, W, ints(S, E_SLIDE), reals(S, E_SLIDE), 9, n)


@inner
def _remember(S, W, rows, what, origin, n):
    for k in range(rows.shape[0]):
        who = rows[k]
        if who[M1] > who[M0]:
            p, m = real_line(S, PAR)[who[P0] : who[P1]], W.memory[who[M0] : who[M1]]
            remember(who[LAW], p, W.el[n, 0] - what[k, origin], W.el[n, 1], m)
        n += 1
    return n


@inner
def _angles(S, W, u, at, force, n):
    rows, what, A, el = ints(S, E_ANGLE), reals(S, E_ANGLE), W.A, W.el
    a, wi, wj = W.tmp[0], W.tmp[1], W.tmp[2]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        bi, bj = at[i], at[j]
        angle = axis_angle(rows[k], what[k], A, W.angle0[k], W.tmp, a)
        _turn(A[i], u[bi + TURN :], wi)
        _turn(A[j], u[bj + TURN :], wj)
        rate = _dot(a, wj) - _dot(a, wi)
        moment, slope, _, stored, lost = by_law(S, W, rows[k], angle - what[k, 12], rate)
        el[n, 0], el[n, 1], el[n, 2], el[n, 3], el[n, 4] = angle, rate, moment, stored, slope
        _lose(W, rows[k], lost)
        _twist(force, bi, A[i], a, moment)
        _twist(force, bj, A[j], a, -moment)
        n += 1
    return n


@inner
def _relative_rotation(Ai, Aj, drawn, m, out):
    """Rotation vector (axes of body i, out (3,)) of body j against i since the drawn pose; returns its length.

    drawn (9,): row-major A_i^T A_j as drawn; m (3, 3): scratch.
    """
    for r in range(3):
        for c in range(3):
            x = 0.0
            for e in range(3):
                y = Ai[0, r] * Aj[0, e] + Ai[1, r] * Aj[1, e] + Ai[2, r] * Aj[2, e]
                x += y * drawn[3 * c + e]
            m[r, c] = x
    return _log(m, out)


@inner
def _log(m, out):
    """Rotation vector (3,) of a rotation matrix m, shorter than pi; returns its length."""
    x, y, z = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (m[0, 0] + m[1, 1] + m[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    scale = 0.5 * (angle / sine if sine > 1e-9 else 1.0)
    out[0], out[1], out[2] = scale * x, scale * y, scale * z
    return angle


@inner
def _as_gradient(q, f, out):
    """out = T^-T f of a rotation vector q with T q' = angular velocity in the axes of the first frame.

    T^-1 = 1 - q~/2 + c q~^2 with c = (1 - (|q|/2) cot(|q|/2)) / |q|^2, regular up to a full turn.
    """
    angle2 = _dot(q, q)
    if angle2 < 1e-6:
        c = 1.0 / 12.0 + angle2 / 720.0
    else:
        half = 0.5 * math.sqrt(angle2)
        c = (1.0 - half * math.cos(half) / math.sin(half)) / angle2
    x, y, z = q[1] * f[2] - q[2] * f[1], q[2] * f[0] - q[0] * f[2], q[0] * f[1] - q[1] * f[0]
    out[0] = f[0] + 0.5 * x + c * (q[1] * z - q[2] * y)
    out[1] = f[1] + 0.5 * y + c * (q[2] * x - q[0] * z)
    out[2] = f[2] + 0.5 * z + c * (q[0] * y - q[1] * x)


@inner
def turn_coordinates(who, what, A, u, bi, bj, W):
    """Rotation vector and angular velocity (axes of body i) of body j against i, into W.coordinates; the angle."""
    i, j = who[0], who[1]
    x, v = W.coordinates[0], W.coordinates[1]
    w = W.tmp[18]
    angle = _relative_rotation(A[i], A[j], what, W.tmp[21:24], x)
    _turn(A[j], u[bj + TURN :], w)
    _back(A[i], w, v)
    for c in range(3):
        v[c] -= u[bi + TURN + c]
    return angle


@inner
def _turns(S, W, u, at, force, n):
    rows, what, A, el, out = ints(S, E_TURN), reals(S, E_TURN), W.A, W.el, W.wide
    q, v, f, w = W.coordinates[0], W.coordinates[1], W.tmp[0], W.tmp[1]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        bi, bj = at[i], at[j]
        angle = turn_coordinates(rows[k], what[k], A, u, bi, bj, W)
        stored, lost = by_wide_law(S, W, rows[k], 3)
        _as_gradient(q, out[0:3, F], f)
        rate = moment = 0.0
        for c in range(3):
            f[c] += out[c, D]
            if angle > 1e-12:
                rate += v[c] * q[c] / angle
                moment += f[c] * q[c] / angle
        el[n, 0], el[n, 1], el[n, 2], el[n, 3] = angle, rate, moment, stored
        _lose(W, rows[k], lost)
        _turn(A[i], f, w)
        _twist(force, bi, A[i], w, 1.0)
        _twist(force, bj, A[j], w, -1.0)
        n += 1
    return n


@inner
def _slides(S, W, u, at, force, n):
    rows, what, A, el = ints(S, E_SLIDE), reals(S, E_SLIDE), W.A, W.el
    d, a, vi, vj, x = W.tmp[0], W.tmp[1], W.tmp[2], W.tmp[3], W.tmp[4]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        si, sj = what[k, 3:6], what[k, 6:9]
        bi, bj = at[i], at[j]
        separation(A, W.r, i, j, si, sj, d)
        _turn(A[i], what[k, 0:3], a)
        _point_velocity(A[i], u, bi, si, vi)
        _point_velocity(A[j], u, bj, sj, vj)
        slide = _dot(a, d)
        _turn(A[i], u[bi + TURN :], x)
        rate = _dot(a, vj) - _dot(a, vi)
        rate += x[0] * (a[1] * d[2] - a[2] * d[1])
        rate += x[1] * (a[2] * d[0] - a[0] * d[2]) + x[2] * (a[0] * d[1] - a[1] * d[0])
        f, slope, _, stored, lost = by_law(S, W, rows[k], slide - what[k, 9], rate)
        el[n, 0], el[n, 1], el[n, 2], el[n, 3], el[n, 4] = slide, rate, f, stored, slope
        _lose(W, rows[k], lost)
        _push(force, bi, A[i], si, a, f)
        _push(force, bj, A[j], sj, a, -f)
        # the direction turns with body i: the lever d carries a moment on it
        _cross(d, a, x)
        _twist(force, bi, A[i], x, f)
        n += 1
    return n


@inner
def frame_coordinates(who, what, A, r, u, bi, bj, W):
    """Displacement and rotation vector of the frame on j against that on i and their rates, in the axes of the latter,
    into W.coordinates.

    W.tmp[0]: the point of the frame on j in the axes of body i; W.tmp[9:12]: world axes of the frame on i, as rows;
    W.tmp[12:15]: those of the frame on j.
    """
    i, j = who[0], who[1]
    x, v, tmp = W.coordinates[0], W.coordinates[1], W.tmp
    at, d, vi, vj, w = tmp[0], tmp[1], tmp[2], tmp[3], tmp[4]
    P, Q, m = tmp[9:12], tmp[12:15], tmp[21:24]
    separation(A, r, i, j, what[0:3], what[3:6], d)
    _back(A[i], d, at)
    for c in range(3):
        at[c] += what[c]
        _turn(A[i], what[6 + 3 * c : 9 + 3 * c], P[c])
        _turn(A[j], what[15 + 3 * c : 18 + 3 * c], Q[c])
    _point_velocity(A[i], u, bi, at, vi)
    _point_velocity(A[j], u, bj, what[3:6], vj)
    for c in range(3):
        for e in range(3):
            m[c, e] = _dot(P[c], Q[e])
        vj[c] -= vi[c]
    _log(m, x[3:6])
    _turn(A[i], u[bi + TURN :], vi)
    _turn(A[j], u[bj + TURN :], w)
    for c in range(3):
        w[c] -= vi[c]
    for c in range(3):
        x[c], v[c], v[3 + c] = _dot(P[c], d), _dot(P[c], vj), _dot(P[c], w)


@inner
def _frames(S, W, u, at, force, n):
    rows, what, A, el, out = ints(S, E_FRAME), reals(S, E_FRAME), W.A, W.el, W.wide
    x, v, P = W.coordinates[0], W.coordinates[1], W.tmp[9:12]
    f, world, turned = W.tmp[5], W.tmp[6], W.tmp[7]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        bi, bj = at[i], at[j]
        frame_coordinates(rows[k], what[k], A, W.r, u, bi, bj, W)
        stored, lost = by_wide_law(S, W, rows[k], 6)
        for c in range(COORDINATES):
            el[n + c, 0], el[n + c, 1], el[n + c, 2], el[n + c, 3] = x[c], v[c], out[c, F] + out[c, D], 0.0
            el[n + c, 4] = out[c, X + c]
        el[n, 3] = stored
        _lose(W, rows[k], lost)
        _as_gradient(x[3:6], out[3:6, F], f)
        for e in range(3):
            world[e] = turned[e] = 0.0
            for c in range(3):
                world[e] += P[c, e] * (out[c, F] + out[c, D])
                turned[e] += P[c, e] * (f[c] + out[3 + c, D])
        _push(force, bi, A[i], W.tmp[0], world, 1.0)
        _push(force, bj, A[j], what[k, 3:6], world, -1.0)
        _twist(force, bi, A[i], turned, 1.0)
        _twist(force, bj, A[j], turned, -1.0)
        n += 6


@inner
def _applied(who, what, A, fn, u, at, tmp, force, power):
    f, x = tmp[0], tmp[1]
    for k in range(who.shape[0]):
        b = who[k, 0]
        slot = at[b]
        kind = who[k, 4]
        for c in range(3):
            f[c] = fn[who[k, 1 + c], 0]
        if kind == 1 or kind == 3:
            _turn(A[b], f, x)
            for c in range(3):
                f[c] = x[c]
        if kind < 2:
            _push(force, slot, A[b], what[k], f, 1.0)
            _point_velocity(A[b], u, slot, what[k], x)
        else:
            _twist(force, slot, A[b], f, 1.0)
            _turn(A[b], u[slot + TURN :], x)
        power[2] += _dot(f, x)


@inner
def _resistances(S, W, u, at, lam):
    """Loads against the motion: of bodies with their speed, of guides with the force between body and path."""
    force, f, v = W.vel[FORCE], W.tmp[0], W.tmp[1]
    rows = ints(S, E_SPEED)
    for k in range(rows.shape[0]):
        q = at[rows[k, 0]]
        speed = math.sqrt(u[q] ** 2 + u[q + 1] ** 2 + u[q + 2] ** 2)
        load, _, _, _, lost = by_law(S, W, rows[k], 0.0, speed)
        for c in range(3):
            force[q + c] -= load * (u[q + c] / speed if speed > 0.0 else 0.0)
        W.power[1] += lost
    rows = ints(S, E_PATH)
    if rows.shape[0] == 0:
        return
    guides, points, along = ints(S, GD), reals(S, GD), int_line(S, PLAIN)
    first = ints(S, META)[0, GUIDE_ROW]
    for k in range(rows.shape[0]):
        g = rows[k, 0]
        b = guides[g, 0]
        row = first + 3 * g
        pressed = math.sqrt(lam[row] ** 2 + lam[row + 1] ** 2 + lam[row + 2] ** 2)
        pull, _, _, _, _ = by_law(S, W, rows[k], pressed, u[along[g]])
        for c in range(3):
            f[c] = -pull * W.path[g, 1, c]
        _push(force, at[b], W.A[b], points[g], f, 1.0)
        _point_velocity(W.A[b], u, at[b], points[g], v)
        W.power[1] -= _dot(f, v)
