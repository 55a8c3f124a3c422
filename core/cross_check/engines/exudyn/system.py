"""An exudyn system in the making."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....base.arrays import Array
from ...model import Model, RigidBody


class System:
    """An exudyn system in the making: its bodies, what is to be read off it, and what must be kept alive."""

    def __init__(self, model: Model) -> None:
        import exudyn
        from exudyn import itemInterface, utilities

        # its stubs know only some of what it takes
        self.exu: Any = exudyn
        self.items: Any = itemInterface
        self.utilities: Any = utilities
        self.model = model
        self.container = self.exu.SystemContainer()
        self.mbs: Any = self.container.AddSystem()
        self.bodies: list[Any] = []
        self.nodes: list[Any] = []
        self.sensors: dict[tuple[str, str], Any] = {}
        self.accepted: list[Callable[[], None]] = []  # called after every accepted step
        self.rows: dict[str, tuple[str, ...]] = {}  # of what has several loads, by the first
        self.frames: dict[str, dict[str, list[int]]] = {}  # of flexible bodies: points about their interfaces
        bent = {one.body for one in model.bending}
        for number, body in enumerate(model.bodies):
            if number not in bent:
                self._add_body(body)

    def add_ground(self) -> None:
        """Add the ground, behind all bodies."""
        self.bodies.append(self.mbs.CreateGround())
        self.nodes.append(self.mbs.AddNode(self.items.NodePointGround()))

    def _add_body(self, body: RigidBody) -> None:
        made = self.mbs.CreateRigidBody(
            name=body.name,
            referencePosition=body.position,
            referenceRotationMatrix=body.axes,
            initialVelocity=body.velocity,
            initialAngularVelocity=body.axes @ body.angular_velocity,
            inertia=self.utilities.RigidBodyInertia(
                mass=body.mass, inertiaTensor=body.inertia, com=np.zeros(3)
            ),
            gravity=self.model.gravity,
            nodeType=self.exu.NodeType.RotationEulerParameters,
            returnDict=True,
        )
        self.bodies.append(made["bodyNumber"])
        self.nodes.append(made["nodeNumber"])
        self._watch_motion(body.name, lambda kind: self.items.SensorBody(
            bodyNumber=made["bodyNumber"], outputVariableType=kind, storeInternal=True
        ), self.exu.OutputVariableType.AngularAccelerationLocal)  # fmt: skip

    def watch_node(self, body: str, node: Any) -> None:
        """Read the motion of a flexible body's frame off the ride."""
        self._watch_motion(body, lambda kind: self.items.SensorNode(
            nodeNumber=node, outputVariableType=kind, storeInternal=True
        ), self.exu.OutputVariableType.AngularAcceleration)  # fmt: skip

    def _watch_motion(self, body: str, sensor: Callable[[Any], Any], turning: Any) -> None:
        kinds = self.exu.OutputVariableType
        for what, kind in (
            ("position", kinds.Position), ("axes", kinds.RotationMatrix), ("velocity", kinds.Velocity),
            ("angular_velocity", kinds.AngularVelocityLocal), ("acceleration", kinds.Acceleration),
            ("angular_acceleration", turning),
        ):  # fmt: skip
            self.watch((what, body), sensor(kind))

    def time(self) -> float:
        """The instant (s) of the state that exudyn has."""
        return float(self.mbs.systemData.GetTime())

    def watch(self, key: tuple[str, str], sensor: Any) -> None:
        """Read a sensor off the ride under a key."""
        self.sensors[key] = self.mbs.AddSensor(sensor)

    def watch_object(self, key: tuple[str, str], number: Any, kind: Any) -> None:
        """Read an output of an object off the ride."""
        self.watch(
            key, self.items.SensorObject(objectNumber=number, outputVariableType=kind, storeInternal=True)
        )

    def push(self, body: int, point: Array, force: Callable[[float], Array]) -> None:
        """A force (3,) N over time at a point of a body (m, its axes), in the axes of the world."""

        def vector(mbs: Any, t: float, given: Any) -> list[float]:
            return list(force(t))

        self.mbs.AddLoad(
            self.items.LoadForceVector(
                markerNumber=self.frame(body, point, np.eye(3)), loadVectorUserFunction=vector
            )
        )

    def place(self, body: int, point: Array) -> Any:
        """A marker at a point of a body (m, its axes)."""
        return self.mbs.AddMarker(
            self.items.MarkerBodyPosition(bodyNumber=self.bodies[body], localPosition=list(point))
        )

    def frame(self, body: int, point: Array, axes: Array) -> Any:
        """A marker at a point of a body with a frame (3, 3), both in its axes."""
        where = self.exu.HT(rotation=axes, translation=list(point))
        return self.mbs.AddMarker(self.items.MarkerBodyRigid(bodyNumber=self.bodies[body], localHT=where))

    def values(self, key: tuple[str, str]) -> Array:
        """What a sensor has stored, without its times."""
        table = self.mbs.GetSensorStoredData(self.sensors[key])
        out: Array = table[:, 1:]
        return out
