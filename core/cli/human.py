"""`ridewright human`: a human body of any size, as a test rig of its own or on a seat of another project."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..edits.elements import free_seats
from ..edits.riders import make_rider, seat_person
from ..human.anthropometry import DUMMIES, dimensions, dummy, person_for, size_of
from ..human.make import described
from ..human.shape import Segment, segments
from ..model.assembly import Assembly, Seat
from ..model.bodies import GROUND, Body
from ..model.joints import Joint
from ..model.person import Person
from ..project.project import Project, load_project, save_project
from ..project.scenario import Rig
from .commands import add_command, add_json_switch, print_json

SCALINGS = ("regression", "regression_raw", "de_leva", "fractions", "child")


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "human", "a human body of any size: segments, joints, a rider", run)
    command.add_argument("--height", metavar="M", type=float, help="stature (m)")
    command.add_argument("--mass", metavar="KG", type=float, help="mass (kg)")
    command.add_argument("--sex", choices=("female", "male"), help="male unless said")
    command.add_argument("--age", metavar="YEARS", type=float, help="of a child, 2 to 18; adults go without")
    command.add_argument(
        "--percentile", choices=("5", "50", "95"), help="of stature and mass, where they are not given"
    )
    command.add_argument("--dummy", metavar="NAME", help=f"instead, of the size of one: {', '.join(DUMMIES)}")
    command.add_argument(
        "--scaling", choices=SCALINGS, help="by default that of sex and age: regression, de_leva or child"
    )
    command.add_argument("--posture", choices=("seated", "standing"), default="seated", help="seated")
    command.add_argument("--hinges", action="store_true", help="elbows and knees as hinges")
    command.add_argument(
        "--free", action="store_true", help="held by seat and restraint alone, not fixed to the seat"
    )
    command.add_argument("--muscles", choices=("limp", "normal", "braced"), help="of everything; limp")
    command.add_argument(
        "--out", metavar="FILE", help="project file to write (*.ridewright): the rider on a seat"
    )
    command.add_argument(
        "--into", metavar="PROJECT", help="take this project and seat the rider on its first free seat"
    )
    command.add_argument(
        "--on", metavar="SEAT", help='a seat of it, such as "Car 1/Left seat", in the place of who sits there'
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print the segments, and write the project where one is asked for."""
    person = _person(arguments)
    found = segments(person)
    if arguments.into and not arguments.out:
        raise InputError("--into needs --out, the project file to write.")
    if arguments.on and not arguments.into:
        raise InputError("--on names a seat of the project of --into; give that, too.")
    if arguments.out:
        save_project(_seated(person, arguments.into, arguments.on), arguments.out)
    if arguments.json:
        print_json(_as_json(person, found))
        return 0
    print(described(person) + "\n")
    head = ("segment", "mass kg", "length m", "girth m", "moments kg m^2", "mass is", "from")
    rows = [
        (
            s.name, f"{s.mass.value:.3f}", f"{s.length.value:.3f}", f"{s.girth.value:.3f}",
            " ".join(f"{i:.4g}" for i in s.inertia), s.mass.kind, s.mass.source,
        )
        for s in found
    ]  # fmt: skip
    print(text_table((head, *rows)))
    print(f"\nmass of all: {sum(s.mass.value for s in found):.3f} kg")
    if arguments.out:
        print(f"written: {arguments.out}")
    return 0


def _person(arguments: argparse.Namespace) -> Person:
    more: dict[str, Any] = {
        "posture": arguments.posture,
        "hinges": arguments.hinges,
        "held": not arguments.free,
    }
    if arguments.muscles:
        more |= dict.fromkeys(("neck", "trunk", "legs", "arms"), arguments.muscles)
    if arguments.scaling:
        more["scaling"] = arguments.scaling
    if arguments.dummy:
        for option in ("height", "mass", "age", "percentile", "sex"):
            if getattr(arguments, option) is not None:
                raise InputError(f"--dummy says the whole size; leave out --{option}.")
        return dummy(arguments.dummy, **more)
    return person_for(
        arguments.height, arguments.mass, arguments.sex, arguments.age, arguments.percentile, **more
    )


def _seated(person: Person, into: str | None, on: str | None) -> Project:
    """A project in which the person sits on a seat, the first free one unless said, or on that of a new test rig."""
    if into is None:
        return make_rider(_bench(), (), person)[0]
    project = load_project(into)
    top = project.assembly
    if top is None:
        raise InputError(f"{into}: has neither train nor rig; insert a vehicle first.")
    if on is not None:
        return seat_person(project, on, person)[0]
    for path, at in {"": top, **{p: a for p, a in _assemblies(top)}}.items():
        if free_seats(at):
            return make_rider(project, tuple(path.split("/")) if path else (), person)[0]
    raise InputError(f"{into}: has no free seat; add a seat or remove a rider first.")


def _assemblies(top: Assembly) -> list[tuple[str, Assembly]]:
    return [(prefix[:-1], at) for prefix, at in top.walk() if prefix and at.role != "rider"]


def _bench() -> Project:
    """A seat that stands still."""
    base = Body(
        name="Seat",
        mass=20.0,
        inertia=(1.0, 1.0, 1.0),
        position=(0.0, 0.0, 0.6),
        part="a seat that stands still",
    )
    fixed = Joint(
        name="Seat on the ground", kind="rigid", body_i=GROUND, body_j="Seat", point_i=(0.0, 0.0, 0.6)
    )
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,), joints=(fixed,),
        seats=(Seat(name="Seat", body="Seat", position=(0.0, 0.0, 0.0)),),
    )  # fmt: skip
    return Project(name="Rider on a seat", scenario=Rig(assembly=rig, duration=2.0))


def _as_json(person: Person, found: tuple[Segment, ...]) -> dict[str, Any]:
    size = size_of(person)
    return {
        "person": person.model_dump(mode="json"),
        "stature": asdict(size.stature),
        "mass": asdict(size.mass),
        "age": asdict(size.age) if size.age else None,
        "segments": [
            {
                "name": s.name, "parent": s.parent, "joint": s.joint_name or None, "centre": s.centre.tolist(),
                "half_axes": s.half.tolist(), "inertia": s.inertia.tolist(),
                **{key: asdict(getattr(s, key)) for key in ("mass", "length", "girth", "moments")},
            }
            for s in found
        ],
        "dimensions": [asdict(d) for d in dimensions(person)],
    }  # fmt: skip
