"""Explicit Runge-Kutta methods at a fixed step, compiled, on poses and velocities of all bodies.

State (positions, Euler parameters, path coordinates, velocities); Euler parameters advance by their linear rate and
are normalised after each step. The constraints hold as far as the chosen stabilisation keeps them: showing how far
that is, is the point of having these methods.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...base.arrays import Array
from ...jit.decorators import inner, kernel
from ...multibody.arrays import PLAIN, SLOT, int_line, path_slot, sizes
from ...multibody.device_kernels import keep_device_loads, keep_standing
from ...multibody.event_kernels import TOO_FAR, Instant, closer, first_event, has_borders, meets_before
from ...multibody.force_kernels import Z_NOW, Z_RATE, keep_elements
from ..integration import (
    ACCEPTED,
    DX,
    FINISHED,
    FULL,
    ITERATIONS,
    LAM,
    LAM1,
    LANDINGS,
    LOGGED,
    MARGIN,
    PASSED,
    PATH_END,
    REG,
    ROW,
    RUNNING,
    STEP_TOO_SMALL,
    TAKEN,
    TIME,
    TOUCHES,
    UDOT,
    UDOT1,
    Log,
    Memory,
    U,
    copy,
    copy_rows,
)
from ..kkt import Form
from ..scheme import Limits
from ..written_step import write_log
from .correction import LOST, Change, Correction, correct, correction_of
from .rates import Moving, Rates, Spare, form_of, rates
from .tableaux import tableau

if TYPE_CHECKING:
    from ..engine import Engine

MIN_RATE = 200.0  # Hz; states further apart would leave energies, events and dense output to guesswork
FARTHEST = 1e7  # m; a body beyond it has been thrown out by an unstable method


class Method(NamedTuple):
    """How steps are taken: equations, correction, tableau and its nodes, size of a step (s), and how many steps are
    logged as one."""

    form: Form
    how: Correction
    table: Array
    nodes: Array
    step: float
    every: int


@inner
def _combine(S, W, Y, weights, count, h, stages, state):
    """The state at the start of the step plus h times the weighted stage rates."""
    nb, _, nu, _ = sizes(S)
    at, plain, r, p, L, u = int_line(S, SLOT), int_line(S, PLAIN), state.r, state.p, state.L, state.u
    copy_rows(Y.r[0], r)
    copy_rows(Y.p[0], p)
    copy(Y.L[0], L)
    copy(Y.v[U], u)
    copy(Y.z[Z_NOW], W.z[Z_NOW])
    stage_u, stage_udot, stage_p, stage_z = stages
    for q in range(count):
        x = h * weights[q]
        if x == 0.0:
            continue
        for b in range(nb):
            for c in range(3):
                r[b, c] += x * stage_u[q, at[b] + c]
            for c in range(4):
                p[b, c] += x * stage_p[q, b, c]
        for k in range(plain.shape[0]):
            L[k] += x * stage_u[q, plain[k]]
        for k in range(nu):
            u[k] += x * stage_udot[q, k]
        for k in range(W.z.shape[1]):
            W.z[Z_NOW, k] += x * stage_z[q, k]


@inner
def _normalise(r, p, nb):
    """Give the Euler parameters unit length again; returns whether all bodies are somewhere."""
    size = 0.0
    for b in range(nb):
        norm = math.sqrt(p[b, 0] ** 2 + p[b, 1] ** 2 + p[b, 2] ** 2 + p[b, 3] ** 2)
        for c in range(4):
            p[b, c] /= norm
        size += abs(r[b, 0]) + abs(r[b, 1]) + abs(r[b, 2]) + norm
    return math.isfinite(size) and size < FARTHEST


@inner
def _take(S, W, X, Y, by, scratch, h):
    """A step of size h from the start of the step to its end: pose in line 1, velocities in the last line of the stage
    velocities, multipliers. Returns success."""
    nb, _, _, _ = sizes(S)
    form, how, table, stages = by.form, by.how, by.table, by.table.shape[1]
    stage_u, stage_udot, stage_p, stage_z = scratch
    r, p, L, u, udot, lam = Y.r[1], Y.p[1], Y.L[1], stage_u[stages], Y.v[UDOT1], Y.l[LAM1]
    spare, state = Spare(Y.l[REG], Y.Hs), Moving(r, p, L, u)
    for q in range(stages + 1):
        _combine(S, W, Y, table[q], q, h, scratch, state)
        if q == stages:
            break
        t = Y.clock[TIME] + h * by.nodes[q]
        if not rates(S, W, X, spare, form, t, state, Rates(stage_p[q], udot, lam)):
            return False
        copy(u, stage_u[q])
        copy(udot, stage_udot[q])
        copy(W.z[Z_RATE], stage_z[q])
    Y.counts[ITERATIONS] += stages
    if not _normalise(r, p, nb):
        return False
    t = Y.clock[TIME] + h
    return not how.on or correct(S, W, X, spare, how, t, state, Change(Y.v[DX], Y.l[ROW])) != LOST


@kernel
def _steps(S, W, X, Y, P, log, by, scratch, end_paths, end_path, max_steps):
    form, stages, stops = by.form, by.table.shape[1], has_borders(S)
    r, p, L, u = Y.r[1], Y.p[1], Y.L[1], scratch[0][stages]
    udot, lam, way = Y.v[UDOT1], Y.l[LAM1], path_slot(S)
    spare, state, found = Spare(Y.l[REG], Y.Hs), Moving(r, p, L, u), Rates(scratch[2][0], udot, lam)
    copy(Y.l[LAM], lam)
    for _ in range(max_steps):
        left = P.t_end - Y.clock[TIME]
        if left <= 1e-12 * max(1.0, P.t_end):
            return FINISHED
        if Y.counts[LOGGED] >= log.t.shape[0]:
            return FULL
        h = Y.clock[TAKEN] if Y.clock[TAKEN] > 0.0 else by.step  # what an event has left of a step
        h, rest, over, border = h if left > h * (1.0 + 1e-9) else left, 0.0, False, -1
        whole, low, high = h, 0.0, h
        tries, landing = 2 + LANDINGS, -1
        for _ in range(tries + TOUCHES):
            landing += 1
            if not _take(S, W, X, Y, by, scratch, h):
                return STEP_TOO_SMALL
            t = Y.clock[TIME] + h
            if stops and not rates(S, W, X, spare, form, t, state, found):
                return STEP_TOO_SMALL
            start = Instant(
                Y.el, Y.z[Z_NOW], Y.z[Z_RATE], Y.L[0], Y.v[U, way:], Y.clock[TIME], Y.r[0], Y.p[0], Y.v[U]
            )
            end = Instant(W.el, W.z[Z_NOW], W.z[Z_RATE], L, u[way:], t, r, p, u)
            if landing > 0 and stops:
                share = meets_before(S, W, start, end, h)
                if share < 1.0:
                    h, rest, border, landing = share * h, whole - share * h, -1, 0
                    continue
            if landing > LANDINGS or (landing > 0 and border < 0):
                break
            if landing == 0:
                share, over, border = first_event(S, W, start, end, end_paths, end_path, h, MARGIN)
                if share >= 1.0:
                    break
                share = 0.25 if border == TOO_FAR else share
                h, rest = share * h, (1.0 - share) * h
            else:
                better, low, high = closer(S, W, start, end, border, h, low, high)
                if better == h:
                    break
                h, rest = better, whole - better
        else:
            return STEP_TOO_SMALL
        Y.clock[TAKEN] = rest
        copy_rows(r, Y.r[0])
        copy_rows(p, Y.p[0])
        copy(L, Y.L[0])
        copy(u, Y.v[U])
        copy(W.z[Z_NOW], Y.z[Z_NOW])
        Y.clock[TIME] = t
        Y.counts[ACCEPTED] += 1
        if stops:
            copy_rows(W.el, Y.el)
            copy(W.z[Z_RATE], Y.z[Z_RATE])
            keep_elements(S, W)
        passed = W.z_step[3] > 0.0
        done = passed or P.t_end - t <= 1e-12 * max(1.0, P.t_end)
        if done or over or rest > 0.0 or Y.counts[ACCEPTED] % by.every == 0:
            if not rates(S, W, X, spare, form, t, state, found):
                return STEP_TOO_SMALL
            keep_elements(S, W)
            keep_device_loads(W)
            copy(udot, Y.v[UDOT])
            copy(lam, Y.l[LAM])
            write_log(S, W, Y, log, True)
            keep_standing(S, W, t, u)
        if passed:
            return PASSED
        if over:
            return PATH_END
        if W.z_step[4] > 0.0:
            return RUNNING
    return RUNNING


def advance_fixed(
    engine: Engine,
    Y: Memory,
    P: Limits,
    log: Log,
    step: float,
    end_paths: Array,
    end_path: int,
    max_steps: int,
) -> int:
    """Take up to max_steps steps of size `step` (s); return codes as genalpha.advance.

    As there, a step that would lead over a joint stop or the place where the run ends is cut short to end there; the
    next one takes the rest of it. States are logged at most at the sample rate of the settings or MIN_RATE, and at
    such events.
    Y.counts[ITERATIONS] counts evaluations of the equations of motion, those that look for stops left out.
    """
    s = engine.settings
    every = max(1, math.ceil(1.0 / (step * max(s.sample_rate, MIN_RATE)) - 1e-9))
    table, system = tableau(s.method), engine.system
    stages = table.shape[1]
    scratch = (
        system.layout.line(stages + 1),
        system.layout.line(stages),
        np.zeros((stages, system.bodies, 4)),
        np.zeros((stages, engine.work.z.shape[1])),
    )
    code: int = _steps(
        system.arrays, engine.work, engine.factor, Y, P, log,
        Method(form_of(s, step), correction_of(s), table, table.sum(axis=1), step, every),
        scratch, end_paths, end_path, max_steps,
    )  # fmt: skip
    return code
