"""What is told of a blow on a head, against a ball on the law of the padding alone, integrated by scipy: peak, HIC and
3 ms value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.seats import Padding, SeatPart, SeatShape
from ridewright.core.model.surfaces import Box, Sphere
from ridewright.core.outcome.contact_peaks import Blow, contact_peaks
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.run.simulate import simulate

G, MASS, RADIUS = 9.81, 4.5, 0.1
ELASTIC = Padding(stiffness=6e4, exponent=1.5, damping=0.0, friction=0.0)
LIBRARY = Padding(stiffness=6e4, exponent=1.5, restitution=0.1, friction=0.5)  # the headrest of `sit_down`
FOAM = Padding(stiffness=6e4, exponent=1.5, damping=0.6, friction=0.5)


def blow(pad: Padding, drop: float, rate: float = 1e4) -> Blow:
    """A head alone that falls backwards onto a headrest."""
    away = Padding(stiffness=1e5)
    surfaces = (
        ("pan", away, Box(name="Pan", half_sizes=(1.0, 0.5, 0.05), position=(0.0, 0.0, -1.0))),
        ("back", away, Box(name="Back", half_sizes=(0.05, 0.5, 0.5), position=(-3.0, 0.0, 0.0))),
        (
            "headrest",
            pad,
            Box(name="Headrest", half_sizes=(0.05, 0.3, 0.3), position=(-RADIUS - drop - 0.05, 0.0, 0.5)),
        ),
    )
    parts = tuple(SeatPart(kind=kind, padding=given, surface=box) for kind, given, box in surfaces)
    base = Body(name="Base", mass=100.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
    skull = (Sphere(name="Skull", radius=RADIUS),)
    head = Body(name="Head", mass=MASS, inertia=(0.02, 0.02, 0.02), position=(0.0, 0.0, 0.5), surfaces=skull)
    whole = dict.fromkeys(("head", "upper_torso", "pelvis"), "Head")
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,),
        seats=(Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0), shape=SeatShape(name="Plate", parts=parts)),),
        children=(Assembly(name="Man", role="rider", seat="Seat", bodies=(head,), **whole),),
        joints=(Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base"),),
    )  # fmt: skip
    project = Project(
        name="Drop", gravity=(-G, 0.0, 0.0), settings=SolverSettings(sample_rate=rate),
        scenario=Rig(assembly=rig, duration=math.sqrt(2.0 * drop / G) + 0.11),
    )  # fmt: skip
    run = simulate(project)
    assert run.status.name == "done"
    (found,) = contact_peaks(run).blows
    return found


def alone(pad: Padding, drop: float) -> tuple[float, float, float, float]:
    """Largest force (N), HIC15, 3 ms value (g) and speed (m/s) at the touch of m x'' = m g - k x^n (1 + l x'/v0)."""
    k, n, speed = pad.stiffness, pad.exponent, math.sqrt(2.0 * G * drop)
    loss = 1.5 * (1.0 - pad.restitution) if pad.damping is None else pad.damping * speed

    def force(x: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.maximum(k * np.maximum(x, 0.0) ** n * (1.0 + loss * v / speed), 0.0)

    def leaves(t: float, y: np.ndarray) -> float:
        return float(y[0]) if t > 1e-4 else 1.0

    leaves.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(
        lambda _, y: [y[1], G - force(y[0], y[1]) / MASS], (0.0, 0.1), [0.0, speed],
        rtol=1e-11, atol=1e-13, events=leaves, dense_output=True,
    )  # fmt: skip
    t = np.linspace(0.0, found.t[-1], 2001)
    felt = force(*found.sol(t)) / MASS / G
    held = np.concatenate([[0.0], np.cumsum(0.5 * (felt[1:] + felt[:-1]) * np.diff(t))])
    span = t[None, :] - t[:, None]
    good = (span > 0.0) & (span <= 0.015)
    hic = np.max((held[None, :] - held[:, None])[good] ** 2.5 * span[good] ** -1.5)
    clip = np.sort(felt)[::-1][round(0.003 / (t[1] - t[0]))]  # reached for 3 ms in all
    return MASS * G * float(felt.max()), float(hic), float(clip), speed


@pytest.mark.parametrize("pad", [ELASTIC, LIBRARY, FOAM], ids=["elastic", "restitution", "damping"])
@pytest.mark.parametrize("drop", [0.05, 0.35])
def test_that_a_blow_on_a_headrest_is_that_of_one_mass_on_the_law_of_its_padding(
    pad: Padding, drop: float
) -> None:
    found, (force, hic, clip, speed) = blow(pad, drop), alone(pad, drop)
    assert found.contact == "Headrest"
    assert found.force == pytest.approx(force, rel=2e-3)
    assert found.hic == pytest.approx(hic, rel=4e-3)
    assert found.clip == pytest.approx(clip, rel=2e-3)
    assert found.speed == pytest.approx(speed, rel=1e-2)


def test_that_what_falls_is_stopped_by_the_energy_it_brings() -> None:
    """m g (h + d) = k d^(n + 1) / (n + 1) where nothing is lost."""
    drop, n = 0.35, ELASTIC.exponent
    deep = brentq(lambda d: MASS * G * (drop + d) - ELASTIC.stiffness * d ** (n + 1.0) / (n + 1.0), 1e-6, 1.0)
    assert blow(ELASTIC, drop).force == pytest.approx(ELASTIC.stiffness * deep**n, rel=1e-3)


def test_that_the_usual_sample_rate_gives_the_same_blow() -> None:
    """1000 samples a second, at which riders are judged, beside ten times as many."""
    fine, usual = blow(LIBRARY, 0.35), blow(LIBRARY, 0.35, 1e3)
    assert usual.hic == pytest.approx(fine.hic, rel=3e-3)
    assert usual.clip == pytest.approx(fine.clip, rel=3e-3)
