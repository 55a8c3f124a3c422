"""Seats of the library with their restraints: whichever way weight pulls, whoever they are to hold rests in them."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.human.make import rider
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_restraint, load_seat
from ridewright.core.model.person import Person
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.rest import at_rest

G = 9.81
WAYS = {
    "down": (0.0, 0.0, -G), "up": (0.0, 0.0, G), "to the right": (0.0, -G, 0.0), "to the left": (0.0, G, 0.0),
    "forwards": (G, 0.0, 0.0), "backwards": (-G, 0.0, 0.0),
}  # fmt: skip
BARS = ("sit_down", "family_bench", "pirate_ship")
SHOULDERS = ("viegas2016", "floorless", "frisbee", "flying")


def gone(key: str, way: str, tone: str, stature: float | None = None) -> dict[str, float]:
    """How far (m) pelvis, chest and head of a man - of a child of a stature (m) - whom nothing but seat and restraint
    hold go until they rest."""
    shape, usual = load_seat(key)
    tones = dict.fromkeys(("neck", "trunk", "arms", "legs"), tone)
    who: dict[str, object] = {"stature_percentile": "50", "mass_percentile": "50"}
    if stature is not None:
        who = {"stature": stature, "mass_percentile": "50", "scaling": "child", "hinges": True}
    person = Person.model_validate({**who, "held": False, **tones})
    seat = Seat(
        name="Seat", body="ground", position=(0.0, 0.0, 0.0), shape=shape, restraint=load_restraint(usual)
    )
    post = Body(name="Post", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(5.0, 0.0, 0.0))  # a rig has a body
    foot = Joint(name="Foot", kind="rigid", body_i="ground", body_j="Post")
    made = rider(person, "Seat", shape=shape)
    rig = Assembly(name="Rig", role="rig", bodies=(post,), joints=(foot,), seats=(seat,), children=(made,))
    found = at_rest(Project(name="Rig", gravity=WAYS[way], scenario=Rig(assembly=rig, duration=1.0)))
    names = [name.rpartition("/")[2] for name in found.system.names]
    sat = {body.name: np.array(body.position) for body in made.bodies}
    return {
        part: float(np.linalg.norm(found.rest.state.r[names.index(part)] - sat[part]))
        for part in ("Pelvis", "Thorax", "Head")
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("key", SHOULDERS)
def test_that_what_goes_over_the_shoulders_holds_whichever_way_the_car_is_turned(key: str, way: str) -> None:
    """Chest and head stay in it; the hips may slide forwards to where the thighs lie on its lap pad."""
    far = gone(key, way, "normal")
    assert far["Pelvis"] < 0.3
    assert far["Thorax"] < 0.2
    assert far["Head"] < 0.25


@pytest.mark.parametrize("tone", ["normal", "braced"])
@pytest.mark.parametrize("key", BARS)
def test_that_a_lap_bar_holds_upside_down(key: str, tone: str) -> None:
    """It lies on the lap, not before the knees; the calves behind the pan hold who does not bend the knees."""
    assert gone(key, "up", tone)["Pelvis"] < 0.15


def test_that_the_trunk_is_named_that_falls_off_a_bench() -> None:
    """Hands that hang on it go further, and say nothing about it."""
    with pytest.raises(InputError, match=r"'Rider/(Thorax|Abdomen|Pelvis|Head)' finds no hold .*along [+-]y"):
        gone("family_bench", "down", "limp")


def test_that_who_sleeps_in_a_child_seat_stays_in_it() -> None:
    """The trunk folds forwards over the lap; without sides it fell aside, and off the seat."""
    assert gone("child", "down", "limp", stature=1.2)["Pelvis"] < 0.1


def test_that_a_child_who_sinks_aside_on_a_plain_bench_comes_to_rest() -> None:
    """It creeps there: thighs slide on the pan while a trunk of usual tone leans over, by less and less."""
    found = gone("pirate_ship", "down", "normal", stature=1.2)
    assert found["Pelvis"] < 0.1
    assert found["Head"] > 0.3
