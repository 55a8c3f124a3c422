"""A model as an exudyn system, and its ride."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ....base.arrays import Array
from ....base.errors import InputError
from ...model import Element, Link, Model, Steered
from ..base import Masses, OtherRun
from .elements import add_element, add_load, element_load, why_not
from .links import add_link, link_force
from .paths import add_guided, add_steered, guide_force
from .system import System

SPECTRAL_RADIUS: Final = 0.8
NEWTON: Final = 1e-10


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
        if system.accepted:

            def accepted(mbs: Any, t: float) -> bool:
                for remember in system.accepted:
                    remember()
                return True

            mbs.SetPostStepUserFunction(accepted)
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
