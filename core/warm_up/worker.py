"""What compiles kernels in a child process, part by part (see `core.warm_up.ahead`).

    python -m ridewright.core.warm_up.worker

reads names of parts from standard input and answers with each name when its kernels are compiled and kept.
"""
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import gc
import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..multibody.compile import System
    from ..solver.engine import Engine
    from ..solver.ldl import Factor
    from ..track.build import BuiltTrack

# the files whose kernels are called from Python; what they import comes with them
ROOTS = (
    "ridewright.core.multibody.work",
    "ridewright.core.multibody.arrays",
    "ridewright.core.solver.genalpha",
    "ridewright.core.solver.kkt",
    "ridewright.core.solver.ldl",
    "ridewright.core.solver.record",
    "ridewright.core.solver.methods.fixed",
    "ridewright.core.solver.methods.event_landing",
    "ridewright.core.track.path_kernels",
    "ridewright.core.track.centreline_kernels",
    "ridewright.core.pointmass.course_kernel",
    "ridewright.core.pointmass.line_kernels",
    "ridewright.core.results.packing",
    "ridewright.core.contact.many",
)
RIG, TRACK = "ellipsoid_double_pendulum", "straight"
SHORT = 1e-3  # s
SELDOM = (100_000, 50, 100)  # new objects between two looks for cycles; a compiler makes few of those


class Part(NamedTuple):
    """Kernels that are compiled one after the other, and the parts whose kernels these use."""

    name: str
    needs: tuple[str, ...] = ()


PARTS = (
    Part("laws"),
    Part("devices"),
    Part("constraints"),
    Part("forces", ("laws", "devices")),
    Part("factorisation"),
    Part("tangent"),
    Part("newton", ("constraints", "factorisation", "forces")),
    Part("accept", ("constraints", "factorisation", "forces")),
    Part("step", ("tangent", "newton", "accept")),
    Part("accelerations"),
    Part("track"),
    Part("run", ("accelerations", "constraints", "factorisation", "forces", "tangent")),
    Part("packing"),
    Part("ride", ("track", "step", "run", "packing")),
    Part("course"),
    Part("fit"),
    Part("preview", ("track", "course", "fit")),
    Part("adaptive", ("run",)),
    Part("explicit", ("adaptive",)),
)


def parts_of(name: str) -> tuple[Part, ...]:
    """A part and all it needs, in the order to begin them."""
    wanted, by_name = {name}, {part.name: part for part in PARTS}
    for _ in PARTS:
        wanted |= {need for part in wanted for need in by_name[part].needs}
    return tuple(part for part in PARTS if part.name in wanted)


def compile_part(name: str) -> None:
    """Compile the kernels of a part, or load them."""
    _WAYS[name]()


def _rig() -> System:
    from ..multibody.compile import compile_system
    from ..project.examples import load_example

    return compile_system(load_example(RIG))


def _large(*names: str) -> None:
    """Those of the large kernels of a system that have these names: others contain them."""
    import numpy as np
    from numba import typeof

    from ..multibody.acceleration_kernels import acceleration_rhs
    from ..multibody.constraint_kernels import constraints, velocity_residual
    from ..multibody.device_kernels import device_forces
    from ..multibody.force_kernels import evaluate_laws, forces
    from ..multibody.tangent_kernels import tangent

    system = _rig()
    S, W, r, p, line = system.arrays, system.new_work(), np.zeros((1, 3)), np.zeros((1, 4)), np.zeros(1)
    known: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (constraints, (S, W, 0.0, r, p, line)),
        (velocity_residual, (S, W, line, line)),
        (evaluate_laws, (S, W)),
        (forces, (S, W, line, line)),
        (tangent, (S, W, line, line, 1.0, 1.0, 1.0, line)),
        (acceleration_rhs, (S, W, line)),
        (device_forces, (S, W, line)),
    )
    for kernel, given in known:
        if kernel.__name__ in names:
            kernel.compile(tuple(typeof(x) for x in given))


def _factor() -> Factor:
    """A factorisation of the rig of which only the types count: the order of the unknowns is none to solve with."""
    from ..solver.kkt import pattern_of
    from ..solver.ldl import symbolic

    system = _rig()
    return symbolic(pattern_of(system), list(range(system.coordinates + system.rows)))


def _factorisation() -> None:
    import numpy as np
    from numba import typeof

    from ..solver.ldl import EPSILON, factorise, scatter, solve_pair, solve_parts

    factor, line, cube, whole = (
        _factor(),
        np.zeros(1),
        np.zeros((1, 1, 1)),
        np.zeros(1, dtype=np.int64),
    )
    known: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (scatter, (factor, whole, whole, line, cube, cube, line, line, EPSILON)),
        (factorise, (factor,)),
        (solve_parts, (factor, 1, line, line, line, line)),
        (solve_pair, (factor, 1, line, line, line, line, line, line, line, line)),
    )
    for kernel, given in known:
        kernel.compile(tuple(typeof(x) for x in given))


def _engine(factor: Factor) -> Engine:
    """An integration of the rig as drawn, of which only the types count."""
    import numpy as np

    from ..project.scenario import SolverSettings
    from ..solver.assemble import AssemblyReport
    from ..solver.engine import Engine

    system = _rig()
    nothing = AssemblyReport(0, 0.0, 0.0, "", 0.0, "", 0.0, "", 0.0, "")
    return Engine(
        system, SolverSettings(), system.new_work(), factor, system.start, nothing,
        system.layout.line(), np.zeros(system.rows),
    )  # fmt: skip


def _step(name: str) -> None:
    """One of the kernels of a step; the others are contained in `advance`."""
    import numpy as np
    from numba import typeof

    from ..solver.accepted_step import accept
    from ..solver.genalpha import advance
    from ..solver.newton import newton_step
    from ..solver.written_step import new_log

    engine = _engine(_factor())
    S, W, X, Y, P = (
        engine.system.arrays,
        engine.work,
        engine.factor,
        engine.memory(),
        engine.limits(SHORT),
    )
    log, yes = new_log(engine.system, 1), True
    known: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (newton_step, (S, X, W, Y, 1.0, yes, yes, 1)),
        (accept, (S, W, Y, P, log, 1.0, yes)),
        (advance, (S, W, X, Y, P, log, np.zeros(1), 1, 1)),
    )
    for kernel, given in known:
        if kernel.__name__ == name:
            kernel.compile(tuple(typeof(x) for x in given))


def _run() -> None:
    from ..solver.engine import start_acceleration
    from ..solver.kkt import new_factor
    from ..solver.record import record
    from ..solver.written_step import new_log, write_log

    engine = _engine(new_factor(_rig()))
    start_acceleration(engine.system, engine.work, engine.factor, engine.state)
    log = new_log(engine.system, 1)
    write_log(engine.system.arrays, engine.work, engine.memory(), log, True)
    record(engine.system, log, 1)


def _track() -> BuiltTrack:
    from ..project.examples import load_example
    from ..track.build import build_track

    project = load_example(TRACK)
    assert project.track is not None
    return build_track(project.track)


def _course() -> None:
    """A ride of points on a line of which only the types count."""
    import numpy as np
    from numba import typeof

    from ..pointmass.course_kernel import Course, ride_course
    from ..pointmass.ride_kernels import new_work
    from ..track.devices.law import WIDTH

    nodes = 3
    line = Course(
        np.zeros((1, nodes)), np.zeros((1, nodes, 6)), np.zeros((1, nodes, 1, 4)), np.zeros(1, dtype=np.int64),
        np.zeros((1, 1), dtype=np.int64), np.zeros((1, 1)), np.zeros(4), np.zeros((1, WIDTH)),
        np.zeros((nodes + 3, nodes)), 0.0, 1, False, 1.0, 0, True, 0.0, 0.0,
    )  # fmt: skip
    given = (line, 1.0, np.zeros((1, 11)), np.zeros((1, 4)), new_work(nodes, 1))
    ride_course.compile(tuple(typeof(x) for x in given))


def _preview() -> None:
    from ..pointmass.ride import preview_ride
    from ..pointmass.sections import section_figures
    from ..project.examples import load_example

    project, built = load_example(TRACK), _track()
    section_figures(built, preview_ride(built, project.point_ride, gravity=project.gravity))


def _ride() -> None:
    from ..project.examples import load_example
    from ..project.scenario import Ride
    from ..run.simulate import simulate

    project = load_example(TRACK)
    assert isinstance(project.scenario, Ride)
    ride = project.scenario.model_copy(update={"duration": SHORT, "end_place": None})
    simulate(project.model_copy(update={"scenario": ride}))


def _packing() -> None:
    """What a results file is written and read with, in memory."""
    import h5py
    import numpy as np

    from ..results.packing import PLACE, read_packed, step_of, write_packed

    values = np.zeros((2, 1, 1))
    packed = step_of(values, PLACE, 1e-5)
    assert packed is not None
    step, kind = packed
    with h5py.File("packing", "w", driver="core", backing_store=False) as file:
        data = file.create_dataset(
            "a", values.shape, kind, chunks=(2, 1, 1), compression="gzip", shuffle=True
        )
        data.attrs["step"] = step
        write_packed(data, values, step)
        read_packed(data)


def _by(method: str) -> None:
    """A short run of the rig by one of the methods of `core.solver.methods`."""
    from ..project.examples import load_example
    from ..run.simulate import simulate

    project = load_example(RIG)
    settings = project.settings.model_copy(update={"method": method, "fixed_step": SHORT})
    scenario = project.scenario.model_copy(update={"duration": SHORT})
    simulate(project.model_copy(update={"settings": settings, "scenario": scenario}))


def _fit() -> None:
    from ..model.solids import Solids
    from ..model.surfaces import Ellipsoid

    one = Solids.of((Ellipsoid(name="Skin", semi_axes=(0.1, 0.1, 0.2)),))
    one.depths(one)


_WAYS: dict[str, Callable[[], object]] = {
    "constraints": partial(_large, "constraints", "velocity_residual"),
    "laws": partial(_large, "evaluate_laws"),
    "devices": partial(_large, "device_forces"),
    "forces": partial(_large, "forces"),
    "accelerations": partial(_large, "acceleration_rhs"),
    "tangent": partial(_large, "tangent"),
    "factorisation": _factorisation,
    "track": _track,
    "newton": partial(_step, "newton_step"),
    "accept": partial(_step, "accept"),
    "step": partial(_step, "advance"),
    "run": _run,
    "packing": _packing,
    "ride": _ride,
    "course": _course,
    "fit": _fit,
    "preview": _preview,
    "adaptive": partial(_by, "adaptive_rk45"),
    "explicit": partial(_by, "rk4"),
}


def _listen(parts: queue.SimpleQueue[str]) -> None:
    """Pass on what is to be done; when nobody is left to tell it, end at once, whatever is under way."""
    for line in sys.stdin:
        parts.put(line.strip())
    os._exit(1)


def main() -> None:
    """Compile parts as they are asked for."""
    gc.set_threshold(*SELDOM)
    parts: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(parts,), daemon=True).start()
    while True:
        name = parts.get()
        compile_part(name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
