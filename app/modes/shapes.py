"""Modes as the panel shows them, of the project or of one flexible body alone: found off the window's thread, named,
and swung through as poses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.frames import from_rotation_vector, multiply, rotation_matrix
from ...core.base.sentence import written
from ...core.multibody.compile import State, System, compile_system
from ...core.multibody.flexible import Flexible
from ...core.multibody.layout import TURN
from ...core.outcome.stress import outside
from ...core.project.project import Project
from ...core.solver.assemble import assemble
from ...core.solver.kkt import new_factor
from ...core.solver.mode_names import car_motion
from ...core.solver.modes import Mode, modes_at, modes_at_rest
from ...core.solver.rest import drives_in
from ...core.structure.own_modes import OwnMode, constraint_modes, held_modes, interface_rows
from ..view3d.poses import Bending, Poses
from ..widgets import units

FRAMES = 32  # of one swing
LARGEST_TURN = 0.35  # rad in the drawn swing, so that a light part does not spin
MENTIONED = 0.05  # least share of the energy or of the mass that is named
DUST = 1e-9  # share of critical damping that is what rounding has left


@dataclass(frozen=True)
class Asked:
    """Modes of which project: about its rest at the start, or about the state `time` s into its run; alone: those of
    the flexible body of that full name, between its interfaces and with each of their motions."""

    project: Project
    time: float | None
    alone: str = ""


@dataclass(frozen=True)
class Alone(Mode):
    """A mode of one flexible body alone."""

    words: str = ""

    @property
    def kind(self) -> str:
        return "internal" if self.frequency > 0.0 else "static"


@dataclass(frozen=True)
class Bent:
    """A flexible body that swings: its number, which modal coordinates are its own, and how it is bent at the state."""

    name: str
    body: int
    own: slice
    bending: Bending


@dataclass(frozen=True)
class Found:
    """What was found: names of the bodies, the state (nb, 3) m and (nb, 4) Euler parameters, what bends, and the modes;
    or why not; whether it has drives, which are off at rest; motions: what a car does as a whole in each mode, if
    anything."""

    asked: Asked
    names: tuple[str, ...] = ()
    position: Array | None = None
    orientation: Array | None = None
    modes: tuple[Mode, ...] = ()
    trouble: str = ""
    bent: tuple[Bent, ...] = ()
    drives: bool = False
    motions: tuple[str, ...] = ()


def find(asked: Asked) -> Found:
    """Find modes; trouble with the model is told in the answer."""
    try:
        if asked.alone:
            system = compile_system(asked.project, speed=0.0)
            state, _ = assemble(system, new_factor(system))
            modes = _alone(system, state, asked.alone)
        elif asked.time is None:
            system, rest, modes = modes_at_rest(asked.project)
            state = rest.state
        else:
            system, state, modes = modes_at(asked.project, asked.time)
        bending = bent(system, state)
    except InputError as error:
        return Found(asked, trouble=units.told(error))
    except ArithmeticError:
        return Found(
            asked, trouble="The accelerations at this state cannot be found; see Problems for the model."
        )
    n = system.bodies
    return Found(
        asked,
        tuple(system.names),
        state.r[:n].copy(),
        state.p[:n].copy(),
        modes,
        "",
        bending,
        bool(drives_in(asked.project)),
        tuple("" if asked.alone else car_motion(system, state, mode) for mode in modes),
    )


def bent(system: System, state: State) -> tuple[Bent, ...]:
    """What bends of a system."""
    found, at = [], 0
    for one in system.flexible:
        own = slice(at, at + len(one.floating.inertia))
        at = own.stop
        skin = outside(one.description, one.floating.shapes)
        if skin is not None:
            bending = Bending(
                skin, one.floating.centre, state.path[None, len(system.guides) :][:, own].copy()
            )
            found.append(Bent(one.name, one.body, own, bending))
    return tuple(found)


def _alone(system: System, state: State, name: str) -> tuple[Mode, ...]:
    """The modes of one flexible body, as modes of the system in which all else stands still but the bodies at its
    interfaces. Raises InputError where it is none."""
    one = next((one for one in system.flexible if one.name == name), None)
    if one is None:
        raise InputError(f"There is no flexible body '{name}' any more; choose another.")
    own = (*constraint_modes(one.floating), *held_modes(one.floating))
    return tuple(_as_mode(system, state, one, mode) for mode in own)


def _as_mode(system: System, state: State, one: Flexible, own: OwnMode) -> Alone:
    n, bend = system.bodies, np.zeros(len(system.layout.plain) - len(system.guides))
    turns = rotation_matrix(state.p[:n])
    shape = np.zeros((n, 2 * TURN))
    A, first = turns[one.body], 0
    shape[one.body] = np.r_[A @ own.motion[:TURN], own.motion[TURN : 2 * TURN]]
    for other in system.flexible:
        count = len(other.floating.inertia)
        if other is one:
            bend[first : first + count] = own.motion[2 * TURN :]
        first += count
    for end in one.ends:
        b = end.at.body
        if b >= 0:
            moved = interface_rows(one.floating, end.node) @ own.motion
            node = state.r[one.body] + A @ one.floating.interfaces[end.node].place
            turn = A @ moved[TURN:]
            shape[b] = np.r_[A @ moved[:TURN] + np.cross(turn, state.r[b] - node), turns[b].T @ turn]
    energy, hertz = np.zeros(n), own.frequency or 0.0
    energy[one.body] = 1.0
    return Alone(
        2j * np.pi * hertz, hertz, 0.0, shape.astype(complex), energy, np.zeros(3), (one.name,), bend.astype(complex),
        own.words,
    )  # fmt: skip


def frequency_text(mode: Mode) -> str:
    """Frequency (Hz) of a swing; what other modes are."""
    if isinstance(mode, Alone):
        return written(mode.frequency, ".4g") if mode.frequency > 0.0 else "static"
    if mode.kind == "swing" or (mode.kind == "unstable" and mode.pole.imag > 0.0):
        return written(mode.frequency, ".3g")
    return {"free": "free", "decay": "decays", "unstable": "grows"}[mode.kind]


def damping_text(mode: Mode) -> str:
    """Share of critical damping (%), of what swings; the time constant (s) of what only decays or grows."""
    if mode.kind == "free" or isinstance(mode, Alone):
        return "–"
    if mode.pole.imag > 0.0:
        share = mode.damping if abs(mode.damping) > DUST else 0.0
        return f"{written(100.0 * share, '.2g')} %"
    return f"{written(1.0 / abs(mode.pole.real), '.2g')} s"


def energy_text(mode: Mode, names: tuple[str, ...]) -> str:
    """The bodies with most of the kinetic energy; of modes of one body what they are."""
    if isinstance(mode, Alone):
        return (
            f"between held interfaces, {mode.words}" if mode.frequency > 0.0 else f"{mode.words}, others held"
        )
    shares = dict(zip(names, mode.energy.tolist(), strict=True))
    return (
        ", ".join(f"{name} {100.0 * shares[name]:.0f} %" for name in mode.where[:3])
        or "nothing in particular"
    )


def along_text(mode: Mode) -> str:
    """Axes of the world along which the mode moves some of the mass."""
    shares = zip("xyz", mode.participation.tolist(), strict=True)
    return ", ".join(f"{axis} {100.0 * share:.0f} %" for axis, share in shares if share >= MENTIONED) or "–"


def swing(found: Found, mode: Mode, size: float) -> Poses:
    """One swing of a mode as poses over the times 0 to 1, size (m): how far what moves most moves."""
    assert found.position is not None
    assert found.orientation is not None
    reaches = [_reach(one, mode, found) for one in found.bent]
    far = max([float(np.abs(mode.shape[:, :TURN]).max()), *reaches])
    shape = mode.shape / max(far, 1e-9)
    turn = float(np.abs(shape[:, TURN:]).max())
    scale = min(size, LARGEST_TURN / turn if turn > 0.0 else size)
    phases = np.linspace(0.0, 2.0 * np.pi, FRAMES + 1)
    waves = np.exp(1j * phases)
    motion = scale * (shape[None] * waves[:, None, None]).real
    position = found.position + motion[:, :, :TURN]
    orientation = multiply(found.orientation[None], from_rotation_vector(motion[:, :, TURN:]))
    times = phases / (2.0 * np.pi)
    bent = scale / max(far, 1e-9) * (mode.bend[None] * waves[:, None]).real
    bends = {one.name: replace(one.bending, modal=one.bending.modal + bent[:, one.own]) for one in found.bent}
    return Poses(found.names, times, position, np.gradient(position, times, axis=0), orientation, bends)


def _reach(one: Bent, mode: Mode, found: Found) -> float:
    """How far (m) the outside of a flexible body moves at most along an axis of its own."""
    assert found.orientation is not None
    skin, rigid, q = one.bending.skin, mode.shape[one.body], mode.bend[one.own]
    arms, back = skin.points - one.bending.centre, rotation_matrix(found.orientation[one.body]).T
    parts = [
        skin.moved(part(q)) - skin.points + np.cross(part(rigid[TURN:]), arms) + back @ part(rigid[:TURN])
        for part in (np.real, np.imag)
    ]
    return float(np.hypot(*parts).max())
