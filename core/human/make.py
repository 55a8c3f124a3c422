"""A rider made from what was asked for: 17 bodies, 16 joints, what ends and holds them."""

from __future__ import annotations

from functools import lru_cache

from ..base.arrays import Array
from ..base.fields import spec_of
from ..base.frames import rotation_matrix
from ..base.frozen import Quat, Vec3
from ..model.assembly import Assembly
from ..model.bodies import SEAT, Body
from ..model.joints import Joint
from ..model.person import Person
from ..model.seats import SeatShape
from ..model.surfaces import Ellipsoid
from .anthropometry import size_of
from .joints import ends, muscles, size_factor
from .posture import Placing, base_name, placed, rotations
from .shape import Segment, segments

HINGED = ("elbow", "knee")
ACROSS = (0.0, 1.0, 0.0)
HEAD, UPPER_TORSO, PELVIS = "Head", "Thorax", "Pelvis"
ON_SEAT = "Pelvis on seat"


@lru_cache(maxsize=16)
def rider(person: Person, seat: str, name: str = "Rider", shape: SeatShape | None = None) -> Assembly:
    """The rider in the frame of its seat (seated: fitted to what the seat is made of, without that as the library's
    vehicles have theirs; standing: feet on the origin).

    Raises InputError in one sentence for sizes that are missing, out of range, or make no body.
    """
    made = mechanism(person, name, shape)
    fixed: tuple[Joint, ...] = ()
    if person.held:
        pelvis = next(body for body in made.bodies if body.name == PELVIS)
        fixed = (
            Joint(name=ON_SEAT, kind="rigid", body_i=SEAT, point_i=pelvis.position, body_j=PELVIS),
        )  # fmt: skip
    return Assembly(
        name=name, role="rider", description=made.description, seat=seat, head=HEAD, upper_torso=UPPER_TORSO,
        pelvis=PELVIS, person=person, bodies=made.bodies, joints=(*fixed, *made.joints), forces=made.forces,
    )  # fmt: skip


def mechanism(person: Person, name: str = "Body", shape: SeatShape | None = None) -> Assembly:
    """The same bodies, joints and force elements as a part of a test rig, held by nothing."""
    size = size_of(person)
    found = segments(person)
    turned, positions = posed(person, found, shape)
    factor = size_factor(size.mass.value, size.stature.value)
    return Assembly(
        name=name,
        description=described(person),
        bodies=tuple(_body(s, positions[s.name]) for s in found),
        joints=tuple(_joint(s, positions, person) for s in found if s.parent is not None),
        forces=(*ends(found, turned, person, factor), *muscles(found, person, factor)),
    )


def posed(
    person: Person, found: tuple[Segment, ...], shape: SeatShape | None
) -> tuple[dict[str, Vec3], dict[str, Placing]]:
    """Rotation vectors (rad) of a person's joints by name, and where the segments are."""
    if shape is not None and person.posture == "seated":
        from .fit import fit  # takes kernels, which most who make riders do not need

        fitted = fit(person, shape)
        return fitted.turned, fitted.placed
    turned = rotations(person.posture, found, person.pose)
    return turned, placed(found, turned, person.posture)


def described(person: Person) -> str:
    """Who somebody is, in a line: sex, age, stature, mass, how the segments follow."""
    size = size_of(person)
    age = f", {size.age.value:.1f} years" if size.age else ""
    scaling = spec_of(Person, "scaling").words[person.scaling]
    return (
        f"{person.sex.capitalize()}{age}, {size.stature.value:.3f} m, {size.mass.value:.1f} kg, {person.posture};"
        f" {scaling[:1].lower()}{scaling[1:]}"
    )


def _three(values: Array) -> Vec3:
    x, y, z = (float(v) + 0.0 for v in values)
    return (x, y, z)


def _four(values: Array) -> Quat:
    a, b, c, d = (float(v) + 0.0 for v in values)
    return (a, b, c, d)


def _body(s: Segment, position: Placing) -> Body:
    return Body(
        name=s.name,
        mass=s.mass.value,
        inertia=_three(s.inertia),
        position=_three(position.position),
        orientation=_four(position.orientation),
        surfaces=(Ellipsoid(name="Skin", semi_axes=_three(s.half), position=_three(s.middle - s.centre)),),
        part=(
            f"mass {s.mass.kind}: {s.mass.source}; length {s.length.kind}: {s.length.source};"
            f" girth {s.girth.kind}: {s.girth.source}; moments {s.moments.kind}: {s.moments.source}"
        ),
    )


def _joint(s: Segment, positions: dict[str, Placing], person: Person) -> Joint:
    """The joint of a segment to its parent, as first body."""
    assert s.parent is not None
    hinged = person.hinges and base_name(s.joint_name) in HINGED
    joint = positions[s.name].joint
    assert joint is not None

    def seen(name: str) -> Vec3:
        at = positions[name]
        return _three(rotation_matrix(at.orientation).T @ (joint - at.position))

    axis = ACROSS if hinged else None
    return Joint(
        name=s.joint_name, kind="revolute" if hinged else "spherical", body_i=s.parent, point_i=seen(s.parent),
        axis_i=axis, body_j=s.name, point_j=seen(s.name), axis_j=axis,
    )  # fmt: skip
