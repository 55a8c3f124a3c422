"""A model as an exudyn system, and its ride."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from ....base.arrays import Array
from ....base.errors import InputError
from ...acting import why_not
from ...model import Element, Link, Model, Steered
from ...touching import Touching
from ..base import Masses, OtherRun
from .acting import add_actor
from .bending import add_bending, tie
from .elements import add_element, add_load, loads_of
from .links import add_link, link_force
from .paths import add_guided, add_steered, guide_force
from .system import System

SPECTRAL_RADIUS: Final = 0.8
NEWTON: Final = 1e-10


class Exudyn:
    """The engine; see `..base.Engine`."""

    name = "exudyn"
    bends = True

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
        for bent in model.bending:
            add_bending(system, bent)
        system.add_ground()
        for bent in model.bending:
            tie(system, bent)
        for link in model.links:
            add_link(system, link)
        for guided in model.guided:
            add_guided(system, guided, model.pushed)
        for steered in model.steered:
            add_steered(system, steered)
        for element in model.elements:
            add_element(system, element)
        for touch in model.touching:
            add_actor(system, Touching(touch))
        for load in model.loads:
            add_load(system, load)
        config = system.exu.config
        told = config.printToConsole, config.suppressWarnings
        config.printToConsole, config.suppressWarnings = False, True  # it writes between the lines of ours
        try:
            self._solve(system, step, instants)
        finally:
            config.printToConsole, config.suppressWarnings = told
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
            if "terminated" in _first_line(error):
                raise InputError(_not_converged(step)) from error
            raise InputError(f"exudyn cannot ride this model: {_first_line(error)}") from error
        if done is False:
            raise InputError(_not_converged(step))

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
            acceleration=of("acceleration"),
            angular_acceleration=of("angular_acceleration"),
            masses=_masses(system),
            step=step,
            version=f"exudyn {system.exu.__version__}",
        )
        for link in model.links:
            run.forces[link.name] = link_force(system, link, run)
        for guided in model.guided:
            run.forces[guided.name] = guide_force(system, guided, run)
        for bent in model.bending:
            run.modal[bent.name] = system.values(("modal", bent.name))
            A = run.axes[:, bent.body]
            turning = run.angular_acceleration[:, bent.body]  # told in the world
            run.angular_acceleration[:, bent.body] = np.einsum("nji,nj->ni", A, turning)
            for end in bent.ends:
                run.forces[end.name] = -np.einsum("nij,nj->ni", A, system.values(("force", end.name)))
        run.loads.update(loads_of(system))
        return run


def _not_converged(step: float) -> str:
    return f"exudyn did not converge with steps of {step:.3g} s; take shorter ones."


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0][:200] if lines else type(error).__name__


def _masses(system: System) -> Masses:
    """Read back from its objects."""
    mass, inertia = {}, {}
    for body, number in zip(system.model.bodies, system.bodies, strict=False):
        held = system.mbs.GetObject(number)
        mass[body.name] = float(held["mass"])
        given = np.asarray(held["inertia"], dtype=float)
        if given.shape == (3, 3):  # of a flexible body
            inertia[body.name] = given
            continue
        xx, yy, zz, yz, xz, xy = given
        inertia[body.name] = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Masses(mass, inertia)


ENGINE = Exudyn()
