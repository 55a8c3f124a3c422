"""Applied and inertial forces of the bodies, and what the force elements carry, geometry by geometry.

Generalised forces are a line (see layout): (Fx, Fy, Fz world; Mx, My, Mz body axes) for each body, then one along each
guide's path (always zero: the path coordinate has no inertia of its own and no force).

A geometry knows its coordinate and how a load along it acts on the bodies; what the load is, says a law
(`core.model.laws`). Every geometry is measured in measure_kernels, acts here, and has a loop in tangent_kernels:
  distance  of two points                                    angle  about an axis, unwrapped
  slide     of a point of j along a direction that i carries  turn   rotation vector of j against i, axes of i
  frame     of j against one of i: displacement and rotation vector, axes of the frame of i
  line      distances of neighbours in a row of points, one pull each
  speed     of a body's centre                                path   along a guide, with the force between body and path
  load      none: functions of time are a force or torque
Rotation vectors q: what is elastic acts as the gradient of its energy, with the moment T^-T f of a load f, where T q'
is the angular velocity; what is viscous acts along the angular velocity itself.

Element output rows (coordinate, its rate, load in tension or opening, stored energy, slope of the load with the
coordinate) come in the order distance, angle, turn (without slope: its size has no sign), slide, frame (six rows an
element, the energy in the first), line (a row a segment, likewise), contacts (see contact_kernels); the rest has none.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, kernel
from ..model.laws import COORDINATES, PUT_IN, D, F, V, X
from .arrays import (
    ACTIVE,
    ALGEBRAIC,
    BODY,
    DC,
    E_ANGLE,
    E_DISTANCE,
    E_FRAME,
    E_LINE,
    E_LOAD,
    E_PATH,
    E_SLIDE,
    E_SPEED,
    E_TURN,
    FLEX,
    FN_AT,
    FORCE,
    GD,
    LAW,
    M0,
    M1,
    META,
    P0,
    P1,
    PAR,
    SLOT,
    VIA,
    WIDE,
    Z0,
    Z1,
    I,
    J,
    count,
    int_line,
    ints,
    real_line,
    reals,
    sizes,
)
from .constraint_kernels import _cross, _dot, _turn
from .contact_kernels import contact_forces, contact_keep
from .device_kernels import device_forces
from .flexible_kernels import flexible_forces
from .law_kernels import remember, scalar_law, wide_law
from .layout import TURN
from .levers import add_moment, point_velocity, push
from .mass_kernels import block_forces
from .measure_kernels import AT, DAMPING, LOAD, LOST, RATE, SLOPE, STORED, measure

# kinds of loads in E_LOAD besides forces and torques: the functions of time are the velocity of the air
WIND, STATIC_WIND = 4, 5
# lines of Work.z: internal unknowns, their rates, what they start the step from
Z_NOW, Z_RATE, Z_BASE = range(3)
# Work.z_step: the step of z' = (z - base) / step, 0 where z is given, AT_REST where it is found with z' = 0; 1
# where some internal unknowns could not be found in the last `forces`; 1 where a load jumps at the last accepted
# instant; the number from 1 of a pair of surfaces that has passed the middle of one another there, or 0; 1
# where an element between two frames with internal unknowns is pushed so hard that these may have lost their balance
AT_REST = -1.0
# what massless parts between two frames miss shows in their travel too: their error counts so many times
STIFF = 8.0


@kernel
def evaluate_laws(S, W):
    """What every element's law says at its coordinates, into W.law, and of wide laws into W.wide; books the losses.

    A kernel of its own because it takes long to compile: another processor can do it.
    """
    parameters, e, n = real_line(S, PAR), 0, 1
    for kind in range(E_DISTANCE, E_PATH + 1):
        rows = ints(S, kind)
        n = 3 if kind == E_TURN else COORDINATES if kind == E_FRAME else 1
        for k in range(rows.shape[0]):
            index, stated = rows[k], W.law[e]
            if kind == E_LINE:
                n = index[J] - 1
            p, m = parameters[index[P0] : index[P1]], W.memory[index[M0] : index[M1]]
            s = W.fn[index[FN_AT], 0] if index[FN_AT] >= 0 else 0.0
            q, a, b = index[WIDE], index[Z0], index[Z1]
            if q < 0:
                stated[LOAD], stated[SLOPE], stated[DAMPING], stated[STORED], stated[LOST] = scalar_law(
                    index[LAW], p, stated[AT], stated[RATE], m, s
                )
            else:
                out, x, v = W.wide[q], W.coordinates[q, 0, :n], W.coordinates[q, 1, :n]
                if n == 1:
                    x[0], v[0] = stated[AT], stated[RATE]
                if kind == E_LINE:  # remembers nothing, and knows by how much it turns at its points
                    m = W.coordinates[q, 2]
                stated[STORED], stated[LOST] = wide_law(
                    index[LAW], p, x, v, W.z[:, a:b], W.z_step, index[ALGEBRAIC], m, s, out, W.gauss,
                )  # fmt: skip
                stated[LOAD], stated[SLOPE], stated[DAMPING] = out[0, F] + out[0, D], out[0, X], out[0, V]
            if kind == E_SPEED:
                W.power[1] += stated[LOST]
            elif kind != E_PATH and (index[ACTIVE] == 0 or q >= 0):
                W.power[0] += stated[LOST]
                if index[ACTIVE] == 1:
                    W.power[2] += W.wide[q, PUT_IN, F]
            elif kind != E_PATH:
                W.power[2] -= stated[LOST]
            e += 1


@kernel
def forces(S, W, u, lam):
    """All forces but those of constraints: W.vel[FORCE], element outputs W.el, powers W.power (W).

    W.power: dissipated in elements, taken by drag, put in by applied forces and devices. Internal unknowns of
    elements are found on the way (W.z, with W.z_step).

    Parameters
    ----------
    S, W
        Tables and memory.
    u
        Line of velocities at the pose of the last `constraints` call.
    lam
        (m,) multipliers, which the force between body and path needs.
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
    block_forces(S, W.block, u, force)
    if count(S, FLEX) > 0:
        flexible_forces(S, W, u)
    measure(S, W, u, lam, at)
    evaluate_laws(S, W)
    _act(S, W, at, force)
    _applied(ints(S, E_LOAD), reals(S, E_LOAD), W.A, W.fn, u, at, W.tmp, force, W.power)
    _resistances(S, W, u, at)
    if count(S, DC) > 0:
        device_forces(S, W, u)
    if W.touch.shape[0] > 0:
        contact_forces(W.touch, W.contact, W.A, W.r, u, force, W.el, W.z, W.z_step, W.memory)


@kernel
def keep_elements(S, W):
    """Make the present state of the elements, as the last `forces` call left it, the one of the last accepted step:
    unwrapped angles in W.angle0, and what laws remember in W.memory; W.z_step tells whether a load jumps here and which
    surfaces have passed one another."""
    W.z_step[2] = W.z_step[4] = 0.0
    first = ints(S, E_DISTANCE).shape[0]
    for k in range(W.angle0.shape[0]):
        W.angle0[k] = W.el[first + k, 0]
    parameters, rows = real_line(S, PAR), ints(S, E_FRAME)
    n = first + ints(S, E_ANGLE).shape[0] + ints(S, E_TURN).shape[0] + ints(S, E_SLIDE).shape[0]
    for k in range(rows.shape[0]):
        if rows[k, Z1] > rows[k, Z0] and -W.el[n + COORDINATES * k, 2] >= parameters[rows[k, P1] - 1]:
            W.z_step[4] = 1.0
    if W.memory.shape[0] == 0:
        return
    if W.touch.shape[0] > 0:
        W.z_step[3] = contact_keep(W.touch, W.contact, W.A, W.r, W.el, W.memory, W.z_step)
    e = 0
    for kind in range(E_DISTANCE, E_PATH + 1):
        rows = ints(S, kind)
        for k in range(rows.shape[0]):
            index = rows[k]
            if index[M1] > index[M0]:
                p, m = parameters[index[P0] : index[P1]], W.memory[index[M0] : index[M1]]
                s = W.fn[index[FN_AT], 0] if index[FN_AT] >= 0 else 0.0
                if remember(index[LAW], p, W.law[e, AT], W.law[e, RATE], m, s):
                    W.z_step[2] = 1.0
            e += 1


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
def _act(S, W, at, force):
    """What the laws said, on the bodies, and as outputs."""
    A, law, way, el, tmp = W.A, W.law, W.way, W.el, W.tmp
    rows, what = ints(S, E_DISTANCE), reals(S, E_DISTANCE)
    for e in range(rows.shape[0]):
        i, j = rows[e, 0], rows[e, 1]
        _put_out(law[e], el[e])
        push(force, at[i], A[i], what[e, 0:3], way[e], law[e, LOAD])
        push(force, at[j], A[j], what[e, 3:6], way[e], -law[e, LOAD])
    e = n = rows.shape[0]
    rows = ints(S, E_ANGLE)
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        _put_out(law[e], el[n])
        add_moment(force, at[i], A[i], way[e], law[e, LOAD])
        add_moment(force, at[j], A[j], way[e], -law[e, LOAD])
        e, n = e + 1, n + 1
    rows = ints(S, E_TURN)
    _act_turns(rows, W.wide, W.coordinates, at, A, law[e:], el[n:], force, tmp)
    e, n = e + rows.shape[0], n + rows.shape[0]
    rows, what = ints(S, E_SLIDE), reals(S, E_SLIDE)
    x = tmp[4]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        _put_out(law[e], el[n])
        push(force, at[i], A[i], what[k, 3:6], way[e], law[e, LOAD])
        push(force, at[j], A[j], what[k, 6:9], way[e], -law[e, LOAD])
        # the direction turns with body i: the lever d carries a moment on it
        _cross(way[e, 3:6], way[e], x)
        add_moment(force, at[i], A[i], x, law[e, LOAD])
        e, n = e + 1, n + 1
    rows, what = ints(S, E_FRAME), reals(S, E_FRAME)
    _act_frames(rows, what, W.wide, W.coordinates, at, A, law[e:], way[e:], el[n:], force, tmp)
    e, n = e + rows.shape[0], n + COORDINATES * rows.shape[0]
    rows = ints(S, E_LINE)
    _act_lines(
        rows, ints(S, VIA), reals(S, VIA), W.wide, W.coordinates, at, A, law[e:], way[e:], el[n:], force
    )


@inner
def _put_out(law, el):
    el[2], el[3], el[4] = law[LOAD], law[STORED], law[SLOPE]


@inner
def _act_turns(rows, wide, coordinates, at, A, law, el, force, tmp):
    f, w = tmp[0], tmp[1]
    for k in range(rows.shape[0]):
        i, j, e = rows[k, 0], rows[k, 1], rows[k, WIDE]
        q, v, out = coordinates[e, 0], coordinates[e, 1], wide[e]
        angle = math.sqrt(_dot(q, q))
        _as_gradient(q, out[0:3, F], f)
        rate = moment = 0.0
        for c in range(3):
            f[c] += out[c, D]
            if angle > 1e-12:
                rate += v[c] * q[c] / angle
                moment += f[c] * q[c] / angle
        el[k, 0], el[k, 1], el[k, 2], el[k, 3] = angle, rate, moment, law[k, STORED]
        _turn(A[i], f, w)
        add_moment(force, at[i], A[i], w, 1.0)
        add_moment(force, at[j], A[j], w, -1.0)


@inner
def _act_frames(rows, what, wide, coordinates, at, A, law, way, el, force, tmp):
    f, world, turned, n = tmp[5], tmp[6], tmp[7], 0
    for k in range(rows.shape[0]):
        i, j, q = rows[k, 0], rows[k, 1], rows[k, WIDE]
        x, v, out = coordinates[q, 0], coordinates[q, 1], wide[q]
        seen = STIFF if rows[k, Z1] > rows[k, Z0] else 1.0
        for c in range(COORDINATES):
            el[n + c, 0], el[n + c, 1], el[n + c, 2], el[n + c, 3] = x[c], v[c], out[c, F] + out[c, D], 0.0
            el[n + c, 4] = seen * out[c, X + c]
        el[n, 3] = law[k, STORED]
        _as_gradient(x[3:6], out[3:6, F], f)
        for e in range(3):
            world[e] = turned[e] = 0.0
            for c in range(3):
                world[e] += way[k, 3 + 3 * c + e] * (out[c, F] + out[c, D])
                turned[e] += way[k, 3 + 3 * c + e] * (f[c] + out[3 + c, D])
        push(force, at[i], A[i], way[k, 0:3], world, 1.0)
        push(force, at[j], A[j], what[k, 3:6], world, -1.0)
        add_moment(force, at[i], A[i], turned, 1.0)
        add_moment(force, at[j], A[j], turned, -1.0)
        n += COORDINATES


@inner
def _act_lines(rows, via, what, wide, coordinates, at, A, law, way, el, force):
    n = 0
    for k in range(rows.shape[0]):
        first, q = rows[k, I], rows[k, WIDE]
        for c in range(rows[k, J] - 1):
            i, j, d, pull = via[first + c, 0], via[first + c + 1, 0], way[k, 3 * c : 3 * c + 3], wide[q, c, F]
            el[n, 0], el[n, 1], el[n, 2], el[n, 3] = coordinates[q, 0, c], coordinates[q, 1, c], pull, 0.0
            el[n, 4] = wide[q, c, X + c]
            if c == 0:
                el[n, 3] = law[k, STORED]
            push(force, at[i], A[i], what[first + c], d, pull)
            push(force, at[j], A[j], what[first + c + 1], d, -pull)
            n += 1


@inner
def _applied(index, what, A, fn, u, at, tmp, force, power):
    f, x = tmp[0], tmp[1]
    for k in range(index.shape[0]):
        b = index[k, 0]
        slot = at[b]
        kind = index[k, 4]
        for c in range(3):
            f[c] = fn[index[k, 1 + c], 0]
        if kind >= WIND:
            point_velocity(A[b], u, slot, what[k, 0:3], x)
            for c in range(3):
                f[c] -= x[c] * (STATIC_WIND - kind)
            scale = what[k, 3] * math.sqrt(_dot(f, f))
            for c in range(3):
                f[c] *= scale
        if kind == 1 or kind == 3:
            _turn(A[b], f, x)
            for c in range(3):
                f[c] = x[c]
        if kind < 2 or kind >= WIND:
            push(force, slot, A[b], what[k, 0:3], f, 1.0)
            point_velocity(A[b], u, slot, what[k, 0:3], x)
        else:
            add_moment(force, slot, A[b], f, 1.0)
            _turn(A[b], u[slot + TURN :], x)
        power[2] += _dot(f, x)


@inner
def _resistances(S, W, u, at):
    """Loads against the motion: of bodies with their speed, of guides with the force between body and path."""
    force, f, v, law = W.vel[FORCE], W.tmp[0], W.tmp[1], W.law
    speeds, paths = ints(S, E_SPEED), ints(S, E_PATH)
    e = law.shape[0] - speeds.shape[0] - paths.shape[0]
    for k in range(speeds.shape[0]):
        q = at[speeds[k, 0]]
        for c in range(3):
            force[q + c] -= law[e, LOAD] * (u[q + c] / law[e, RATE] if law[e, RATE] > 0.0 else 0.0)
        e += 1
    guides, points = ints(S, GD), reals(S, GD)
    for k in range(paths.shape[0]):
        g = paths[k, 0]
        b = guides[g, 0]
        for c in range(3):
            f[c] = -law[e, LOAD] * W.path[g, 1, c]
        push(force, at[b], W.A[b], points[g], f, 1.0)
        point_velocity(W.A[b], u, at[b], points[g], v)
        W.power[1] -= _dot(f, v)
        e += 1
