"""A car on a track whose front axle hangs on its frame by a beam that bends: guides, joints, springs and the rider act
on the bodies at its interfaces, on a curve and at a speed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ridewright.core.edits.changes import changed
from ridewright.core.edits.elements import set_assembly
from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Interface, Node
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.rigid import RigidRun, rigid_run, with_rigid
from ridewright.core.outcome.stress import stress_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

BEAM = "Front member"
UPRIGHT = (0.0, 0.0, 1.0)


def member(E: float = 2.1e11) -> FlexibleBody:
    """A tube from the front axle to the middle of the frame."""
    section = BeamSection(shape="tube", diameter=0.14, wall=0.008)
    return FlexibleBody(
        name=BEAM,
        nodes=(Node(name="axle", position=(1.0, 0.0, 0.125)), Node(name="frame", position=(0.0, 0.0, 0.185))),
        beams=(BeamPart(start="axle", end="frame", section=section, up=UPRIGHT, E=E, G=E / 2.6),),
        interfaces=(Interface(node="axle", body="Front axle"), Interface(node="frame", body="Frame")),
        modes=2,
    )


def project(E: float = 2.1e11) -> Project:
    """The Looping Star's car with the beam in the place of the rigid mount of its front axle."""
    star = load_example("looping_star")
    assert star.assembly is not None
    car = star.assembly.children[0]
    joints = tuple(joint for joint in car.joints if joint.name != "Front axle mount")
    assert len(joints) == len(car.joints) - 1
    made = set_assembly(star, (car.name,), {"joints": joints, "flexibles": (member(E),)})
    return made.model_copy(
        update={"scenario": changed(made.scenario, "Ride", {"duration": 3.0, "start": 60.0})}
    )


@cache
def runs() -> tuple[Results, RigidRun]:
    run = simulate(project())
    return run, rigid_run(run)


def test_that_the_rigid_member_starts_as_the_bending_one_on_the_track() -> None:
    flexible, rigid = compile_system(project()), compile_system(with_rigid(project()))
    k, n = (system.names.index(f"Car/{BEAM}") for system in (flexible, rigid))
    np.testing.assert_allclose(flexible.start.r[k], rigid.start.r[n], atol=1e-9)
    moving = [system.start.u[system.layout.rigid[b]] for system, b in ((flexible, k), (rigid, n))]
    assert np.linalg.norm(moving[0][:3]) > 20.0
    np.testing.assert_allclose(moving[0], moving[1], atol=1e-6)


@pytest.mark.nightly
def test_that_a_car_with_a_stiff_member_rides_as_with_a_rigid_one() -> None:
    """Speed and place after three seconds, and the box of the forces at both ends of the member."""
    run, rigid = runs()
    assert run.status.complete
    assert len(run.names.guides) == 4
    np.testing.assert_allclose(
        run.states.path_coordinate[-1], rigid.results.states.path_coordinate[-1], atol=5e-3
    )
    speeds = [one.channels["car/Car/speed"].values[-1] for one in (run, rigid.results)]
    assert speeds[0] == pytest.approx(speeds[1], rel=5e-4)
    (one,) = stress_of(run)
    for node in ("axle", "frame"):
        settled = [time > 0.5 for time in (one.time, rigid.results.states.time)]
        own, other = one.loads(node)[settled[0]], rigid.loads(f"Car/{BEAM}", node)[settled[1]]
        for some in (slice(0, 3), slice(3, 6)):
            size = np.abs(other[:, some]).max()
            assert size > 1e3
            for edge in (np.min, np.max):
                np.testing.assert_allclose(
                    edge(own[:, some], axis=0), edge(other[:, some], axis=0), atol=0.03 * size
                )
