"""From the log of accepted steps to stored states, energies and violations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..multibody.compile import System
from ..multibody.connectors import Connector
from ..multibody.layout import TURN
from ..results.results import Ledger, States, Violations
from ..results.sampler import at_once
from ..results.spilled import release, zeros
from .devices import device_power, device_work
from .integration import Log

BLOCK = 1024  # instants


def _integral(time: Array, power: Array, *, lost: bool = False) -> Array:
    """Running integral of a power (n,) over stored instants, exact for cubics between them (C1 slopes).

    Between two values of one sign it goes their way: what dissipates never gives back, and what is `lost` does nothing
    between two zeros, however steeply it begins behind them. Slopes correct a trapezoid by no more than a sixth of what
    the power changes by in the step or beside it, twice what even steps ask for: beside a step of a microsecond, as
    they end on events, the slope is that of rounding.
    """
    steps = np.zeros(len(time) - 1)
    borders = [0, *(np.flatnonzero(at_once(np.diff(time))) + 1).tolist(), len(time)]  # a jump is no slope
    for first, last in pairwise(borders):
        steps[first : last - 1] = _pieces(time[first:last], power[first:last], lost)
    return np.concatenate([[0.0], np.cumsum(steps)])


def _pieces(time: Array, power: Array, lost: bool) -> Array:
    """What the smooth power (n,) of `_integral` comes to between stored instants, (n - 1,)."""
    h = np.diff(time)
    # Hermite quadrature: trapezoid with its end-slope correction, which can overshoot beside a power near zero
    plain = h * (power[1:] + power[:-1]) / 2.0
    if len(time) < 3:
        return np.asarray(plain)
    slope = np.gradient(power, time)
    changed = np.abs(np.diff(power, prepend=power[0], append=power[-1]))
    most = h * np.maximum(changed[1:-1], np.maximum(changed[:-2], changed[2:])) / 6.0
    piece = plain + np.clip(h * h * (slope[:-1] - slope[1:]) / 12.0, -most, most)
    turned = (power[1:] * power[:-1] >= 0.0) & (piece * plain < 0.0)
    piece[turned] = plain[turned]
    if lost:
        piece[plain == 0.0] = 0.0
    return np.asarray(piece)


def _remembered_work(system: System, time: Array, memory: Array, which: str = "work") -> Array:
    """Energy (n,) J lost by elements that keep count of it themselves, or put in by them (`given`)."""
    laws = [(c.memory[0], getattr(c.use.law, which)) for c in system.connectors if c.use]
    found = [first + at for first, at in laws if at is not None]
    work = np.asarray(memory[:, found].sum(axis=1))
    # what is remembered just before a load jumps is of the instant before: the work of the step there is behind it
    jumps = np.flatnonzero(at_once(np.diff(time)))
    work[jumps] = work[jumps + 1]
    return work


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
    nb, ng, along = system.bodies, len(system.guides), system.layout.paths
    path_speed, path_acceleration = zeros(n, (ng,), (ng,))
    for begin in range(0, n, BLOCK):
        part = slice(begin, min(begin + BLOCK, n))
        path_speed[part], path_acceleration[part] = log.u[part, along], log.udot[part, along]
        release(*log)
    u, du = system.layout.rigid_of(log.u[:n]), system.layout.rigid_of(log.udot[:n])
    time, modal = log.t[:n], system.layout.plain[ng:]
    energy, powers, bad, drive = log.energy[:n], log.power[:n], log.off[:n], log.drive[:n]
    held = energy[:, 3:]
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
        reactions=log.reactions[:n],
        spring_force=log.load[:n],
        spring_length=log.length[:n],
        device_force=drive,
        head_contact=log.heads[:n],
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
        elastic=energy[:, 2].copy(),
        dissipated=_integral(time, powers[:, 0], lost=True)
        + _remembered_work(system, log.t[:n], log.memory[:n]),
        drag=_integral(time, powers[:, 1]),
        driven=_integral(time, powers[:, 2] + powers[:, 3] - devices)
        + device_work(time, devices)
        + _remembered_work(system, log.t[:n], log.memory[:n], "given"),
        contact_elastic=held.sum(axis=1),
        contact_loss=normal,
        friction_loss=sliding - (held[:, 1] - held[:1, 1]),
    )
    return states, ledger, Violations(bad[:, 0].copy(), bad[:, 1].copy(), bad[:, 2].copy())
