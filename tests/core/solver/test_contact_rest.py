"""Rest on surfaces: what touches carries the weight, friction holds within its cone, what finds no hold is named."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from ridewright.core.base.arrays import Array
from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import delete_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.human import make
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.model.surfaces import Box, Capsule, Plane, Sphere, Surface
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.contact_kernels import F_SPOTS, FX, LOAD, NX, SPOT_NUMBERS, SPOTS
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.engine import start_internal
from ridewright.core.solver.rest import AtRest, at_rest

GRAVITY = 9.81
PAN = -0.147  # m, height of the lowest point of a rider as made


def held(found: AtRest) -> tuple[Array, Array]:
    """Normal forces (spots, 3) and friction (spots, 3) N on what lies on surfaces, in the pose of rest."""
    system, _, rest = found
    W, state = system.new_work(), rest.state
    constraints(system.arrays, W, state.time, state.r, state.p, state.path)
    start_internal(system, W, state, rest.lam)
    I = W.touch
    spots = W.contact[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(-1, SPOT_NUMBERS)
    return spots[:, LOAD, None] * spots[:, NX : NX + 3], spots[:, FX : FX + 3]


def rig(*parts: Any, surfaces: tuple[Surface, ...], **contact: Any) -> Project:
    """Bodies, or a rider, over what stands on the ground."""
    bodies = tuple(part for part in parts if isinstance(part, Body))
    riders = tuple(part for part in parts if isinstance(part, Assembly))
    on = {"group_i": riders[0].name} if riders else {"body_i": bodies[0].name}
    law = {"name": "Seat", "body_j": "ground", "stiffness": 1e5, "start_depth": 0.3, **on, **contact}
    forces = (TYPES["contact"].model(**law),)
    top = Assembly(name="Rig", role="rig", bodies=bodies, children=riders, forces=forces, surfaces=surfaces)
    return Project(
        name="Rig", scenario=Rig(assembly=top, duration=0.5), settings=SolverSettings(tolerance=1e-6)
    )


def person(tone: str) -> Assembly:
    """A man whom nothing holds, seated over the origin."""
    tones = dict.fromkeys(("neck", "trunk", "arms", "legs"), tone)
    return make.mechanism(
        Person.model_validate({"stature": 1.78, "mass": 81.5, "held": False, **tones}), "Rider"
    )


def turned(degrees: float) -> tuple[float, float, float, float]:
    """About y."""
    half = math.radians(degrees) / 2.0
    return (math.cos(half), 0.0, math.sin(half), 0.0)


def seat(
    rider: Assembly, recline: float = 0.0, slope: float = 0.0, *, sides: bool = False
) -> tuple[Surface, ...]:
    """Pan, back, foot rest and, where asked for, what stands on both sides of hips, chest and head."""
    a, b = math.radians(recline), math.radians(slope)
    front, up = np.array([math.cos(a), 0.0, math.sin(a)]), np.array([-math.sin(a), 0.0, math.cos(a)])
    ahead, over = np.array([math.cos(b), 0.0, math.sin(b)]), np.array([-math.sin(b), 0.0, math.cos(b)])
    low, middle = np.array([-0.12, 0.0, -0.05]), np.array([0.0, 0.0, PAN]) + 0.1 * ahead - 0.1 * over
    foot = next(body for body in rider.bodies if "Foot" in body.name)
    sole = foot.position[2] - foot.surfaces[0].semi_axes[2]  # type: ignore[union-attr]
    found: list[Surface] = [
        Box(name="Pan", position=tuple(middle), orientation=turned(-slope), half_sizes=(0.28, 0.3, 0.1)),
        Box(
            name="Back", position=tuple(low + 0.45 * up - 0.1 * front), orientation=turned(-recline),
            half_sizes=(0.1, 0.3, 0.6),
        ),
        Box(name="Foot rest", position=(foot.position[0], 0.0, sole - 0.05), half_sizes=(0.25, 0.3, 0.05)),
    ]  # fmt: skip
    for side in (1.0, -1.0) if sides else ():
        for name, place, tilt, y, size in (
            ("Hip", middle + 0.2 * over, -slope, 0.27, (0.25, 0.05, 0.1)),
            ("Chest", low + 0.3 * up + 0.1 * front, -recline, 0.27, (0.15, 0.05, 0.35)),
            ("Head", low + 0.85 * up + 0.1 * front, -recline, 0.17, (0.15, 0.05, 0.15)),
        ):
            at = tuple(place + np.array([0.0, side * y, 0.0]))
            found.append(
                Box(name=f"{name} {side:+g}", position=at, orientation=turned(tilt), half_sizes=size)
            )
    return tuple(found)


@pytest.mark.parametrize("friction", ["smooth", "bristle"])
@pytest.mark.parametrize("tone", ["braced", "normal"])
def test_that_a_free_rider_comes_to_rest_on_pan_back_and_foot_rest(tone: str, friction: str) -> None:
    rider = person(tone)  # muscles of usual tone let a trunk fall aside; it is held there
    sides = tone == "normal"
    project = rig(rider, surfaces=seat(rider, 25.0 * sides, 8.0 * sides, sides=sides), friction=friction)
    begun = time.process_time()
    found = at_rest(project)
    assert time.process_time() - begun < 20.0  # two seconds of a free processor; compiling may come on top
    assert found.rest.steps < 2500
    weight = 81.5 * GRAVITY
    assert found.rest.unbalanced <= 1e-6 * weight
    normal, along = held(found)
    assert np.count_nonzero(np.linalg.norm(normal, axis=1)) >= 4
    if friction == "smooth":  # its force needs a speed, so that it holds nothing in a pose alone
        assert normal[:, 2].sum() < weight
        return
    np.testing.assert_allclose((normal + along).sum(axis=0), [0.0, 0.0, weight], atol=1e-6 * weight)
    size, most = np.linalg.norm(along, axis=1), 0.5 * np.linalg.norm(normal, axis=1)
    assert np.all(size <= most * (1.0 + 1e-9) + 1e-9)


def test_that_a_limp_rider_rests_where_the_seat_holds_on_all_sides() -> None:
    rider = person("limp")
    project = rig(
        rider, surfaces=seat(rider, 30.0, 15.0, sides=True), friction="bristle", friction_coefficient=0.4,
        tangential_stiffness=2e4,
    )  # fmt: skip
    found = at_rest(project)
    normal, along = held(found)
    weight = 81.5 * GRAVITY
    np.testing.assert_allclose((normal + along).sum(axis=0), [0.0, 0.0, weight], atol=1e-6 * weight)


def test_that_who_finds_no_hold_is_named_with_the_way() -> None:
    rider = person("limp")
    bench = (Box(name="Pan", position=(0.1, 0.0, PAN - 0.1), half_sizes=(0.28, 0.25, 0.1)),)
    with pytest.raises(InputError, match=r"'Rider/[A-Z a-z]+' finds no hold .*downwards") as caught:
        at_rest(rig(rider, surfaces=bench, friction="smooth"))
    assert "are missing at 'Rider/" in str(caught.value)
    assert str(caught.value).count("\n") == 0


def block(**more: Any) -> Body:
    """A ball of 2 kg that cannot roll: with a large inertia it hardly turns before it is at rest."""
    fields = {"name": "Block", "mass": 2.0, "inertia": (0.05,) * 3, "position": (0.0, 0.0, 0.1)} | more
    return Body(**({"surfaces": (Sphere(name="Skin", radius=0.1),)} | fields))


def test_that_a_sphere_rests_in_the_notch_of_two_bars() -> None:
    """N = W / (2 cos t) with sin t = a / (R + r - d), and k d^1.5 = N: friction has nothing to do there."""
    apart, thick, k = 0.08, 0.03, 1e5
    across = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    bars = tuple(
        Capsule(name=f"Bar {x:+g}", position=(x, 0.0, 0.0), orientation=across, radius=thick, length=0.4)
        for x in (apart, -apart)
    )
    found = at_rest(
        rig(block(position=(0.01, 0.0, 0.12)), surfaces=bars, law="hertz", stiffness=k, start_depth=0.05)
    )

    def off(d: float) -> float:
        return k * d**1.5 - 2.0 * GRAVITY / (2.0 * math.sqrt(1.0 - (apart / (0.1 + thick - d)) ** 2))

    depth = brentq(off, 1e-6, 0.02, xtol=1e-15)
    normal, _ = held(found)
    assert np.linalg.norm(normal, axis=1) == pytest.approx([k * depth**1.5] * 2, rel=1e-6)
    assert normal.sum(axis=0) == pytest.approx([0.0, 0.0, 2.0 * GRAVITY], abs=2e-7 * 2.0 * GRAVITY)
    height = math.sqrt((0.1 + thick - depth) ** 2 - apart**2)
    assert found.rest.state.r[0, 2] == pytest.approx(height, abs=1e-8)


@pytest.mark.parametrize("steeper", [False, True])
def test_that_friction_holds_on_a_slope_up_to_its_angle(steeper: bool) -> None:
    """Four feet on a plank: N = W cos a, friction W sin a; on one steeper than atan(mu) nothing holds."""
    mu, angle = 0.4, 25.0 if steeper else 15.0
    a = math.radians(angle)
    feet = tuple(
        Sphere(name=f"Foot {x:+g} {y:+g}", radius=0.02, position=(x, y, -0.03))
        for x in (0.1, -0.1)
        for y in (0.1, -0.1)
    )
    out = np.array([math.sin(a), 0.0, math.cos(a)])
    body = block(surfaces=feet, position=tuple(0.05 * out), orientation=turned(angle))
    plank = (Plane(name="Plank", orientation=turned(angle)),)
    project = rig(body, surfaces=plank, friction="bristle", friction_coefficient=mu, tangential_stiffness=1e4)
    if steeper:
        with pytest.raises(InputError, match=r"'Block' finds no hold along \+x and downwards"):
            at_rest(project)
        return
    found = at_rest(project)
    normal, along = held(found)
    W = 2.0 * GRAVITY
    assert (normal @ out).sum() == pytest.approx(W * math.cos(a), abs=2e-7 * W)
    down = np.array([math.cos(a), 0.0, -math.sin(a)])
    assert -(along @ down).sum() == pytest.approx(W * math.sin(a), abs=2e-7 * W)
    assert found.rest.state.memory is not None  # a run begins with what holds


@pytest.mark.parametrize("tone", ["limp", "braced"])
def test_that_a_ride_begins_with_a_free_rider_at_rest_on_a_seat_of_the_library(tone: str) -> None:
    """Under the loads of the moving train: deeper in the seat than a drawing may be, and quiet from there on."""
    project = load_example("looping_star")
    assert project.train is not None
    (path,) = [tuple(name.split("/")) for name in project.train.with_role("rider")]
    car = path[:-1]
    project = delete_element(project, "assembly", path)
    tones = dict.fromkeys(("neck", "trunk", "arms", "legs"), tone)
    who = Person.model_validate({"stature": 1.78, "mass": 81.5, "held": False, **tones})
    project, _ = make_rider(project, car, who)
    assert project.train is not None
    owner = project.train.at(car)
    assert owner is not None
    project = put_seat(project, car, owner.seats[0].name, "sit_down")
    ride = project.scenario.model_copy(update={"duration": 0.1, "settled": True})
    run = simulate(project.model_copy(update={"scenario": ride}))
    assert run.status.name == "done"
    assert "unsettled" not in run.provenance["assembly"]
    touching = run.states.spring_force[
        :, [k for k, name in enumerate(run.names.springs) if "seat Pan" in name]
    ]
    carried = touching.sum(axis=1)
    assert carried[0] > 400.0
    assert np.ptp(carried) < 0.1 * carried[0]
