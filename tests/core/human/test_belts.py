"""Webbing over who sits there: where it lies, how long it is, and that it holds."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.human.belts import belt_of, route
from ridewright.core.human.closing import closed_on
from ridewright.core.human.posture import base_name
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_restraint
from ridewright.core.model.person import Person
from ridewright.core.model.restraints import Restraint
from ridewright.core.model.surfaces import Ellipsoid
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.free_riders import free_rider_summaries, free_riders, slip_over_time
from ridewright.core.outcome.restraint_loads import restraint_loads
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate

MAN = Person(
    stature=1.75, mass=70.0, held=False, neck="braced", trunk="braced", legs="braced", arms="braced", hinges=True
)  # fmt: skip
WEIGHT = 70.0 * 9.81


def belted(
    restraint: Restraint | str, seat: str = "sit_down", *, upside_down: bool = False, seconds: float = 0.5
) -> Project:
    """A man in a seat that is fixed in the air."""
    turn = (0.0, 1.0, 0.0, 0.0) if upside_down else (1.0, 0.0, 0.0, 0.0)
    here = (0.0, 0.0, 3.0)
    base = Body(name="Base", mass=50.0, inertia=(5.0,) * 3, position=here, orientation=turn)
    fixed = Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base", point_i=here)
    place = Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0))
    rig = Assembly(name="Rig", role="rig", bodies=(base,), joints=(fixed,), seats=(place,))
    project = put_seat(
        Project(name="Belted", scenario=Rig(assembly=rig, duration=seconds)), (), "Seat", seat, restraint
    )
    return make_rider(project, (), MAN)[0]


def parts(project: Project) -> tuple[Assembly, Seat, Assembly]:
    top = project.assembly
    assert top is not None
    return top, top.seats[0], top.riders[0]


@pytest.mark.parametrize("seat", ["sit_down", "family_bench", "viegas2016"])
def test_that_webbing_lies_on_lap_and_chest_and_on_the_skin(seat: str) -> None:
    top, place, rider = parts(belted("three_point_belt", seat))
    assert place.restraint is not None
    lies = route(place.restraint, closed_on(top, place).locked, rider)
    on = [base_name(one.body.name) if one.body else "" for one in lies]
    assert on == ["", "Pelvis", "Pelvis", "", "Abdomen", "Thorax", ""]
    for one in lies:
        if one.body is None:
            continue
        local = rotation_matrix(one.body.orientation).T @ (one.place - np.array(one.body.position))
        skins = [s for s in one.body.surfaces if isinstance(s, Ellipsoid)]
        turned = [rotation_matrix(s.orientation).T @ (local - np.array(s.position)) for s in skins]
        sizes = [np.linalg.norm(x / np.array(s.semi_axes)) for x, s in zip(turned, skins, strict=True)]
        assert min(abs(size - 1.0) for size in sizes) < 1e-9


def test_that_it_is_as_long_as_its_way_and_the_slack() -> None:
    project = belted("lap_belt")
    top, place, rider = parts(project)
    assert place.restraint is not None
    assert place.restraint.webbing is not None
    way = np.array([one.place for one in route(place.restraint, closed_on(top, place).locked, rider)])
    (made,) = [c for c in compile_system(project).connectors if c.geometry == "line"]
    assert made.use is not None
    segments = len(way) - 1
    free = made.use.parameters[3 : 3 + segments]
    expected = np.linalg.norm(np.diff(way, axis=0), axis=1).sum() + place.restraint.webbing.slack
    assert sum(free) == pytest.approx(expected, abs=1e-9)
    assert belt_of(place, rider, closed_on(top, place).locked).name == made.name


def test_that_webbing_takes_the_place_of_pads_and_names_those_there_are() -> None:
    top = belted("lap_belt").mechanism
    assert top is not None
    assert [force.name for force in top.forces if force.kind == "belt"] == ["Seat lap belt, Rider"]
    assert not any("Lap belt" in surface.name for body in top.bodies for surface in body.surfaces)
    made = load_restraint("lap_belt")
    with pytest.raises(ValueError, match="lies along a pad 'None such' that it does not have"):
        Restraint.model_validate(
            made.model_dump() | {"webbing": {"stops": [{}, {"pad": "None such"}, {"place": [0.0, 1.0, 0.0]}]}}
        )
    with pytest.raises(ValueError, match="begins and ends at an anchor"):
        Restraint.model_validate(made.model_dump() | {"webbing": {"stops": [{}, {"pad": "Strap"}]}})


def test_that_who_hangs_upside_down_is_held_by_the_lap_belt_alone() -> None:
    """Once the fall is caught the belt pulls him up against his weight: both ends together no less than half of it."""
    results = simulate(belted("lap_belt", upside_down=True))
    assert results.status.complete
    (one,) = restraint_loads(results)
    assert one.word == "Lap belt"
    (rider,) = free_riders(results)
    (belt,) = [part for part in rider.parts if part.webbing]
    pull = results.states.spring_force[:, list(belt.rows)]
    assert pull.min() >= 0.0
    assert one.load == pytest.approx(pull.max(axis=1))
    late = results.states.time > 0.3
    assert pull[late][:, [0, 2]].sum(axis=1).mean() > WEIGHT
    # what has passed is what the segments have lost or won: a pull is stiffness * (length / length without load - 1)
    made = next(
        c for c in compile_system(belted("lap_belt", upside_down=True)).connectors if c.geometry == "line"
    )
    passed = results.states.internal[-1, slice(*made.internal)]
    free = np.add(made.use.parameters[3:6], (passed[0], passed[1] - passed[0], -passed[1]))
    length = results.states.spring_length[-1, list(belt.rows)]
    stiffness = made.use.parameters[0]
    assert pull[-1] == pytest.approx(np.maximum(stiffness * (length / free - 1.0), 0.0), rel=0.05, abs=5.0)
    slip = slip_over_time(results, belt)
    assert np.all(np.diff(slip) >= 0.0)
    assert slip[-1] >= np.abs(passed).max() - 1e-9
    assert slip[-1] > 1e-4
    assert free_rider_summaries(results)["Rider"].parts["Lap belt"].slid == slip[-1]
    # slips over the lap until both sides differ by no more than friction over two bends holds
    assert np.all(pull[late, 0] < 1.5 * pull[late, 2])
