"""Applied and inertial forces of the bodies, what the force elements carry, and their tangents.

Generalised forces follow the velocities: (Fx, Fy, Fz world; Mx, My, Mz body axes) for each body, then one along
each guide's path (always zero: the path coordinate has no inertia of its own and no force).
Element output rows (length or angle, its rate, force or moment in tension/opening, stored energy): spring-
dampers first, then springs about an axis and stops, springs in all directions, stops along a direction.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from core.jit.decorators import inner, kernel
from core.multibody.arrays import (
    AD,
    AF,
    BODY,
    BS,
    CURVE,
    DC,
    DOT,
    DS,
    FORCE,
    GD,
    META,
    PT,
    RR,
    RS,
    SL,
    SP,
    ST,
    count,
    ints,
    reals,
    sizes,
)
from core.multibody.constraint_kernels import _back, _cross, _dot, _turn, separation
from core.multibody.device_kernels import device_forces


@inner
def _curve(curve, first, end, x):
    """Force, stiffness and stored energy of a tabulated spring at extension x; rows: x0, c0..c3, energy at x0."""
    lo, hi = first, end - 1
    if x >= curve[hi, 0]:
        y = x - curve[hi, 0]
        k = curve[hi, 2]
        return curve[hi, 1] + k * y, k, curve[hi, 5] + y * (curve[hi, 1] + 0.5 * k * y)
    if x <= curve[lo, 0]:
        y = x - curve[lo, 0]
        k = curve[lo, 2]
        return curve[lo, 1] + k * y, k, curve[lo, 5] + y * (curve[lo, 1] + 0.5 * k * y)
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if curve[mid, 0] <= x:
            lo = mid
        else:
            hi = mid
    y = x - curve[lo, 0]
    c0, c1, c2, c3 = curve[lo, 1], curve[lo, 2], curve[lo, 3], curve[lo, 4]
    f = c0 + y * (c1 + y * (c2 + y * c3))
    k = c1 + y * (2.0 * c2 + 3.0 * c3 * y)
    e = curve[lo, 5] + y * (c0 + y * (c1 / 2.0 + y * (c2 / 3.0 + y * c3 / 4.0)))
    return f, k, e


@inner
def spring_law(who, what, curve, length):
    """Elastic force, stiffness and stored energy of one spring-damper at a length (m)."""
    x = length - what[8]
    if who[4] > who[3]:
        return _curve(curve, who[3], who[4], x)
    return what[6] * x, what[6], 0.5 * what[6] * x * x


@inner
def stop_law(k, exponent, damping, lower, upper, x, rate):
    """Moment or force of a progressive stop, its slopes with x and rate, stored energy (never pulls)."""
    if x > upper:
        depth, sign = x - upper, 1.0
    elif x < lower:
        depth, sign = lower - x, -1.0
    else:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    f = k * depth**exponent
    slope = k * exponent * depth ** (exponent - 1.0)
    energy = f * depth / (exponent + 1.0)
    grip = 1.0 + damping * sign * rate
    if grip <= 0.0:
        return 0.0, 0.0, 0.0, energy, f
    # restoring moment is -sign f grip; returned as what closes the stop (positive opens x back down)
    return sign * f * grip, slope * grip, f * damping, energy, f


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

    u (nu + 6,) velocities at the pose of the last `constraints` call; lam (m,) multipliers, which rolling
    resistance needs. W.power: dissipated in elements, taken by drag, put in by applied forces and devices.
    """
    nb, ng, _, _ = sizes(S)
    ground = 6 * nb + ng
    force = W.vel[FORCE]
    force[:] = 0.0
    W.power[:] = 0.0
    gravity, body = reals(S, META)[0], reals(S, BODY)
    for b in range(nb):
        q = 6 * b
        w0, w1, w2 = u[q + 3], u[q + 4], u[q + 5]
        I0, I1, I2 = body[b, 1], body[b, 2], body[b, 3]
        for c in range(3):
            force[q + c] = body[b, 0] * gravity[c]
        force[q + 3] = (I1 - I2) * w1 * w2
        force[q + 4] = (I2 - I0) * w2 * w0
        force[q + 5] = (I0 - I1) * w0 * w1
    n = 0
    n = _springs(
        ints(S, SP), reals(S, SP), reals(S, CURVE), W.A, W.r, u, nb, ground, W.tmp, force, W.el, W.power, n
    )
    n = _axis_elements(
        ints(S, RS), reals(S, RS), W.A, u, nb, ground, W.tmp, W.angle0, force, W.el, W.power, n
    )
    n = _ball_springs(ints(S, BS), reals(S, BS), W.A, u, nb, ground, W.tmp, force, W.el, W.power, n)
    n = _slide_stops(ints(S, ST), reals(S, ST), W.A, W.r, u, nb, ground, W.tmp, force, W.el, W.power, n)
    _applied(ints(S, AF), reals(S, AF), W.A, W.fn, u, W.tmp, force, W.power)
    _drag(S, W, u, lam)
    if count(S, DC) > 0:
        device_forces(S, W, u)


@inner
def _springs(who, what, curve, A, r, u, nb, ground, tmp, force, el, power, n):
    d, vi, vj = tmp[0], tmp[1], tmp[2]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        si, sj, c = what[k, 0:3], what[k, 3:6], what[k, 7]
        bi, bj = 6 * i if i < nb else ground, 6 * j if j < nb else ground
        separation(A, r, i, j, si, sj, d)
        _point_velocity(A[i], u, bi, si, vi)
        _point_velocity(A[j], u, bj, sj, vj)
        length = max(math.sqrt(_dot(d, d)), 1e-12)
        rate = 0.0
        for x in range(3):
            d[x] /= length
            rate += d[x] * (vj[x] - vi[x])
        elastic, _, energy = spring_law(who[k], what[k], curve, length)
        f = elastic + c * rate
        el[n, 0], el[n, 1], el[n, 2], el[n, 3] = length, rate, f, energy
        power[0] += c * rate * rate
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
def keep_angles(S, W):
    """Remember the unwrapped joint angles of the present pose as W.angle0."""
    who, what = ints(S, RS), reals(S, RS)
    for k in range(who.shape[0]):
        W.angle0[k] = axis_angle(who[k], what[k], W.A, W.angle0[k], W.tmp, W.tmp[0])


@inner
def _axis_elements(who, what, A, u, nb, ground, tmp, angle0, force, el, power, n):
    a, wi, wj = tmp[0], tmp[1], tmp[2]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        bi, bj = 6 * i if i < nb else ground, 6 * j if j < nb else ground
        angle = axis_angle(who[k], what[k], A, angle0[k], tmp, a)
        _turn(A[i], u[bi + 3 : bi + 6], wi)
        _turn(A[j], u[bj + 3 : bj + 6], wj)
        rate = _dot(a, wj) - _dot(a, wi)
        par = what[k, 12:18]
        if who[k, 3] == 0:
            x = angle - par[2]
            moment = par[0] * x + par[1] * rate
            energy = 0.5 * par[0] * x * x
            power[0] += par[1] * rate * rate
        else:
            moment, _, _, energy, elastic = stop_law(par[0], par[1], par[2], par[3], par[4], angle, rate)
            power[0] += _stop_loss(moment, elastic, angle, par[4], rate)
        el[n, 0], el[n, 1], el[n, 2], el[n, 3] = angle, rate, moment, energy
        _twist(force, bi, A[i], a, moment)
        _twist(force, bj, A[j], a, -moment)
        n += 1
    return n


@inner
def _stop_loss(moment, elastic, x, upper, rate):
    """Power a stop takes beyond what it stores: (moment - elastic part) times rate."""
    sign = 1.0 if x > upper else -1.0
    return (moment - sign * elastic) * rate


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
    x, y, z = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (m[0, 0] + m[1, 1] + m[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    scale = 0.5 * (angle / sine if sine > 1e-9 else 1.0)
    out[0], out[1], out[2] = scale * x, scale * y, scale * z
    return angle


@inner
def _ball_springs(who, what, A, u, nb, ground, tmp, force, el, power, n):
    v, w, x = tmp[0], tmp[1], tmp[2]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        bi, bj = 6 * i if i < nb else ground, 6 * j if j < nb else ground
        stiffness, damping = what[k, 9], what[k, 10]
        angle = _relative_rotation(A[i], A[j], what[k], tmp[21:24], v)
        _turn(A[j], u[bj + 3 : bj + 6], w)
        _back(A[i], w, x)
        rate = 0.0
        for c in range(3):
            x[c] -= u[bi + 3 + c]
            power[0] += damping * x[c] * x[c]
            if angle > 1e-12:
                rate += x[c] * v[c] / angle
            w[c] = stiffness * v[c] + damping * x[c]
        el[n, 0], el[n, 1] = angle, rate
        el[n, 2] = stiffness * angle + damping * rate
        el[n, 3] = 0.5 * stiffness * angle * angle
        _turn(A[i], w, x)
        _twist(force, bi, A[i], x, 1.0)
        _twist(force, bj, A[j], x, -1.0)
        n += 1
    return n


@inner
def _slide_stops(who, what, A, r, u, nb, ground, tmp, force, el, power, n):
    d, a, vi, vj, x = tmp[0], tmp[1], tmp[2], tmp[3], tmp[4]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        si, sj, par = what[k, 3:6], what[k, 6:9], what[k, 9:14]
        bi, bj = 6 * i if i < nb else ground, 6 * j if j < nb else ground
        separation(A, r, i, j, si, sj, d)
        _turn(A[i], what[k, 0:3], a)
        _point_velocity(A[i], u, bi, si, vi)
        _point_velocity(A[j], u, bj, sj, vj)
        slide = _dot(a, d)
        _turn(A[i], u[bi + 3 : bi + 6], x)
        rate = _dot(a, vj) - _dot(a, vi)
        rate += x[0] * (a[1] * d[2] - a[2] * d[1])
        rate += x[1] * (a[2] * d[0] - a[0] * d[2]) + x[2] * (a[0] * d[1] - a[1] * d[0])
        f, _, _, energy, elastic = stop_law(par[0], par[1], par[2], par[3], par[4], slide, rate)
        power[0] += _stop_loss(f, elastic, slide, par[4], rate)
        el[n, 0], el[n, 1], el[n, 2], el[n, 3] = slide, rate, f, energy
        _push(force, bi, A[i], si, a, f)
        _push(force, bj, A[j], sj, a, -f)
        # the direction turns with body i: the lever d carries a moment on it
        _cross(d, a, x)
        _twist(force, bi, A[i], x, f)
        n += 1
    return n


@inner
def _applied(who, what, A, fn, u, tmp, force, power):
    f, x = tmp[0], tmp[1]
    for k in range(who.shape[0]):
        b = who[k, 0]
        slot = 6 * b
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
            _turn(A[b], u[slot + 3 : slot + 6], x)
        power[2] += _dot(f, x)


@inner
def _drag(S, W, u, lam):
    force, f, v = W.vel[FORCE], W.tmp[0], W.tmp[1]
    air, area = ints(S, AD), reals(S, AD)
    for k in range(air.shape[0]):
        q = 6 * air[k, 0]
        speed = math.sqrt(u[q] ** 2 + u[q + 1] ** 2 + u[q + 2] ** 2)
        for c in range(3):
            force[q + c] -= area[k, 0] * speed * u[q + c]
        W.power[1] += area[k, 0] * speed**3
    rolling, par = ints(S, RR), reals(S, RR)
    if rolling.shape[0] == 0:
        return
    nb, _, _, _ = sizes(S)
    guides, points = ints(S, GD), reals(S, GD)
    first = 3 * ints(S, PT).shape[0] + ints(S, DOT).shape[0] + ints(S, SL).shape[0] + ints(S, DS).shape[0]
    for k in range(rolling.shape[0]):
        g = rolling[k, 0]
        b = guides[g, 0]
        row = first + 3 * g
        load = math.sqrt(lam[row] ** 2 + lam[row + 1] ** 2 + lam[row + 2] ** 2)
        pull = par[k, 0] * load * math.tanh(u[6 * nb + g] / par[k, 1])
        for c in range(3):
            f[c] = -pull * W.path[g, 1, c]
        _push(force, 6 * b, W.A[b], points[g], f, 1.0)
        _point_velocity(W.A[b], u, 6 * b, points[g], v)
        W.power[1] -= _dot(f, v)
