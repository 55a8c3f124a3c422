"""A model as an exudyn system, and its ride."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ....base.arrays import Array
from ....base.errors import InputError
from ...model import Element, Link, Model, RigidBody, Steered
from ..base import Masses, OtherRun
from .elements import add_element, add_load, element_load, why_not
from .links import add_link, link_force
from .paths import add_guided, add_steered, guide_force

SPECTRAL_RADIUS: Final = 0.8
NEWTON: Final = 1e-10


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
        self.accepted: list[Any] = []  # called after every accepted step
        for body in model.bodies:
            self._add_body(body)
        self.ground = self.mbs.CreateGround()
        self.bodies.append(self.ground)
        self.nodes.append(self.mbs.AddNode(itemInterface.NodePointGround()))

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
        kinds = self.exu.OutputVariableType
        for what, kind in (
            ("position", kinds.Position), ("axes", kinds.RotationMatrix), ("velocity", kinds.Velocity),
            ("angular_velocity", kinds.AngularVelocityLocal),
        ):  # fmt: skip
            self.watch(
                (what, body.name),
                self.items.SensorBody(
                    bodyNumber=made["bodyNumber"], outputVariableType=kind, storeInternal=True
                ),
            )

    def watch(self, key: tuple[str, str], sensor: Any) -> None:
        """Read a sensor off the ride under a key."""
        self.sensors[key] = self.mbs.AddSensor(sensor)

    def watch_object(self, key: tuple[str, str], number: Any, kind: Any) -> None:
        """Read an output of an object off the ride."""
        self.watch(
            key, self.items.SensorObject(objectNumber=number, outputVariableType=kind, storeInternal=True)
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


class Exudyn:
    """The engine; see `..base.Engine`."""

    name = "exudyn"

    def available(self) -> bool:
        return find_spec("exudyn") is not None

    def why_not_element(self, element: Element) -> str:
        return why_not(element)

    def why_not_link(self, link: Link) -> str:
        unknown = sorted(set(link.driven) - {"angle", "slide"})
        if unknown or (link.driven and link.kind in ("spherical", "universal", "distance", "rigid")):
            return f"its {' and '.join(link.driven)} cannot be prescribed there"
        return ""

    def why_not_steered(self, steered: Steered) -> str:
        return "" if steered.coordinate in ("x", "y", "z") else "angles of a body cannot be prescribed there"

    def why_not_model(self, model: Model) -> str:
        return ""

    def ride(self, model: Model, step: float, instants: Array) -> OtherRun:
        system = System(model)
        for link in model.links:
            add_link(system, link)
        for guided in model.guided:
            add_guided(system, guided)
        for steered in model.steered:
            add_steered(system, steered)
        for element in model.elements:
            add_element(system, element)
        for load in model.loads:
            add_load(system, load)
        self._solve(system, step, instants)
        return self._read(system, step, instants)

    def _solve(self, system: System, step: float, instants: Array) -> None:
        exu, mbs, model = system.exu, system.mbs, system.model
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.parallel.numberOfThreads = 1
        solver = exu.LinearSolverType
        settings.linearSolver.solverType = solver.EigenDense if model.redundant else solver.EigenSparse
        settings.linearSolver.ignoreSingularJacobian = model.redundant
        time = settings.timeIntegration
        time.endTime = float(instants[-1] - instants[0])
        time.numberOfSteps = round(time.endTime / step)
        time.automaticStepSize = False
        time.verboseMode = 0
        time.newton.useModifiedNewton = True
        time.newton.relativeTolerance = NEWTON
        time.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = float(instants[1] - instants[0])
        try:
            done = mbs.SolveDynamic(settings, storeSolver=False, autoAssemble=False)
        except Exception as error:  # its solver has kinds of errors of its own
            raise InputError(f"exudyn cannot ride this model: {_first_line(error)}") from error
        if done is False:
            raise InputError(f"exudyn did not converge with steps of {step:.3g} s; take shorter ones.")

    def _read(self, system: System, step: float, instants: Array) -> OtherRun:
        model, names = system.model, [body.name for body in system.model.bodies]

        def of(what: str) -> Array:
            return np.stack([system.values((what, name)) for name in names], axis=1)

        axes = of("axes")
        n = len(axes)
        if n != len(instants):
            raise InputError(f"exudyn wrote {n} instants of {len(instants)}; take another step.")
        axes = axes.reshape(n, len(names), 3, 3)
        run = OtherRun(
            time=instants,
            position=of("position"),
            axes=axes,
            velocity=of("velocity"),
            angular_velocity=of("angular_velocity"),
            masses=_masses(system),
            step=step,
            version=f"exudyn {system.exu.__version__}",
        )
        for link in model.links:
            run.forces[link.name] = link_force(system, link, run)
        for guided in model.guided:
            run.forces[guided.name] = guide_force(system, guided, run)
        for element in model.elements:
            load = element_load(system, element)
            if load is not None:
                run.loads[element.name] = load
        return run


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(error).__name__


def _masses(system: System) -> Masses:
    """Read back from its objects."""
    mass, inertia = {}, {}
    for body, number in zip(system.model.bodies, system.bodies, strict=False):
        held = system.mbs.GetObject(number)
        xx, yy, zz, yz, xz, xy = held["inertia"]
        mass[body.name] = float(held["mass"])
        inertia[body.name] = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Masses(mass, inertia)


ENGINE = Exudyn()
