"""What it costs to leave out geometric stiffening: a slender swinging arm with a heavy end, against rigid links that
turn freely, in our mean axes and in a frame tangent at the hinge."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.model.bodies import Body
from ridewright.core.model.flexible import BeamPart, BeamSection, FlexibleBody, Node
from ridewright.core.model.joints import Joint
from ridewright.core.outcome.stress import stress_of
from ridewright.core.run.simulate import simulate
from tests.core.solver.flexible_rigs import HINGE, ends, rig
from tests.verification.hinged_arm_reference import HingedArm, chain, tangent_frame

#: Of 33 kg, EI of a steel tube of 60 x 4 mm; at the lowest point the pull is 3.6 EI / L^2.
ARM = HingedArm(length=6.0, line=5.5, E_I=5.8e4, end=200.0, damping=2e-3)
TIMES = np.linspace(0.0, 2.0, 201)
E, DENSITY, HALF = 2.1e11, 7850.0, 0.03


def _moment(stiffening: bool) -> Array:
    """Moment (N m) at mid-length in a run of the program."""
    area, inertia = ARM.line / DENSITY, ARM.E_I / E
    section = BeamSection(
        shape="own", area=area, moment_y=inertia, moment_z=inertia, torsion=2.0 * inertia, shear_y=100.0 * area,
        shear_z=100.0 * area, half_y=HALF, half_z=HALF,
    )  # fmt: skip
    nodes = (Node(name="root", position=(0.0, 0.0, 0.0)), Node(name="tip", position=(ARM.length, 0.0, 0.0)))
    flexible = FlexibleBody(
        name="arm", nodes=nodes, interfaces=ends("hub", "end"), damping="proportional", beta=ARM.damping,
        beams=(BeamPart(start="root", end="tip", section=section, E=E, density=DENSITY, elements=40),),
        stiffening=stiffening,
    )  # fmt: skip
    hub = Body(name="hub", mass=1e-2, inertia=(1e-4,) * 3, position=(0.0, 0.0, 0.0))
    end = Body(name="end", mass=ARM.end, inertia=(1e-3,) * 3, position=(ARM.length, 0.0, 0.0))
    across = (0.0, 1.0, 0.0)
    hinge = Joint(name=HINGE, kind="revolute", body_i="ground", body_j="hub", axis_i=across, axis_j=across)
    run = simulate(
        rig((hub, end), flexible, (hinge,), gravity=(0.0, 0.0, -ARM.gravity), duration=2.0, tolerance=1e-7)
    )
    (one,) = stress_of(run)
    spots = one.superposition.spots  # type: ignore[union-attr]
    at = [k for k, spot in enumerate(spots) if abs(spot.along - 0.5 * ARM.length) < 1e-9]
    normal = np.array([one.superposition.at(k, one.modal)[0] for k in at])
    up = np.array([spots[k].corner[1] for k in at])
    return np.interp(TIMES, run.states.time, -(up @ normal) / len(at) * inertia / HALF)


@pytest.mark.nightly
def test_that_a_slender_swinging_arm_needs_geometric_stiffening() -> None:
    """With it the moment at mid-length is that of the links within 0.5 % of the largest. Without, in mean axes, it is
    up to two fifths of the largest off, and for a while of the wrong sign; in a frame tangent at the hinge it has the
    wrong sign, and a size that no arm bears, from 1.6 s on."""
    exact = chain(ARM, TIMES)[1]
    largest = np.abs(exact).max()
    off = {stiffening: np.abs(_moment(stiffening) - exact) / largest for stiffening in (True, False)}
    linear = tangent_frame(ARM, TIMES)[1]
    assert off[True].max() < 5e-3
    assert 0.3 < off[False].max() < 0.5
    late = TIMES > 1.6
    assert exact[late].max() < 0.0
    assert linear[late].min() > 20.0 * largest
