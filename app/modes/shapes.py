"""Modes of the project as the panel shows them: found off the window's thread, named, and swung through as poses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridewright.app.view3d.poses import Poses
from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_rotation_vector, multiply
from ridewright.core.model.assembly import Assembly
from ridewright.core.multibody.layout import TURN
from ridewright.core.project.project import Project
from ridewright.core.solver.modes import Mode, modes_at, modes_at_rest

Array = NDArray[np.float64]
FRAMES = 32  # of one swing
LARGEST_TURN = 0.35  # rad in the drawn swing, so that a light part does not spin
MENTIONED = 0.05  # least share of the energy or of the mass that is named


@dataclass(frozen=True)
class Asked:
    """Modes of which project: about its rest at the start, or about the state `time` s into its run."""

    project: Project
    time: float | None


@dataclass(frozen=True)
class Found:
    """What was found: names of the bodies, the state (nb, 3) m and (nb, 4) Euler parameters, and the modes; or why
    not."""

    asked: Asked
    names: tuple[str, ...] = ()
    position: Array | None = None
    orientation: Array | None = None
    modes: tuple[Mode, ...] = ()
    trouble: str = ""


def find(asked: Asked) -> Found:
    """Find modes; trouble with the model is told in the answer."""
    try:
        if asked.time is None:
            system, rest, modes = modes_at_rest(asked.project)
            state = rest.state
        else:
            system, state, modes = modes_at(asked.project, asked.time)
    except InputError as error:
        return Found(asked, trouble=str(error))
    except ArithmeticError:
        return Found(
            asked, trouble="The accelerations at this state cannot be found; see Problems for the model."
        )
    n = system.bodies
    return Found(asked, tuple(system.names), state.r[:n].copy(), state.p[:n].copy(), modes)


def frequency_text(mode: Mode) -> str:
    """Frequency (Hz) of a swing; what other modes are."""
    if mode.kind == "swing" or (mode.kind == "unstable" and mode.pole.imag > 0.0):
        return f"{mode.frequency:.3g}"
    return {"free": "free", "decay": "decays", "unstable": "grows"}[mode.kind]


def damping_text(mode: Mode) -> str:
    """Share of critical damping (%), of what swings; the time constant (s) of what only decays or grows."""
    if mode.kind == "free":
        return "–"
    if mode.pole.imag > 0.0:
        return f"{100.0 * mode.damping:.2g} %"
    return f"{1.0 / abs(mode.pole.real):.2g} s"


def energy_text(mode: Mode, names: tuple[str, ...]) -> str:
    """The bodies with most of the kinetic energy."""
    shares = dict(zip(names, mode.energy.tolist(), strict=True))
    return (
        ", ".join(f"{name} {100.0 * shares[name]:.0f} %" for name in mode.where[:3])
        or "nothing in particular"
    )


def along_text(mode: Mode) -> str:
    """Axes of the world along which the mode moves some of the mass."""
    shares = zip("xyz", mode.participation.tolist(), strict=True)
    return ", ".join(f"{axis} {100.0 * share:.0f} %" for axis, share in shares if share >= MENTIONED) or "–"


def body_path(assembly: Assembly | None, name: str) -> tuple[str, ...]:
    """The path of a body by its full name, whose parts are names of assemblies and the body's own."""
    path: tuple[str, ...] = ()
    while assembly is not None:
        if any(body.name == name for body in assembly.bodies):
            return (*path, name)
        inner = next((one for one in assembly.children if name.startswith(f"{one.name}/")), None)
        if inner is None:
            return ()
        path, name, assembly = (*path, inner.name), name.removeprefix(f"{inner.name}/"), inner
    return ()


def swing(found: Found, mode: Mode, size: float) -> Poses:
    """One swing of a mode as poses over the times 0 to 1, size (m): how far what moves most moves."""
    assert found.position is not None
    assert found.orientation is not None
    shape = mode.shape / max(float(np.abs(mode.shape[:, :TURN]).max()), 1e-9)
    turn = float(np.abs(shape[:, TURN:]).max())
    scale = min(size, LARGEST_TURN / turn if turn > 0.0 else size)
    phases = np.linspace(0.0, 2.0 * np.pi, FRAMES + 1)
    motion = scale * (shape[None] * np.exp(1j * phases)[:, None, None]).real
    position = found.position + motion[:, :, :TURN]
    orientation = multiply(found.orientation[None], from_rotation_vector(motion[:, :, TURN:]))
    times = phases / (2.0 * np.pi)
    return Poses(found.names, times, position, np.gradient(position, times, axis=0), orientation)
