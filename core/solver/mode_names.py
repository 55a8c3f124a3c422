"""What a car does as a whole in a mode: bounce, roll, sway, pitch, surge, yaw; and why a mode grows."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ..base.frames import rotation_matrix
from ..multibody.arrays import BODY, reals
from ..multibody.compile import State, System
from ..multibody.layout import TURN
from .modes import ZERO, Mode

OWN: Final = 0.4  # least share of the energy in bodies of cars, not of riders, of a motion that is theirs
TURNS: Final = 0.1  # least share of turning in a motion across or along that is called after it
WHOLE: Final = 0.9  # of the mass: all moves as one


def car_motion(system: System, state: State, mode: Mode) -> str:
    """What the car with most of the energy does in a mode, "Car 1: roll"; "" where riders or wheels move most, and
    where there is no car.

    The motion of the body that carries the seats, in its own axes, x ahead: up and down is bounce, about the vertical
    yaw; across, with a turn about x, is roll, without sway; along, with a turn about y, is pitch, without surge.
    """
    riders = np.zeros(system.bodies, dtype=bool)
    for seated in system.seated:
        riders[slice(*seated.bodies)] = True
    own = {car.name: np.flatnonzero(~riders[slice(*car.bodies)]) + car.bodies[0] for car in system.cars}
    shares = {name: float(mode.energy[bodies].sum()) for name, bodies in own.items() if len(bodies)}
    if sum(shares.values()) < OWN or abs(mode.pole) < ZERO:
        return ""
    car = max(shares, key=lambda name: shares[name])
    table = reals(system.arrays, BODY)
    carried = [seated.seat for seated in system.seated if seated.seat in own[car]]
    body = carried[0] if carried else int(own[car][np.argmax(table[own[car], 0])])
    A = rotation_matrix(state.p[body])
    along = np.abs(A.T @ mode.shape[body, :TURN]) ** 2 * table[body, 0]
    about = np.abs(mode.shape[body, TURN:]) ** 2 * table[body, 1:4]
    across, ahead = along[1] + about[0], along[0] + about[1]
    energies = {
        "bounce": along[2],
        "yaw": about[2],
        "roll" if about[0] >= TURNS * across else "sway": across,
        "pitch" if about[1] >= TURNS * ahead else "surge": ahead,
    }
    if max(energies.values()) <= 0.0:
        return ""
    return f"{car}: {max(energies, key=lambda word: energies[word])}"


def growth(mode: Mode, moving: bool = False) -> str:
    """Why a mode that is unstable grows, and how fast, in a sentence; "" for one that does not. moving: it is of an
    instant of a ride, whose own motion may feed it."""
    if mode.kind != "unstable":
        return ""
    double = f"its motion doubles every {math.log(2.0) / mode.pole.real:.2g} s"
    what = mode.where[0] if mode.where else "The model"
    if moving:
        return (
            f"{what} grows away from the ride at this instant: {double} as long as speed and place stay as they are."
            " That is no fault by itself: a body near its highest point does so."
        )
    if mode.pole.imag > ZERO:
        return (
            f"{what} swings more and more, {double}: something feeds it, such as a negative damping or a force that"
            " follows the motion."
        )
    if float(mode.participation.max()) > WHOLE:
        return f"All moves away as one, {double}: it rests on a crest, from which it rolls off either way."
    return (
        f"{what} leaves its rest without swinging, {double}: its weight or another force pushes it on more than springs"
        " hold it. It needs a support, a stiffer spring, or a lower centre of mass."
    )
