"""Error control sees what the force elements carry: the travel of stiff ones counts by its force."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.core.solver.freight_cars import KNUCKLE, LINE, UP, freight_cars, travel_along_track


def _errors(results: Results, load: str) -> tuple[float, float]:
    """Largest error (m) of the end-of-car travel and of the knuckle's, against matrix exponentials."""
    s, names = results.states, results.names.springs
    exact = travel_along_track(load, s.time)
    line = LINE["free_length"] - s.spring_length[:, names.index("rear line")] - exact[:, 0]
    knuckle = KNUCKLE["free_length"] - s.spring_length[:, names.index("knuckle")] - exact[:, 1]
    return float(np.max(np.abs(line))), float(np.max(np.abs(knuckle)))


def test_that_the_reference_has_the_published_peaks() -> None:
    """Massa et al. 2012 show 9 mm; 9.0009 mm at 0.179 s and 8.2234 mm at 0.091 s by other code."""
    times = np.arange(1, 401) / 1000.0
    for load, peak, at in (("loaded", 9.0009e-3, 0.179), ("empty", 8.2234e-3, 0.091)):
        travel = travel_along_track(load, times)[:, 0]
        assert travel.max() == pytest.approx(peak, abs=5e-8)
        assert times[travel.argmax()] == pytest.approx(at, abs=5e-4)


@pytest.mark.parametrize("load", ["loaded", "empty"])
def test_that_stiff_couplers_are_right_at_the_default_tolerance(load: str) -> None:
    """0.002 mm of 9 mm; by metres and radians alone it was 0.059 and 0.103 mm."""
    line, knuckle = _errors(simulate(freight_cars(load, 0.5)), load)
    assert line < 2e-6
    assert knuckle < 2e-7


def test_that_the_travel_follows_the_tolerance() -> None:
    """Local errors go with the third power of the step and global ones with the second: tol^(2/3). Steps of order 4
    are no worse at either tolerance."""
    default = SolverSettings().tolerance
    second, fourth = (
        [
            _errors(
                simulate(freight_cars("loaded", 0.3, tolerance=x * default, fourth_order=high)), "loaded"
            )[0]
            for x in (8.0, 1.0)
        ]
        for high in (False, True)
    )
    assert second[0] / second[1] == pytest.approx(4.0, rel=0.3)
    assert fourth[0] < second[0]
    assert fourth[1] < second[1]


def test_that_the_unit_of_mass_does_not_matter() -> None:
    """Masses and forces a thousandth, and so stiffnesses: the same steps, because forces count by the largest one."""
    project = freight_cars("loaded", 0.2)
    data = project.model_dump(mode="json")
    assembly = data["scenario"]["assembly"]
    for body in assembly["bodies"]:
        body["mass"] *= 1e-3
        body["inertia"] = [x * 1e-3 for x in body["inertia"]]
    for force in assembly["forces"]:
        for key in ("stiffness", "damping"):
            if key in force:
                force[key] *= 1e-3
        for component in force.get("components", []):
            component["offset"] *= 1e-3
    light = type(project).model_validate(data)
    steps = [len(simulate(one).states.time) for one in (project, light)]
    assert steps[0] == pytest.approx(steps[1], abs=2)


def governor(**settings: float) -> Project:
    """A fly-ball governor: arms hinged on a turning shaft, held by springs of 8e5 N/m and dampers of 4e4 N s/m (as in
    the IFToMM benchmark A05)."""
    sine, rate = np.sqrt(0.75), 2.0 * np.pi
    shaft = Body(
        name="shaft", mass=3.0, inertia=(0.5, 0.5, 0.05), position=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, rate)
    )  # fmt: skip
    bodies, forces = [shaft], []
    joints = [Joint(name="axis", kind="revolute", body_i="ground", body_j="shaft", axis_i=UP, axis_j=UP)]
    for name, side in (("left", sine), ("right", -sine)):
        bodies.append(
            Body(
                name=name, mass=5.0, inertia=(0.05, 0.05, 0.05), position=(side, 0.0, -0.5),
                velocity=(0.0, side * rate, 0.0), angular_velocity=(0.0, 0.0, rate),
            )
        )  # fmt: skip
        joints.append(
            Joint(
                name=f"{name} hinge", kind="revolute", body_i="shaft", body_j=name, point_j=(-side, 0.0, 0.5),
                axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0),
            )
        )  # fmt: skip
        forces.append(
            SpringDamper(
                name=f"{name} spring", body_i="shaft", body_j=name, point_i=(0.0, 0.0, -0.5),
                point_j=(-side / 2.0, 0.0, 0.25), stiffness=8e5, damping=4e4, free_length=0.5,
            )
        )  # fmt: skip
    assembly = Assembly(
        name="Rig", role="rig", bodies=tuple(bodies), joints=tuple(joints), forces=tuple(forces)
    )
    return Project(
        name="governor",
        scenario=Rig(assembly=assembly, duration=2.0),
        settings=SolverSettings(**settings),  # type: ignore[arg-type]
    )


def test_that_a_smaller_tolerance_makes_stiff_models_better() -> None:
    """Alone, without tolerances of joints beside it: an iteration that stops early left 1e-2 J however small it was."""
    residuals = [
        float(np.max(np.abs(simulate(governor(tolerance=x)).energy.residual))) for x in (1e-5, 1e-6, 1e-7)
    ]
    assert residuals[1] < 0.3 * residuals[0]
    assert residuals[2] < 0.5 * residuals[1]


def test_that_joints_follow_the_tolerance_unless_told() -> None:
    """And that what older files spell out, the former defaults, is no choice."""
    assert SolverSettings().gaps == pytest.approx((1e-8, 1e-7))
    assert SolverSettings(tolerance=1e-7).gaps == pytest.approx((1e-10, 1e-9))
    assert SolverSettings(
        tolerance=1e-7, position_tolerance=1e-8, velocity_tolerance=1e-7
    ).gaps == pytest.approx((1e-10, 1e-9))
    assert SolverSettings(tolerance=1e-7, position_tolerance=1e-6, velocity_tolerance=1e-5).gaps == (
        1e-6,
        1e-5,
    )
    assert SolverSettings(tolerance=1e-12).gaps == (1e-12, 1e-11)
