"""One integration: prepare a compiled system, advance it in slices, keep the log."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where
from ..jit.decorators import interpreted
from ..model.laws import COORDINATES
from ..multibody.arrays import BODY, E_PATH, FORCE, GCOL, Work, count, int_line, reals
from ..multibody.compile import State, System
from ..multibody.constraint_kernels import constraints
from ..multibody.contact_sums import ways_changed
from ..multibody.device_kernels import keep_devices
from ..multibody.force_kernels import AT_REST, Z_BASE, Z_NOW, Z_RATE, forces, keep_elements
from ..project.scenario import SolverSettings
from . import integration
from .assemble import AssemblyReport, assemble, slides
from .buckling import buckled
from .carried import carried
from .contacts import allow_light, check_start, pairs_of, remember_start
from .equilibrium import static_equilibrium
from .integration import Log, Memory
from .kkt import PLAIN_FORM, consistent_acceleration, new_factor
from .ldl import Factor
from .multistep import forget, no_past, remember
from .redundant_constraints import SECANTS
from .scheme import Limits, parameters
from .written_step import others_remember, places_of, write_log


def slot_weights(system: System, limb_tolerance: float) -> Array:
    """What an error counts in each velocity slot (width,): 1, and 1 / limb_tolerance in those of limbs."""
    out = np.ones(system.layout.width)
    for body in system.limbs:
        out[system.layout.block(body)] = 1.0 / limb_tolerance
    return out


def element_weights(system: System, limb_tolerance: float) -> Array:
    """The same for the output rows of force elements (rows,): less counts what acts on limbs and on no other part of a
    rider, and once more so much less what limbs only touch: hands and feet that are pressed onto pads tremble on them,
    and the steps of a whole train would follow every one of them."""
    out, limbs = np.ones(len(system.elements)), set(system.limbs)
    inside = tuple(f"{rider}/" if rider else "" for rider in system.riders)
    trunk = {b for b, name in enumerate(system.names) if name.startswith(inside)} - limbs
    made = [connector for connector in system.connectors if connector.first >= 0]
    starts = [connector.first for connector in made]
    for connector, (first, end) in zip(made, pairwise([*starts, len(out)]), strict=True):
        if not limbs.isdisjoint(connector.bodies) and trunk.isdisjoint(connector.bodies):
            out[first:end] = 1.0 / limb_tolerance ** (2 if connector.geometry == "gap" else 1)
    return out


MANY_ROWS = 1000  # of constraints: Python takes longer over them once than compiled code takes to load
SMALLEST_STEP = 1e-9
FIRST_STEP = 1e-4  # s, with error control
MOVING, PATIENCE = 1e-5, 1000  # of the weight: imbalance left of a moving train; steps until it has no rest
SETTLINGS = 2  # of a moving train: its wheels resist by the loads that they have once it is settled


@dataclass
class Engine:
    """A running integration of a system from an assembled state."""

    system: System
    settings: SolverSettings
    work: Work
    factor: Factor
    state: State
    report: AssemblyReport
    udot: Array
    lam: Array

    @classmethod
    def prepare(
        cls, system: System, settings: SolverSettings, factor: Factor | None = None, *, settled: bool = False
    ) -> Engine:
        """Assemble the system and find its start accelerations and multipliers.

        settled: start from the pose in which springs carry the weight, and the loads of the motion of a train,
        instead of the drawn one.
        Raises InputError when it cannot be assembled or does not settle, or when its initial velocities violate
        the constraints and the settings refuse that.
        """
        X = factor if factor is not None else new_factor(system)
        state, report = assemble(system, X)
        if settled:
            _check_drawn(system, state)
            state, why_not = _settled(system, X, state)
            moved = slides(system, state.path - system.start.path)
            report = replace(report, unsettled=why_not, slid=moved)
        state = _initial_velocities(system, settings, state, report)
        W = system.new_work()
        try:
            udot, lam = start_acceleration(system, W, X, state)
        except ArithmeticError as error:
            raise InputError(
                f"The run cannot start, its forces have no finite balance as drawn ({error}); look for lengths,"
                " stiffnesses or masses that are beyond reason."
            ) from None
        if not settled:
            check_start(system, W)
        remember_start(W)
        lost = buckled(system, W)
        if lost is not None:
            raise InputError(
                say(
                    "Coupling '{name}' buckles at the start: as drawn it is pushed with {push:.4g kN}, for which its"
                    " shanks have no balance (straight ones keep it up to {bears:.4g kN}); set the cars further apart,"
                    " or give the shanks stiffer springs.",
                    name=lost[0],
                    push=lost[1],
                    bears=lost[2],
                ),
                Where(("train", "couplings", lost[0])),
            )
        return cls(system, settings, W, X, state, report, udot, lam)

    def limits(self, t_end: float) -> Limits:
        s = self.settings
        return Limits(
            t_end, s.max_step, SMALLEST_STEP, s.tolerance, s.fixed_step or 0.0,
            *s.gaps, *parameters(s.rho_infinity), s.fourth_order and self._always_smooth(),
        )  # fmt: skip

    def _always_smooth(self) -> bool:
        """Whether steps may be of order 4: of changing size, with numerical damping, and in a system where nothing
        bends and nothing but contacts remembers or has unknowns of its own."""
        s, system = self.settings, self.system
        plain = not system.flexible and not others_remember(system)
        return plain and s.fixed_step is None and s.rho_infinity < 1.0

    def memory(self) -> Memory:
        """The start of an integration."""
        S, W, s, layout = self.system.arrays, self.work, self.state, self.system.layout
        v, l = layout.line(20), np.zeros((integration.PAST + SECANTS, layout.multipliers))
        constraints(S, W, s.time, s.r, s.p, s.path)
        start_internal(self.system, W, s, self.lam)
        keep_devices(S, W, s.time, s.u)
        if any(c.use is not None and c.use.law.given is not None for c in self.system.connectors):
            keep_elements(S, W)  # what they count begins here
        v[integration.U], v[integration.FORCE0] = s.u, W.vel[FORCE]
        v[integration.UDOT], v[integration.ACC] = self.udot, self._plain(s.u, self.udot)
        v[integration.MOMENTUM] = s.u
        J, spins = reals(S, BODY)[:, 1:], layout.spins
        w = s.u[spins]
        v[integration.MOMENTUM, spins] = np.einsum("bij,bj->bi", W.A[:-1], J * w)
        l[integration.LAM] = self.lam
        bending = [len(one.floating.inertia) for one in self.system.flexible]
        held = np.any(np.isin(layout.rigid[:-1], int_line(S, GCOL)), axis=1)
        first = self.settings.fixed_step or min(self.settings.max_step, FIRST_STEP)
        weight = slot_weights(self.system, self.settings.limb_tolerance)
        chosen = self.settings
        if chosen.method == "generalized_alpha" and chosen.fixed_step is None and chosen.rho_infinity < 1.0:
            allow_light(self.system, W, weight, self.settings.tolerance)
        made = Memory(
            clock=np.array([s.time, first, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            counts=np.zeros(11, dtype=np.int64),
            form=np.zeros(8),
            r=np.stack([s.r, s.r]),
            p=np.stack([s.p, s.p]),
            L=np.stack([s.path, s.path]),
            A=W.A.copy(),
            v=v,
            l=l,
            g=np.stack([W.gx, W.gx]),
            Hs=np.zeros(len(self.system.guides)),
            euler=np.hstack([1.0 / J, (np.roll(J, -1, 1) - np.roll(J, 1, 1)) / J]),
            held=np.asarray(held, dtype=np.int64),
            weight=weight,
            el_weight=element_weights(self.system, self.settings.limb_tolerance),
            el=W.el.copy(),
            slope=np.full(len(W.el) + sum(bending), np.nan),
            load=np.zeros(2 + len(bending)),
            z=np.vstack([W.z, np.zeros_like(W.z[:1])]),
            memory=W.memory,
            block=W.block.copy(),
            places=places_of(self.system),
            past=no_past(
                self.system.bodies,
                len(layout.plain),
                layout.width,
                len(W.el),
                W.z.shape[1],
                len(list(pairs_of(self.system))),
            ),
        )
        _begin(W, made)
        return made

    def _plain(self, u: Array, udot: Array) -> Array:
        """Accelerations without what bodies on principal axes have of turning alone."""
        out, spins, J = udot.copy(), self.system.layout.spins, reals(self.system.arrays, BODY)[:, 1:]
        w = u[spins]
        out[spins] -= np.cross(J * w, w) / J
        return out

    def restart(self, Y: Memory, log: Log) -> None:
        """Go on from an accepted step at which a load has jumped: with accelerations and multipliers of what acts from
        now on, and a first step that needs none of before. They stand in the last row of the log, too."""
        W, system = self.work, self.system
        u = Y.v[integration.U].copy()
        state = State(
            float(Y.clock[integration.TIME]), Y.r[0], Y.p[0], Y.L[0], u, Y.z[Z_NOW].copy(), Y.memory.copy()
        )
        udot, lam = start_acceleration(system, W, self.factor, state)
        Y.v[integration.UDOT], Y.v[integration.ACC] = udot, self._plain(u, udot)
        Y.v[integration.DEV], Y.v[integration.FORCE0] = 0.0, W.vel[FORCE]
        Y.l[integration.LAM] = lam
        Y.z[Z_RATE], Y.z[integration.Z_DEV] = W.z[Z_RATE], 0.0
        Y.g[integration.AT_START], Y.el[:], Y.slope[:] = W.gx, W.el, np.nan
        Y.clock[integration.STEP_BEFORE], Y.counts[integration.HAS_FACTOR] = 0.0, 0
        _begin(W, Y)
        Y.counts[integration.LOGGED] -= 1  # its row once more
        write_log(system.arrays, W, Y, log, True)


def _begin(W: Work, Y: Memory) -> None:
    """Let the present instant be the first that is known."""
    i, v = integration, Y.v
    if len(W.touch):
        ways_changed(W.touch, W.contact, W.el, Y.past.held, True)
    forget(Y.past)
    remember(Y.past, Y.clock[i.TIME], Y.r[0], Y.p[0], Y.L[0], v[i.MOMENTUM], v[i.ACC], v[i.UDOT], Y.el, Y.z)


def _check_drawn(system: System, state: State) -> None:
    """What is drawn too deep in one another is a mistake; how deep it lies once it has come to rest is none."""
    W = system.new_work()
    if len(W.touch):
        constraints(system.arrays, W, state.time, state.r, state.p, state.path)
        start_internal(system, W, state, np.zeros(system.rows))
        check_start(system, W)


def _settled(system: System, X: Factor, state: State) -> tuple[State, str]:
    """The state at rest under the weight, of a train that moves: at rest against its motion under the loads of it; and
    why it is not. A moving train that finds no rest, riders in the air for instance, starts as it is."""
    motion = carried(system, X, state)
    if motion is None:
        return _assembled(system, X, static_equilibrium(system, X, state).state, system.start.u), ""
    begun = state
    try:
        for _ in range(SETTLINGS):
            udot, _ = start_acceleration(system, _moving(system, state), X, state)
            motion = motion.gaining(system, state, udot)
            rest = static_equilibrium(system, X, state, motion=motion, tolerance=MOVING, steps=PATIENCE).state
            u, _ = motion.lines(system, rest.r, rest.p)
            state = _assembled(system, X, rest, u)
    except (InputError, ArithmeticError) as error:
        return begun, str(error)
    return state, ""


def _assembled(system: System, X: Factor, rest: State, u: Array) -> State:
    """A pose at rest with velocities u (width,) that fit the constraints, and with what its contacts are bent by."""
    state, _ = assemble(replace(system, start=replace(rest, u=u)), X)
    return replace(state, memory=rest.memory)


def _moving(system: System, state: State) -> Work:
    """Scratch memory that knows on which devices the cars stand in a state."""
    W = system.new_work()
    constraints(system.arrays, W, state.time, state.r, state.p, state.path)
    keep_devices(system.arrays, W, state.time, state.u)
    return W


def _initial_velocities(
    system: System, settings: SolverSettings, state: State, report: AssemblyReport
) -> State:
    """The state with the velocities that the settings want: projected on the constraints, or as described."""
    if settings.initial_velocities == "keep":
        if settings.method == "generalized_alpha":
            raise InputError(
                "Initial velocities cannot be kept by method 'generalized_alpha', whose velocities satisfy the"
                " constraints at every step; project them, or choose an explicit method."
            )
        if settings.formulation == "partitioning":
            raise InputError(
                "Initial velocities cannot be kept by formulation 'partitioning', which integrates none but those that"
                " satisfy the constraints; project them, or choose another formulation."
            )
        return replace(state, u=system.start.u.copy())
    if settings.initial_velocities == "refuse" and report.velocity_change > settings.gaps[1]:
        raise InputError(
            f"The initial velocities violate the constraints: body '{report.velocity_changed}' would have to change"
            f" its own by {report.velocity_change:.3g} m/s (or rad/s); correct them, or let them be projected."
        )
    return state


def start_internal(system: System, W: Work, state: State, lam: Array) -> None:
    """Internal unknowns of elements at a state (W.z) and the forces there: as the state says, else as at rest.

    Where there is no rest, they start from zero. Raises ArithmeticError where their rates cannot be found.
    """
    S = system.arrays
    if state.internal is None:
        still = np.zeros_like(state.u)
        W.z_step[0] = AT_REST
        forces(S, W, still, lam)
        if _guessed(system, W):
            forces(S, W, still, lam)
        if W.z_step[1] > 0.0:
            W.z[Z_NOW] = 0.0
    else:
        W.z[Z_NOW] = state.internal
    if state.memory is not None:
        W.memory[:] = state.memory
    W.z_step[0] = 0.0
    forces(S, W, state.u, lam)
    W.z[Z_BASE] = 0.0  # where a deviation is kept behind it, see genalpha
    if W.z_step[1] > 0.0:
        raise ArithmeticError("no internal unknowns")


def _guessed(system: System, W: Work) -> bool:
    """Put the guesses of elements into W.z, from the coordinates of the last forces; whether there are any."""
    found = False
    for c in system.connectors:
        if c.use is not None and c.use.guess is not None:
            W.z[Z_NOW, slice(*c.internal)] = c.use.guess(W.el[c.first : c.first + COORDINATES, 0].tolist())
            found = True
    return found


def start_acceleration(system: System, W: Work, X: Factor, state: State) -> tuple[Array, Array]:
    """Accelerations (width,) and multipliers (m,) that satisfy eq. 2.10 at a consistent state."""
    m, ng = system.rows, len(system.guides)
    udot, lam = system.layout.line(), np.zeros(m)
    constraints(system.arrays, W, state.time, state.r, state.p, state.path)
    start_internal(system, W, state, lam)
    solve = consistent_acceleration if m > MANY_ROWS else interpreted(consistent_acceleration)
    for _ in range(2 if count(system.arrays, E_PATH) else 1):  # rolling resistance needs the wheel forces
        ok = solve(system.arrays, W, X, np.zeros(m), np.zeros(ng), state.u, PLAIN_FORM, udot, lam)
        if not ok or not math.isfinite(float(np.sum(udot))):
            raise ArithmeticError("no start accelerations")
    return udot, lam
