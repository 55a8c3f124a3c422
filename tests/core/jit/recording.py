"""What every kernel is called with in short rides that are run as Python: python recording.py OUT, with
NUMBA_DISABLE_JIT=1. OUT: a pickle of {module.name: (arguments, result and arguments afterwards)}, each pickled."""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "multibody"))

from ridewright.core.jit import decorators

CALLS: dict[str, bytes] = {}
FUNCTIONS: dict[str, Callable[..., Any]] = {}
SHORT = 2e-4  # s


def _recording(decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The decorator, with the arguments of the first call kept."""

    def decorate(function: Any) -> Any:
        name, made = f"{function.__module__}.{function.__name__}", decorator(function)
        FUNCTIONS[name] = made

        @wraps(function)
        def called(*given: Any) -> Any:
            if name not in CALLS:
                CALLS[name] = pickle.dumps(given)
            return made(*given)

        return called

    return decorate


for _name in ("kernel", "allocating", "part"):
    setattr(decorators, _name, _recording(getattr(decorators, _name)))


def _rides() -> None:
    from rigs import every_force

    from ridewright.core.pointmass.ride import preview_ride
    from ridewright.core.pointmass.sections import section_figures
    from ridewright.core.project.examples import load_example
    from ridewright.core.project.project import Project
    from ridewright.core.run.simulate import simulate
    from ridewright.core.track.build import build_track
    from ridewright.core.track.devices.launch import Launch

    def run(project: Project, duration: float = SHORT, **settings: Any) -> None:
        scenario = project.scenario.model_copy(update={"duration": duration})
        with_settings = project.settings.model_copy(update=settings)
        simulate(project.model_copy(update={"scenario": scenario, "settings": with_settings}))

    ride, rig = load_example("straight"), load_example("ellipsoid_double_pendulum")
    run(load_example("sliding_block"))
    assert ride.track is not None
    run(ride)
    run(ride, path_evaluation="table")
    for project in (rig, every_force()):
        run(project)
    run(load_example("swing_beam"))
    run(rig, method="rk4", fixed_step=1e-4)
    run(every_force(), method="adaptive_rk45", rtol=1e-3)
    run(rig, method="rk4", fixed_step=1e-4, stabilisation="correction", correction_tolerance=1e-14)
    driven = Launch(
        name="launch", section=ride.track.sections[0].name, start=0.0, end=20.0, value=7.0, top_speed=40.0
    )
    run(ride.model_copy(update={"track": ride.track.model_copy(update={"devices": (driven,)})}))
    built = build_track(ride.track)
    built.paths["centreline"].third_derivative(1.0)
    section_figures(built, preview_ride(built, ride.point_ride, gravity=ride.gravity))
    built.paths["centreline"].nearest((1.0, 2.0, 3.0))
    _touches(run)
    _asked_for_alone()
    with tempfile.TemporaryDirectory() as folder:
        write_results(run(rig), Path(folder) / "run.h5")
        read_results(Path(folder) / "run.h5")


def _touches(run: Callable[[Project], Results]) -> None:
    """Bodies that touch as a run begins, and a ball that meets a floor within it."""
    from ridewright.core.model.assembly import Assembly
    from ridewright.core.model.bodies import Body
    from ridewright.core.model.forces.contact import Contact
    from ridewright.core.model.surfaces import Plane, Sphere
    from ridewright.core.project.examples import load_example
    from ridewright.core.project.project import Project
    from ridewright.core.project.scenario import Rig

    run(load_example("human_lying"))
    ball = Body(
        name="Ball", mass=1.0, inertia=(0.016,) * 3, position=(0.0, 0.0, 0.2 + 0.4 * SHORT), velocity=(0.0, 0.0, -1.0),
        surfaces=(Sphere(name="Skin", radius=0.2),),
    )  # fmt: skip
    touch = Contact(name="Contact", body_i="Ball", body_j="ground", stiffness=1e6)
    rig = Assembly(name="Rig", role="rig", bodies=(ball,), forces=(touch,), surfaces=(Plane(name="Floor"),))
    run(Project(name="Rig", scenario=Rig(assembly=rig)))


def _asked_for_alone() -> None:
    """Kernels that no run calls: how deep surfaces lie in others, and a law that another engine asks for."""
    from ridewright.core.cross_check.laws import ScalarLaw
    from ridewright.core.cross_check.model import Element


def main() -> None:
    """Ride, and call every kernel once more with what it was called with first."""
    _rides()
    found = {}
    for name, given in dict(CALLS).items():
        arguments = pickle.loads(given)
        result = FUNCTIONS[name](*arguments)
        found[name] = given, pickle.dumps((result, arguments))
    Path(sys.argv[1]).write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main()
