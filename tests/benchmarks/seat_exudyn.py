"""The seated rider in exudyn: Euler parameter bodies, its joints and spring-dampers, generalised-alpha, sparse."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from ridewright.core.base.frames import perpendicular
from ridewright.core.model.bodies import SEAT
from ridewright.core.model.joints import Joint
from tests.benchmarks.seat_case import (
    AMPLITUDE,
    DURATION,
    GRAVITY,
    OMEGA,
    REST,
    ROOT,
    WATCHED,
    SeatedRider,
)
from tests.benchmarks.seat_ridewright import Run

sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks, as its manual advises
import exudyn as exu  # noqa: E402
from exudyn import itemInterface, utilities  # noqa: E402

from ridewright.core.base.arrays import Array  # noqa: E402


def _frame(x: Any, y: Any) -> Array:
    """Rotation matrix with columns along x, y and x cross y."""
    a, b = np.asarray(x) / np.linalg.norm(x), np.asarray(y) / np.linalg.norm(y)
    return np.column_stack([a, b, np.cross(a, b)])


class SeatedModel:
    """The rider as an exudyn system; seat and pelvis are its ground."""

    def __init__(self, rider: SeatedRider, moving: bool = True) -> None:
        self.rider = rider
        self.share = 1.0 if moving else 0.0
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.kept: list[Any] = []
        self.body: dict[str, Any] = {SEAT: self.mbs.CreateGround()}
        for name, segment in rider.segments.items():
            if name == ROOT:
                self.body[name] = self.mbs.CreateGround(
                    referencePosition=segment.position, referenceRotationMatrix=segment.matrix
                )
                continue
            inertia = utilities.RigidBodyInertia(
                mass=segment.mass, inertiaTensor=np.diag(segment.inertia), com=np.zeros(3)
            )
            self.body[name] = self.mbs.CreateRigidBody(
                referencePosition=segment.position,
                referenceRotationMatrix=segment.matrix,
                inertia=inertia,
                nodeType=exu.NodeType.RotationEulerParameters,
            )
            self._carry(name)
        for joint in rider.joints:
            self._join(joint)
        for s in rider.springs:
            self.mbs.CreateSpringDamper(
                itemNumbers=[self.body[s.body_i], self.body[s.body_j]],
                localPosition0=s.point_i,
                localPosition1=s.point_j,
                referenceLength=s.free_length,
                stiffness=s.stiffness,
                damping=s.damping,
            )
        self.sensors = [
            self.mbs.AddSensor(
                itemInterface.SensorBody(
                    bodyNumber=self.body[name],
                    outputVariableType=exu.OutputVariableType.Position,
                    storeInternal=True,
                )
            )
            for name in WATCHED
        ]
        self.mbs.Assemble()

    def _carry(self, name: str) -> None:
        """Gravity less the seat's acceleration, as a function that exudyn evaluates without Python."""
        esym = exu.symbolic
        ax, ay, az = (self.share * a for a in AMPLITUDE)
        (wx, wy, wz), g = (float(w) for w in OMEGA), GRAVITY[2]

        def pull(mbs: Any, t: Any, loadVector: Any) -> Any:
            return [-ax * esym.sin(wx * t), -ay * esym.sin(wy * t), g - az * esym.sin(wz * t)]

        compiled = utilities.CreateSymbolicUserFunction(
            self.mbs,
            function=pull,
            userFunctionName="loadVectorUserFunction",
            itemTypeName="LoadMassProportional",
        )
        self.kept.append(compiled)
        marker = self.mbs.AddMarker(itemInterface.MarkerBodyMass(bodyNumber=self.body[name]))
        self.mbs.AddLoad(
            itemInterface.LoadMassProportional(
                markerNumber=marker, loadVector=list(GRAVITY), loadVectorUserFunction=compiled
            )
        )

    def _marker(self, body: str, point: Any, frame: Array) -> Any:
        place = exu.HT(rotation=frame, translation=list(point))
        return self.mbs.AddMarker(itemInterface.MarkerBodyRigid(bodyNumber=self.body[body], localHT=place))

    def _join(self, joint: Joint) -> None:
        if joint.kind == "spherical":
            ends = [
                self.mbs.AddMarker(
                    itemInterface.MarkerBodyPosition(bodyNumber=self.body[b], localPosition=list(p))
                )
                for b, p in ((joint.body_i, joint.point_i), (joint.body_j, joint.point_j))
            ]
            self.mbs.AddObject(itemInterface.ObjectJointSpherical(markerNumbers=ends))
            return
        i, j = self.rider.segments[joint.body_i], self.rider.segments[joint.body_j]
        assert joint.axis_i is not None
        assert joint.axis_j is not None
        if joint.kind == "revolute":  # free about z
            frame_i = np.column_stack(perpendicular(joint.axis_i))
            locked = [1, 1, 1, 1, 1, 0]
        else:  # the arms of the cross along x of i and y of j
            frame_i = _frame(joint.axis_i, i.matrix.T @ j.matrix @ np.asarray(joint.axis_j))
            locked = [1, 1, 1, 0, 0, 1]
        frame_j = j.matrix.T @ i.matrix @ frame_i
        ends = [
            self._marker(joint.body_i, joint.point_i, frame_i),
            self._marker(joint.body_j, joint.point_j, frame_j),
        ]
        self.mbs.AddObject(itemInterface.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=locked))

    def march(self, settings: Any, end: float) -> float:
        """CPU seconds of one run to `end` (s), its start included."""
        settings.timeIntegration.endTime = end
        started = time.process_time()
        done = self.mbs.SolveDynamic(settings, storeSolver=False, autoAssemble=False)
        cpu = time.process_time() - started
        if done is False:
            raise ArithmeticError("exudyn did not converge")
        return cpu

    def watched(self) -> tuple[Array, Array]:
        """Times (n,) s and the watched bodies (n, 3, 3) m of the last run."""
        tables = [self.mbs.GetSensorStoredData(k) for k in self.sensors]
        return tables[0][:, 0], np.stack([table[:, 1:4] for table in tables], axis=1)


def settings_for(steps: int, watch: float, solver: str = "EigenSparse", modified: bool = True) -> Any:
    """Generalised-alpha (spectral radius 0.8 as ours, index 3) with so many equal steps."""
    s = exu.SimulationSettings()
    s.parallel.numberOfThreads = 1
    s.linearSolver.solverType = getattr(exu.LinearSolverType, solver)
    s.linearSolver.reuseAnalyzedPattern = True
    t = s.timeIntegration
    t.numberOfSteps = steps
    t.automaticStepSize = False
    t.verboseMode = 0
    t.newton.useModifiedNewton = modified
    t.generalizedAlpha.spectralRadius = 0.8
    s.solution.file.write = False
    s.solution.sensors.writePeriod = watch
    return s


def run(
    rider: SeatedRider,
    step: float,
    watch: float,
    repeats: int,
    solver: str = "EigenSparse",
    modified: bool = True,
) -> Run | None:
    """Least CPU of some repeats with a fixed step (s), less that of a one-step run; None when it fails."""
    best, start = np.inf, np.inf
    steps = round(DURATION / step)
    for _ in range(repeats):
        start = min(start, SeatedModel(rider).march(settings_for(1, watch, solver, modified), step))
        model = SeatedModel(rider)
        try:
            best = min(best, model.march(settings_for(steps, watch, solver, modified), DURATION))
        except Exception:  # its solver raises its own errors when Newton fails
            return None
    label = f"exudyn {solver}" + (" modified Newton" if modified else " full Newton")
    return Run(label, f"h {step:g}", best - start, steps, *model.watched())


def at_rest(rider: SeatedRider) -> Array:
    """The watched bodies (3, 3) m after REST seconds of gravity alone, with small steps."""
    model = SeatedModel(rider, moving=False)
    model.march(settings_for(round(REST / 2.5e-4), 0.1), REST)
    return model.watched()[1][-1]
