"""From the log of accepted steps to stored states, reactions, energies and violations."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, kernel
from ..multibody.arrays import (
    BODY,
    FLEX,
    GCOL,
    GROW,
    META,
    PHI,
    PHIDOT,
    ROW_A,
    SLOT,
    count,
    int_line,
    reals,
    sizes,
)
from ..multibody.compile import System
from ..multibody.connectors import Connector
from ..multibody.constraint_kernels import constraints, jacobian_times, velocity_residual
from ..multibody.device_kernels import FORCE_ON_CAR, keep_devices
from ..multibody.flexible_kernels import flexible_energy
from ..multibody.force_kernels import Z_NOW, forces, keep_elements
from ..multibody.layout import TURN
from ..multibody.mass_kernels import block_energy
from ..results.results import Ledger, States, Violations
from ..results.spilled import release, zeros
from .devices import device_power, device_work
from .integration import Log

BLOCK = 1024  # instants whose force elements are kept in full, rate and energy included


@inner
def _reaction(g_row, g_col, gx, A, rows, base, point, lam, out):
    """Force and moment (world, at the point) that constraint rows put on the body with slots at base: out (6,)."""
    out[:] = 0.0
    m0, m1, m2 = 0.0, 0.0, 0.0
    for q in range(rows.shape[0]):
        row = rows[q]
        if row < 0:
            break
        for k in range(g_row[row], g_row[row + 1]):
            c = g_col[k] - base
            if 0 <= c < 3:
                out[c] += gx[k] * lam[row]
            elif c == 3:
                m0 += gx[k] * lam[row]
            elif c == 4:
                m1 += gx[k] * lam[row]
            elif c == 5:
                m2 += gx[k] * lam[row]
    # moment about the joint point: the body-fixed force moment less that of the force at the lever from the centre
    f0 = A[0, 0] * out[0] + A[1, 0] * out[1] + A[2, 0] * out[2]
    f1 = A[0, 1] * out[0] + A[1, 1] * out[1] + A[2, 1] * out[2]
    f2 = A[0, 2] * out[0] + A[1, 2] * out[1] + A[2, 2] * out[2]
    m0 -= point[1] * f2 - point[2] * f1
    m1 -= point[2] * f0 - point[0] * f2
    m2 -= point[0] * f1 - point[1] * f0
    for c in range(3):
        out[3 + c] = A[c, 0] * m0 + A[c, 1] * m1 + A[c, 2] * m2


class Places(NamedTuple):
    """What reactions are read from: row numbers of each (nr, width), -1 padded; its body and the point there (body
    axes); first and end row of the guides."""

    rows: Integers
    bodies: Integers
    points: Array
    guide_rows: Integers


class Reviewed(NamedTuple):
    """What states are found to be: reactions (n, nr, 6); outputs of elements (n, ne, 4); energy (n, 3) kinetic,
    potential, elastic; powers (n, 4) dissipated, drag, applied and devices, drivers; violations (n, 3) of joints,
    guides, velocity; forces of devices (n, cars)."""

    reactions: Array
    elements: Array
    energy: Array
    powers: Array
    violations: Array
    drive: Array


@kernel
def review(S, W, log, first, n, places, out):
    """Evaluate n logged states again into `out`, from row `first` of the log on; what lies before must have been
    reviewed."""
    nb, _, _, m = sizes(S)
    at, g_row, g_col = int_line(S, SLOT), int_line(S, GROW), int_line(S, GCOL)
    gravity, body = reals(S, META)[0], reals(S, BODY)
    own = W.row[ROW_A]
    if first == 0:
        W.angle0[:] = 0.0
    W.z_step[0] = 0.0
    for q in range(n):
        row = first + q
        r, u, lam = log.r[row], log.u[row], log.lam[row]
        for k in range(W.z.shape[1]):
            W.z[Z_NOW, k] = log.z[row, k]
        for k in range(W.memory.shape[0]):
            W.memory[k] = log.memory[row, k]
        constraints(S, W, log.t[row], r, log.p[row], log.L[row])
        velocity_residual(S, W, u, W.row[PHIDOT])
        forces(S, W, u, lam)
        keep_elements(S, W)
        for k in range(out.drive.shape[1]):
            out.drive[q, k] = W.device[k, FORCE_ON_CAR]
        keep_devices(S, W, log.t[row], u)
        for k in range(places.rows.shape[0]):
            b = places.bodies[k]
            _reaction(
                g_row, g_col, W.gx, W.A[b], places.rows[k], at[b], places.points[k], lam, out.reactions[q, k]
            )
        energy = out.energy[q]
        for k in range(out.elements.shape[1]):
            for c in range(4):
                out.elements[q, k, c] = W.el[k, c]
            energy[2] += W.el[k, 3]
        for c in range(3):
            out.powers[q, c] = W.power[c]
        jacobian_times(g_row, g_col, W.gx, u, own)
        worst = out.violations[q]
        for row in range(m):
            out.powers[q, 3] += lam[row] * (own[row] - W.row[PHIDOT, row])
            side = 1 if places.guide_rows[0] <= row < places.guide_rows[1] else 0
            worst[side] = max(worst[side], abs(W.row[PHI, row]))
            worst[2] = max(worst[2], abs(W.row[PHIDOT, row]))
        for b in range(nb):
            v, w = u[at[b] :], u[at[b] + TURN :]
            for c in range(3):
                energy[0] += 0.5 * body[b, 0] * v[c] ** 2
                energy[0] += 0.5 * body[b, 1 + c] * w[c] ** 2
                energy[1] -= body[b, 0] * gravity[c] * r[b, c]
        energy[0] += block_energy(S, W.block, u)
        if count(S, FLEX) > 0:
            energy[2] += flexible_energy(S, W)


def _integral(time: Array, power: Array, *, lost: bool = False) -> Array:
    """Running integral of a power (n,) over stored instants, exact for cubics between them (C1 slopes).

    Between two values of one sign it goes their way: what dissipates never gives back, and what is `lost` does nothing
    between two zeros, however steeply it begins behind them. Slopes correct a trapezoid by no more than a sixth of what
    the power changes by in the step or beside it, twice what even steps ask for: beside a step of a microsecond, as
    they end on events, the slope is that of rounding.
    """
    n = len(time)
    if n < 3:
        return np.concatenate([[0.0], np.cumsum(np.diff(time) * (power[1:] + power[:-1]) / 2.0)])
    slope = np.gradient(power, time)
    h = np.diff(time)
    # Hermite quadrature: trapezoid with its end-slope correction, which can overshoot beside a power near zero
    plain = h * (power[1:] + power[:-1]) / 2.0
    changed = np.abs(np.diff(power, prepend=power[0], append=power[-1]))
    most = h * np.maximum(changed[1:-1], np.maximum(changed[:-2], changed[2:])) / 6.0
    piece = plain + np.clip(h * h * (slope[:-1] - slope[1:]) / 12.0, -most, most)
    turned = (power[1:] * power[:-1] >= 0.0) & (piece * plain < 0.0)
    piece[turned] = plain[turned]
    if lost:
        piece[plain == 0.0] = 0.0
    return np.concatenate([[0.0], np.cumsum(piece)])


def _remembered_work(system: System, memory: Array, which: str = "work") -> Array:
    """Energy (n,) J lost by elements that keep count of it themselves, or put in by them (`given`)."""
    laws = [(c.memory[0], getattr(c.use.law, which)) for c in system.connectors if c.use]
    found = [first + at for first, at in laws if at is not None]
    return np.asarray(memory[:, found].sum(axis=1))


def _taken(system: System, contacts: Sequence[Connector], internal: Array, which: int) -> Array:
    """Energy (n,) J that contacts have taken since the start, in normal forces (0) or by friction (1)."""
    if not contacts:
        return np.zeros(len(internal))
    taken = internal[:, [c.internal[0] + which for c in contacts]].sum(axis=1)
    return np.asarray(taken - taken[0]) * system.contact_unit


def record(system: System, log: Log, n: int) -> tuple[States, Ledger, Violations]:
    """States, energy ledger and violations of accepted steps.

    Parameters
    ----------
    system
        That was integrated.
    log
        Its steps. The states are views of it, so that a long ride is kept once: it must not be written to again.
    n
        How many of its rows count, from the first.

    Returns
    -------
    States (n, ...) in SI, world axes; energies and work (J) at each of them; how far constraints are off (m or rad, and
    m/s or rad/s).
    """
    S, W = system.arrays, system.new_work()
    places = (*system.joints, *system.guides)
    group_of = {g.name: g for g in system.groups if g.what in ("joint", "guide")}
    width = max((len(g.rows) for g in system.groups), default=1)
    rows = np.full((len(places), max(width, 1)), -1, dtype=np.int64)
    for k, place in enumerate(places):
        own = group_of[place.name].rows
        rows[k, : len(own)] = own
    bodies = np.array([p.body for p in places], dtype=np.int64)
    points = np.array([p.point for p in places], dtype=np.float64).reshape(-1, 3)
    firsts = system.layout.first_row
    read = Places(rows, bodies, points, np.array([firsts["guides"], firsts["arcs"]], dtype=np.int64))
    ne = len(system.elements)
    nb, ng, along = system.bodies, len(system.guides), system.layout.paths
    tails = ((len(places), 6), (ne,), (ne,), (len(system.device_cars),), (ng,), (ng,))
    reactions, spring_force, spring_length, drive, path_speed, path_acceleration = zeros(n, *tails)
    energy, powers, bad = np.zeros((n, 3)), np.zeros((n, 4)), np.zeros((n, 3))
    elements = np.zeros((min(n, BLOCK), ne, 4))
    # rows of contacts, by twos, come last
    first = min((c.first for c in system.connectors if c.geometry == "gap"), default=ne)
    held = np.zeros((n, 2))
    for begin in range(0, n, BLOCK):
        part = slice(begin, min(begin + BLOCK, n))
        some = part.stop - begin
        out = Reviewed(reactions[part], elements[:some], energy[part], powers[part], bad[part], drive[part])
        review(S, W, log, begin, some, read, out)
        held[part] = np.stack([elements[:some, first + k :: 2, 3].sum(axis=1) for k in range(2)], axis=1)
        spring_length[part], spring_force[part] = elements[:some, :, 0], elements[:some, :, 2]
        path_speed[part] = log.u[part, along]
        path_acceleration[part] = log.udot[part, along]
        release(*log, reactions)
    u, du = system.layout.rigid_of(log.u[:n]), system.layout.rigid_of(log.udot[:n])
    time, modal = log.t[:n], system.layout.plain[ng:]
    devices = device_power(system, path_speed, drive)
    states = States(
        time=time,
        position=log.r[:n, :nb],
        orientation=log.p[:n, :nb],
        velocity=u[:, :, :TURN],
        angular_velocity=u[:, :, TURN:],
        acceleration=du[:, :, :TURN],
        angular_acceleration=du[:, :, TURN:],
        path_coordinate=log.L[:n, :ng],
        path_speed=path_speed,
        path_acceleration=path_acceleration,
        reactions=reactions,
        spring_force=spring_force,
        spring_length=spring_length,
        device_force=drive,
        internal=log.z[:n],
        memory=log.memory[:n],
        modal=log.L[:n, ng:],
        modal_speed=log.u[:n, modal],
        modal_acceleration=log.udot[:n, modal],
    )
    touching = [c for c in system.connectors if c.geometry == "gap"]
    normal, sliding = (_taken(system, touching, log.z[:n], k) for k in range(2))
    ledger = Ledger(
        kinetic=energy[:, 0].copy(),
        potential=energy[:, 1].copy(),
        elastic=energy[:, 2] - held.sum(axis=1),
        dissipated=_integral(time, powers[:, 0], lost=True) + _remembered_work(system, log.memory[:n]),
        drag=_integral(time, powers[:, 1]),
        driven=_integral(time, powers[:, 2] + powers[:, 3] - devices)
        + device_work(time, devices)
        + _remembered_work(system, log.memory[:n], "given"),
        contact_elastic=held.sum(axis=1),
        contact_loss=normal,
        friction_loss=sliding - (held[:, 1] - held[:1, 1]),
    )
    return states, ledger, Violations(bad[:, 0].copy(), bad[:, 1].copy(), bad[:, 2].copy())
