"""Deflections and loads at rest against statics by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.cli.program import main
from ridewright.core.edits import couplings
from ridewright.core.project.examples import example_path, load_example
from ridewright.core.run.static_loads import static_dict, static_loads

G = 9.81


def _on_a_slope(rise: float, cars: int, coupling: str) -> rw.Project:
    """Cars joined by a coupling on a straight that rises by `rise` over 200 m."""
    project = load_example("straight")
    (straight,) = project.track.sections
    track = project.track.model_copy(
        update={"sections": (straight.model_copy(update={"end": (200.0, 0.0, rise)}),)}
    )
    scenario = project.scenario.model_copy(update={"start": 100.0, "settled": True, "speed": 0.0})
    project = project.model_copy(update={"track": track, "scenario": scenario})
    return couplings.make_train(project, project.train.children[0], cars, 4.0, coupling)


def test_that_a_mass_hangs_from_its_spring_and_its_slide_carries_the_rest() -> None:
    project = load_example("driven_oscillator")
    rig = project.scenario.assembly
    rig = rig.model_copy(update={"forces": rig.forces[:1]})
    scenario = project.scenario.model_copy(update={"assembly": rig})
    found = static_loads(project.model_copy(update={"scenario": scenario, "gravity": (0.0, 0.0, -G)}))
    along = 2.0 * G * 2.0 / 3.0  # N down the axis (2, -1, 2) / 3 of the slide, against the spring of 300 N/m
    (spring,) = found.of("element")
    assert (spring.name, spring.unit, spring.travel_unit) == ("Spring", "N", "m")
    assert spring.load == pytest.approx(-along, rel=1e-6)
    assert spring.travel == pytest.approx(-along / 300.0, rel=1e-6)
    (slide,) = found.of("joint")
    assert slide.load == pytest.approx(math.sqrt((2.0 * G) ** 2 - along**2), rel=1e-6)
    (mass,) = found.bodies
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    np.testing.assert_allclose(mass.shift, (0.5 - along / 300.0 - 0.6) * axis, atol=1e-7)
    assert found.weight == pytest.approx(2.0 * G)


def test_that_wheels_carry_the_weight_and_a_seat_who_sits_there() -> None:
    project = load_example("looping_star")
    found = static_loads(project)
    weight = project.train.mass() * G
    assert found.weight == pytest.approx(weight, rel=1e-9)
    wheels = np.sum([wheel.force for wheel in found.of("guide")], axis=0)
    np.testing.assert_allclose(wheels, [0.0, 0.0, weight], atol=1e-5 * weight)
    rider = next(part for part in project.train.children[0].riders)
    (seat,) = found.of("seat")
    assert seat.name == "Car/Rider"
    assert seat.load == pytest.approx(rider.mass() * G)
    assert seat.parts[2] == pytest.approx(-seat.load, rel=1e-3)
    springs = {force.name: force for force in project.train.children[0].forces}
    loads = {one.name: one for one in found.of("element")}
    for side in ("left to carbody right", "right to carbody left"):
        name = f"Secondary spring frame {side}"
        one = loads[f"Car/{name}"]
        assert abs(one.load) > 100.0
        assert one.load == pytest.approx(springs[name].stiffness * one.travel, rel=1e-6)


@pytest.mark.parametrize("coupling", ["ball_drawbar", "sprung_bar_slack"])
def test_that_cars_on_a_slope_hang_on_the_first_one(coupling: str) -> None:
    cars, rise = 3, 60.0
    found = static_loads(_on_a_slope(rise, cars, coupling))
    pull = found.weight / cars * rise / math.hypot(200.0, rise)
    assert [one.load for one in found.of("coupling")] == pytest.approx([2.0 * pull, pull], rel=2e-3)
    assert found.holding == {"Car 1": pytest.approx(3.0 * pull, rel=2e-3)}
    downhill = static_loads(_on_a_slope(-rise, cars, coupling))
    assert [one.load for one in downhill.of("coupling")] == pytest.approx([-2.0 * pull, -pull], rel=2e-3)
    sprung = coupling != "ball_drawbar"
    assert [one.travel > 1e-4 for one in found.of("coupling")] == [sprung] * 2


def test_that_the_door_and_the_command_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    project = rw.example("two_cars_loaded")
    found = rw.equilibrium(project)
    (coupling,) = found.of("coupling")
    assert coupling.load == pytest.approx(-300e3, rel=1e-5)  # what pushes the second car
    path = str(example_path("two_cars_loaded"))
    assert main(["equilibrium", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(static_dict(found)))
    assert main(["equilibrium", path]) == 0
    text = capsys.readouterr().out
    assert "Coupling 1  -300000 N" in text
    assert "-0.00" not in text


def test_that_drives_are_off_and_what_falls_is_refused() -> None:
    found = static_loads(load_example("frisbee"))
    assert found.drives == ("Swing drive",)
    top = next(one for one in found.of("joint") if one.name == "Top hinge")
    assert top.load == pytest.approx(found.weight, rel=1e-9)
    with pytest.raises(rw.InputError, match="does not come to rest"):
        static_loads(load_example("free_body").model_copy(update={"gravity": (0.0, 0.0, -G)}))
