"""The swinging gondola arm in exudyn: its floating frame of reduced order with Hurty-Craig-Bampton modes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ridewright.core.structure.solids import Solid
from tests.benchmarks.bench_structure import GONDOLA, LENGTH, MODES, TIP
from tests.benchmarks.seat_exudyn import exu, settings_for, utilities  # sets up the fast build first

from exudyn import FEM, itemInterface  # isort: skip
from ridewright.core.base.arrays import Array, Integers

HUB, MOMENTS = (60.0, (2.0, 2.0, 2.0)), (60.0, 70.0, 80.0)
GRAVITY = [0.0, 0.0, -9.81]


class Model:
    """Hub on a hinge, the arm, the gondola at its tip; the arm starts horizontal and at rest."""

    def __init__(self, solid: Solid, K: Any, M: Any, damping: float) -> None:
        fem = FEM.FEMinterface()
        fem.nodes = {"Position": solid.nodes}
        fem.massMatrix, fem.stiffnessMatrix = M.tocsr(), K.tocsr()
        ends = [np.flatnonzero(np.abs(solid.nodes[:, 0] - x) < 1e-9) for x in (0.0, LENGTH)]
        started = time.process_time()
        fem.ComputeHurtyCraigBamptonModes(
            boundaryNodesList=[end.tolist() for end in ends], nEigenModes=MODES,
            computationMode=FEM.HCBstaticModeSelection.RBE2,
        )  # fmt: skip
        cms = FEM.ObjectFFRFreducedOrderInterface(fem)
        self.reduction = time.process_time() - started
        self.cms, self.damping = cms, damping
        # the faces are rigid: their corners tell all of their motion
        self.corners = [_corners(solid.nodes, end) for end in ends]

    def assemble(self) -> None:
        """A system from its start."""
        self.container = exu.SystemContainer()
        mbs = self.mbs = self.container.AddSystem()
        arm = self.cms.AddObjectFFRFreducedOrder(
            mbs, gravity=GRAVITY, stiffnessProportionalDamping=self.damping
        )
        ground, bodies = mbs.CreateGround(), []
        for (mass, moments), place in ((HUB, (0.0, 0.0, 0.0)), ((GONDOLA, MOMENTS), TIP)):
            inertia = utilities.RigidBodyInertia(mass=mass, inertiaTensor=np.diag(moments), com=np.zeros(3))
            bodies.append(
                mbs.CreateRigidBody(
                    referencePosition=place, inertia=inertia, gravity=GRAVITY,
                    nodeType=exu.NodeType.RotationEulerParameters,
                )
            )  # fmt: skip
        for body, nodes, x in zip(bodies, self.corners, (0.0, LENGTH), strict=True):
            on_arm = mbs.AddMarker(
                itemInterface.MarkerSuperElementRigid(
                    bodyNumber=arm["oFFRFreducedOrder"], meshNodeNumbers=nodes, weightingFactors=[0.25] * 4
                )
            )
            at = np.array([x, 0.0, 0.0]) - (TIP if body is bodies[1] else (0.0, 0.0, 0.0))
            on_body = mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=body, localPosition=at.tolist()))
            mbs.AddObject(itemInterface.ObjectJointGeneric(markerNumbers=[on_arm, on_body]))
        hinge = [mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=b)) for b in (ground, bodies[0])]
        mbs.AddObject(
            itemInterface.ObjectJointGeneric(markerNumbers=hinge, constrainedAxes=[1, 1, 1, 1, 0, 1])
        )
        self.sensor = mbs.AddSensor(
            itemInterface.SensorBody(
                bodyNumber=bodies[1], outputVariableType=exu.OutputVariableType.Position, storeInternal=True
            )
        )
        mbs.Assemble()

    def march(self, steps: int, end: float, watch: float, solver: str, modified: bool) -> float:
        """Seconds of CPU of so many equal steps to `end` (s)."""
        self.assemble()
        settings = settings_for(steps, watch, solver, modified)
        settings.timeIntegration.endTime = end
        started = time.process_time()
        if self.mbs.SolveDynamic(settings, storeSolver=False, autoAssemble=False) is False:
            raise ArithmeticError("exudyn did not converge")
        return time.process_time() - started

    def tip(self) -> tuple[Array, Array]:
        """Times (n,) s and places (n, 3) m of the gondola in the last run."""
        table = self.mbs.GetSensorStoredData(self.sensor)
        return table[:, 0], table[:, 1:4]


def _corners(nodes: Array, face: Integers) -> list[int]:
    """The four corners of a rectangular face across x."""
    y, z = nodes[face, 1], nodes[face, 2]
    return [int(face[np.argmax(a * y + b * z)]) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
