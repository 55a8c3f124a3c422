"""Airtime as felt, loads and pressure of seat and restraint, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from ridewright.core.charts.loads import free_sources
from ridewright.core.charts.signals import RunSignals
from ridewright.core.contact.shapes import BOX, CAPSULE, ELLIPSOID, SPHERE
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction, Harmonic
from ridewright.core.model.joints import Joint
from ridewright.core.model.seats import Padding, SeatPart, SeatShape
from ridewright.core.model.surfaces import Box, Sphere
from ridewright.core.multibody.contact_points import Skin
from ridewright.core.outcome.contact_pressure import patch_area
from ridewright.core.outcome.free_riders import free_rider_summaries, free_riders
from ridewright.core.outcome.meetings import meetings
from ridewright.core.outcome.seat_table import columns_of
from ridewright.core.outcome.seats import assess_seats, judge_run
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

G, MASS, RADIUS, STIFF = 9.81, 60.0, 0.1, 1e8
OMEGA, BEYOND = 2.0 * math.pi, 0.25  # rad/s; by how much (g) the seat falls faster than a stone
WHOLE = dict.fromkeys(("head", "upper_torso", "pelvis"), "Pelvis")
AMPLITUDE = (1.0 + BEYOND) * G / OMEGA**2


@pytest.fixture(scope="module")
def shaken() -> Results:
    """A ball on the pan of a seat that goes up and down, down with up to 1.25 g: z = A (1 - cos w t)."""
    wave = AnalyticFunction(
        offset=AMPLITUDE, harmonics=(Harmonic(amplitude=-AMPLITUDE, omega=OMEGA, phase=0.5 * math.pi),)
    )
    base = Body(name="Base", mass=100.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
    up = (0.0, 0.0, 1.0)
    guide = Joint(name="Guide", kind="prismatic", body_i=GROUND, body_j="Base", axis_i=up, axis_j=up)
    pan = SeatPart(
        kind="pan", padding=Padding(stiffness=STIFF, exponent=1.0, restitution=0.1, friction=0.3),
        surface=Box(name="Pan", half_sizes=(0.5, 0.5, 0.05), position=(0.0, 0.0, -0.05)),
    )  # fmt: skip
    back = SeatPart(
        kind="back", surface=Box(name="Back", half_sizes=(0.05, 0.5, 0.5), position=(-2.0, 0.0, 0.5))
    )
    ball = Body(
        name="Pelvis", mass=MASS, inertia=(0.2, 0.2, 0.2), position=(0.0, 0.0, RADIUS - MASS * G / STIFF),
        surfaces=(Sphere(name="Skin", radius=RADIUS),),
    )  # fmt: skip
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,), joints=(guide,),
        drivers=(Driver(name="Shaker", target="Guide", coordinate="slide", function=wave),),
        seats=(
            Seat(
                name="Seat", body="Base", position=(0.0, 0.0, 0.0), shape=SeatShape(name="Plate", parts=(pan, back))
            ),
        ),
        children=(Assembly(name="Ball", role="rider", seat="Seat", bodies=(ball,), **WHOLE),),
    )  # fmt: skip
    return simulate(Project(name="Shaken", scenario=Rig(assembly=rig, duration=0.95)))


def test_that_a_rider_lifts_off_and_lands_as_the_closed_form_says(shaken: Results) -> None:
    off = math.acos(-1.0 / (1.0 + BEYOND)) / OMEGA
    z, v = AMPLITUDE * (1.0 - math.cos(OMEGA * off)), AMPLITUDE * OMEGA * math.sin(OMEGA * off)

    def gap(t: float) -> float:
        return z + v * (t - off) - 0.5 * G * (t - off) ** 2 - AMPLITUDE * (1.0 - math.cos(OMEGA * t))

    landed = brentq(gap, off + 0.05, off + 0.6)
    far = max(gap(t) for t in np.linspace(off, landed, 2001))
    met = v - G * (landed - off) - AMPLITUDE * OMEGA * math.sin(OMEGA * landed)
    one = free_rider_summaries(shaken)["Ball"]
    assert landed < 0.9
    assert one.longest_from == pytest.approx(off, abs=1.5e-3)
    assert one.longest == pytest.approx(landed - off, abs=3e-3)
    assert one.gap == pytest.approx(far, rel=1e-2)
    assert one.parts["Pan"].speed == pytest.approx(-met, rel=2e-2)
    assert one.airtime is not None
    assert one.longest is not None
    assert one.airtime >= one.longest
    assert one.parts["Pan"].slid < 1e-9


def test_that_load_and_pressure_are_those_of_a_ball_on_a_plane(shaken: Results) -> None:
    project = Project.model_validate(shaken.provenance["project"])
    signals = RunSignals(shaken, project)
    _, load = signals.read("free/Ball/Pan/load") or (None, None)
    _, gap = signals.read("free/Ball/Pan/gap") or (None, None)
    _, pressure = signals.read("free/Ball/Pan/pressure") or (None, None)
    _, felt = signals.read("free/Ball/airtime") or (None, None)
    assert load is not None
    assert gap is not None
    assert pressure is not None
    assert felt is not None
    k = int(np.argmin(np.abs(shaken.states.time - 0.3)))
    assert load[k, 0] == pytest.approx(
        MASS * (G + (1.0 + BEYOND) * G * math.cos(OMEGA * shaken.states.time[k])), rel=2e-2
    )
    assert pressure[k, 0] == pytest.approx(load[k, 0] / (math.pi * RADIUS * -gap[k, 0]), rel=1e-9)
    assert felt.max() == pytest.approx(gap.max())
    assert (pressure[gap[:, 0] > 0.0] == 0.0).all()


def test_that_table_plots_and_judgement_know_who_sits_freely(shaken: Results) -> None:
    (seat,) = assess_seats(shaken)
    assert seat.free == free_rider_summaries(shaken)["Ball"]
    values = {column.key: column.value(seat) for column in columns_of((seat,))}
    assert values["criterion"] == "not marked as assessed"
    assert values["airtime"] == seat.free.airtime
    assert values["restraint_load"] is None  # there is none
    assert [source.key for source in free_sources(shaken, ["Ball"], "gap")] == ["free/Ball/Pan/gap"]
    assert free_sources(shaken, ["Somebody"], "gap") == ()
    assert judge_run(shaken).notes == ()  # a seat that is not to be assessed is no reproach
    (one,) = free_riders(shaken)
    assert [(part.name, part.friction) for part in one.parts] == [("Pan", 0.3), ("Back", 0.4)]


def _skin(kind: int, sizes: tuple[float, float, float]) -> Skin:
    return Skin("s", 0, kind, np.zeros(3), np.eye(3), sizes, 1.0, 1.0)


def test_that_patches_are_those_of_hertz() -> None:
    depth, up, here = np.array([1e-3]), np.array([[0.0, 0.0, 1.0]]), np.eye(3)[None]
    box = _skin(BOX, (1.0, 1.0, 1.0))
    a, b, c = 0.1, 0.15, 0.2
    ellipsoid = _skin(ELLIPSOID, (a, b, c))
    # radii of curvature at the lower end of the third axis: a^2/c and b^2/c
    flat = patch_area(depth, up, ellipsoid, box, here, here)
    assert flat == pytest.approx(math.pi * 1e-3 * a * b / c)
    bar = _skin(CAPSULE, (0.02, 0.3, 0.0))
    along_x = np.array([[[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]])  # its axis is x
    both = (c / a**2) * (c / b**2 + 1.0 / 0.02)
    assert patch_area(depth, up, ellipsoid, bar, here, along_x) == pytest.approx(
        math.pi * 1e-3 / math.sqrt(both)
    )
    ball = _skin(SPHERE, (0.1, 0.0, 0.0))
    away = (np.array([[0.0, 0.0, 0.19]]), here)
    met = meetings(ball, ellipsoid, away, (np.zeros((1, 3)), here))
    assert met[0] == pytest.approx([0.11, 0.0, 0.0, 1.0, 0.0, 0.0, 0.145], abs=1e-9)
