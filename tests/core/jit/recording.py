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

import numpy as np

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


def _run(project: Any, duration: float = SHORT, **settings: Any) -> Any:
    from ridewright.core.run.simulate import simulate

    scenario = project.scenario.model_copy(update={"duration": duration})
    with_settings = project.settings.model_copy(update=settings)
    return simulate(project.model_copy(update={"scenario": scenario, "settings": with_settings}))


def _rides() -> None:
    from rigs import every_force

    from ridewright.core.pointmass.ride import preview_ride
    from ridewright.core.pointmass.sections import section_figures
    from ridewright.core.project.examples import load_example
    from ridewright.core.track.build import build_track
    from ridewright.core.track.devices.launch import Launch

    ride, rig = load_example("straight"), load_example("ellipsoid_double_pendulum")
    _run(load_example("sliding_block"))
    assert ride.track is not None
    _run(ride)
    _run(ride, path_evaluation="table")
    for project in (rig, every_force()):
        _run(project)
    _run(load_example("swing_beam"))
    _run(rig, method="rk4", fixed_step=1e-4)
    _run(every_force(), method="adaptive_rk45", rtol=1e-3)
    _run(rig, method="rk4", fixed_step=1e-4, stabilisation="correction", correction_tolerance=1e-14)
    driven = Launch(
        name="launch", section=ride.track.sections[0].name, start=0.0, end=20.0, value=7.0, top_speed=40.0
    )
    _run(ride.model_copy(update={"track": ride.track.model_copy(update={"devices": (driven,)})}))
    built = build_track(ride.track)
    built.paths["centreline"].third_derivative(1.0)
    built.paths["centreline"].nearest((1.0, 2.0, 3.0))
    section_figures(built, preview_ride(built, ride.point_ride, gravity=ride.gravity))


def _touches() -> None:
    """A head that lies on the floor, and a ball that meets it within the run."""
    from ridewright.core.model.assembly import Assembly, Seat
    from ridewright.core.model.bodies import Body
    from ridewright.core.model.forces.contact import Contact
    from ridewright.core.model.surfaces import Plane, Sphere
    from ridewright.core.project.project import Project
    from ridewright.core.project.scenario import Rig

    def ball(name: str, height: float) -> Body:
        return Body(
            name=name, mass=1.0, inertia=(0.016,) * 3, position=(0.0, 0.0, 0.2 + height), velocity=(0.3, 0.0, -1.0),
            surfaces=(Sphere(name="Skin", radius=0.2),),
        )  # fmt: skip

    roles = dict.fromkeys(("head", "upper_torso", "pelvis"), "Head")
    man = Assembly(name="Man", role="rider", seat="Seat", bodies=(ball("Head", -0.001),), **roles)
    rig = Assembly(
        name="Rig", role="rig", bodies=(ball("Ball", 0.4 * SHORT),), children=(man,),
        forces=tuple(
            Contact(name=name, body_i=body, body_j="ground", stiffness=1e6)
            for name, body in (("Blow", "Man/Head"), ("Fall", "Ball"))
        ),
        seats=(Seat(name="Seat", body="ground", position=(0.0, 0.0, 0.0)),), surfaces=(Plane(name="Floor"),),
    )  # fmt: skip
    _run(Project(name="Rig", scenario=Rig(assembly=rig)))


def _without_a_run() -> None:
    """Surfaces in one another, a law that another engine asks for, results that are packed and read."""
    from ridewright.core.cross_check.laws import ScalarLaw
    from ridewright.core.cross_check.model import Element
    from ridewright.core.model.forces.maxwell import TYPE, Maxwell
    from ridewright.core.model.solids import Solids
    from ridewright.core.model.surfaces import Box, Ellipsoid, Plane
    from ridewright.core.project.examples import load_example
    from ridewright.core.results.file import read_results, write_results

    skin = Ellipsoid(name="Skin", position=(0.3, 0.2, 0.1), semi_axes=(0.3, 0.2, 0.1))
    parts = Plane(name="Floor"), Box(name="Pan", half_sizes=(0.2, 0.3, 0.1))
    Solids.of(parts).depths(Solids.of((skin,)))
    made = Maxwell(name="M", body_i="ground", body_j="B", stiffness=2000.0, damping=40.0)
    assert TYPE.law is not None
    element = Element("M", "", "distance", TYPE.law(made, "distance"), (0, 1), np.zeros(7), np.zeros(0))
    ScalarLaw(element)(0.01, 0.3, 0.01)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.h5"
        write_results(_run(load_example("straight")), file, compact=True)
        read_results(file)


def main() -> None:
    """Ride, and call every kernel once more with what it was called with first."""
    _rides()
    _touches()
    _without_a_run()
    found = {}
    for name, given in dict(CALLS).items():
        arguments = pickle.loads(given)
        result = FUNCTIONS[name](*arguments)
        found[name] = given, pickle.dumps((result, arguments))
    Path(sys.argv[1]).write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main()
