"""Make flexible: a rigid body becomes a beam between the places where it is held, in one step.

Each place gets a small body, a hub, at a node of the beam; joints, guides, force elements, seats, drivers and couplings
of the body act on the hubs from then on, at the same places and in the same axes. The hubs' mass is part of the beam's
(`includes_bodies`), so that mass, centre and moments are those of the beam.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..base.frozen import Vec3
from ..base.sentence import say
from ..model.assembly import Assembly
from ..model.bodies import Body
from ..model.flexible import BeamSection, FlexibleBody, Interface
from ..model.placement import placed_model
from ..model.references import LISTS, redirected, references
from ..project.project import Project
from .beam_of_body import END, STEEL, Beam, Rigid, along, beam_of, first_section, moves_with, together
from .changes import changed, free_name
from .elements import Path, assembly_at, element_at, elements_of, rebuilt, set_element

HUB: Final = (
    0.1  # of what moves with a node of the beam; more than the least share of it would leave none: chosen
)
DEAD_BAND: Final = 0.05  # rad/s, of a drive at the beam, so that it does not follow the beam's own swing
SLENDER: Final = 0.1  # of the largest moment, by which those of a beam differ at most
DIGITS: Final = 9
#: What holds a body, and so makes a node, by its kind; everything else is carried by the nearest hub.
HOLDS: Final = ("joint", "guide", "coupling", "flexible", "force")
#: The field that has the point on the body that a field names.
POINTS: Final = {"body_i": "point_i", "body_j": "point_j"}


class MadeFlexible(NamedTuple):
    """The project, the path of the flexible body, its mass, centre and moments before and after (axes of the assembly),
    and what was done in sentences."""

    project: Project
    path: Path
    before: Rigid
    after: Rigid
    said: tuple[str, ...]

    @property
    def moments_off(self) -> float:
        """By how much the moments differ at most, of the largest of the body."""
        largest = float(np.linalg.eigvalsh(self.before.inertia)[-1])
        return float(np.abs(np.linalg.eigvalsh(self.after.inertia - self.before.inertia)).max()) / largest


class _Held(NamedTuple):
    """An element of the assembly at the path `owner` that names the body by a field; place (3,) m in the axes of the
    body's assembly, None where it has none."""

    owner: Path
    kind: str
    name: str
    field: str
    place: Array | None


def flexible_length(project: Project, path: Path) -> float:
    """How long (m) the beam of a body would be. Raises InputError for a body that cannot be one."""
    points = [*_line(project, path).values()]
    return float(np.linalg.norm(points[-1] - points[0]))


def section_of(project: Project, path: Path) -> BeamSection:
    """The section that a body's beam has unless another is chosen: a square steel tube as heavy as the body."""
    return first_section(element_at(project, "body", path).mass, flexible_length(project, path))


def make_flexible(
    project: Project, path: Path, section: BeamSection | None = None, *, modes: int = 6, ratio: float = 0.05
) -> MadeFlexible:
    """Make a rigid body a beam between the places where it is held.

    Parameters
    ----------
    path
        Of the body.
    section
        Of the beam, of steel; by default as `section_of`.
    modes
        How many modes between the held places are kept.
    ratio
        Share of critical damping.

    Returns
    -------
    The project with everything carried over, and what has become of mass (kept), centre (kept) and moments of inertia
    (kg m^2, before and after).

    Raises
    ------
    InputError
        For a segment of a rider, a body with surfaces, one that nothing holds, and a section that cannot be made.
    """
    body: Body = element_at(project, "body", path)
    places = _line(project, path)
    before = _rigid(body)
    beam = beam_of(before, places, section or section_of(project, path))
    held = [node for node in places if node != END]
    flexible = FlexibleBody(
        name=body.name, description=f"Beam of the rigid body of {body.mass:.6g} kg", nodes=beam.nodes, beams=beam.beams,
        masses=beam.masses, interfaces=tuple(Interface(node=node, body=node) for node in held), modes=modes,
        ratio=ratio, includes_bodies=True,
    )  # fmt: skip
    hubs = {
        node: (HUB * mass, HUB * moment)
        for node, (mass, moment) in zip(held, (moves_with(beam, node) for node in held), strict=True)
    }
    out = carried_by(project, path, flexible, hubs)._replace(after=beam.rigid)
    return out._replace(said=(*_said(out, body, beam, hubs), *out.said))


def carried_by(
    project: Project, path: Path, flexible: FlexibleBody, hubs: Mapping[str, tuple[float, float]]
) -> MadeFlexible:
    """Put a flexible body in the place of a rigid one: hubs at its nodes, and on them all that acts on the body.

    flexible: named as the body, in the axes of the assembly that holds it; its interfaces are those with a hub,
    whatever bodies they name; hubs: kg and kg m^2, by node. Says of drives what has become of them.
    """
    body: Body = element_at(project, "body", path)
    holder, frame = assembly_at(project, path[:-1]), _frame(body)
    at = {node.name: np.array(node.position) for node in flexible.nodes if node.name in hubs}
    made_of = _hubs(body, frame, holder, at, hubs)
    ends = tuple(Interface(node=node, body=hub.name) for node, hub in made_of.items())
    flexible = changed(flexible, f"'{body.name}'", {"interfaces": ends})
    moved = {
        (one.owner, one.kind, one.name, one.field): _hub_for(one, at, made_of, frame)
        for one in _held(project, path)
    }

    def fields_of(to: Path, owner: Assembly) -> dict[str, Any]:
        fields: dict[str, Any] = {
            attribute: tuple(
                _carried(element, {
                    field: hub for (own, k, name, field), hub in moved.items()
                    if (own, k, name) == (to, kind, element.name)
                }, path[len(to) : -1], frame)
                for element in elements_of(owner, kind)
            )
            for kind, attribute in LISTS.items()
            if kind != "assembly"
        }  # fmt: skip
        if to == path[:-1]:
            bodies = tuple(one for one in fields["bodies"] if one.name != body.name)
            fields["bodies"] = (*bodies, *made_of.values())
            fields["flexibles"] = (*fields["flexibles"], flexible)
        return fields

    made, drives = _with_dead_bands(rebuilt(project, path[:-1], fields_of), path, made_of)
    before = _rigid(body)
    return MadeFlexible(made, path, before, _whole(flexible, hubs, before), drives)


def _rigid(body: Body) -> Rigid:
    """A body in the axes of the assembly that holds it."""
    frame = _frame(body)
    return Rigid(body.mass, frame.position, frame.rotation @ body.inertia_tensor() @ frame.rotation.T)


def _whole(flexible: FlexibleBody, hubs: Mapping[str, tuple[float, float]], before: Rigid) -> Rigid:
    """An imported structure with its hubs as one rigid body; of beams, which say that themselves, the body before."""
    given = flexible.imported
    if given is None:
        return before
    at = {node.name: np.array(node.position) for node in flexible.nodes}
    parts = [Rigid(given.mass, np.array(given.centre), np.reshape(given.inertia, (3, 3)))]
    parts += [Rigid(mass, at[node], moment * np.eye(3)) for node, (mass, moment) in hubs.items()]
    return together(parts)


def _with_dead_bands(
    project: Project, path: Path, hubs: Mapping[str, Body]
) -> tuple[Project, tuple[str, ...]]:
    """Drives that would follow the beam's own swing get a dead band; what is said of them."""
    drawn = placed_model(assembly_at(project, ()))
    own = {"/".join((*path[:-1], hub.name)) for hub in hubs.values()}
    said = []
    for prefix, at in drawn.assemblies.items():
        for force in at.forces:
            swings = any(phase.mode == "swing" for phase in getattr(force, "programme", ()))
            if swings and getattr(force, "dead_band", 1.0) == 0.0 and own & {*drawn.connected(prefix, force)}:
                owner = tuple(prefix.split("/")) if prefix else ()
                project = set_element(project, "force", (*owner, force.name), {"dead_band": DEAD_BAND})
                said.append(
                    say("'{name}' has a dead band of {band:g rad/s} now.", name=force.name, band=DEAD_BAND)
                )
    return project, tuple(said)


def _line(project: Project, path: Path) -> dict[str, Array]:
    """The nodes of the beam of a body in order by their names."""
    return along(places_held(project, path), np.array(element_at(project, "body", path).position))


def places_held(project: Project, path: Path) -> dict[str, Array]:
    """Where joints, guides, couplings and forces hold a body.

    Parameters
    ----------
    project
        With a train or a rig.
    path
        Of the body.

    Returns
    -------
    Places (3,) m in the axes of the assembly that has it, by the names of what holds there.

    Raises
    ------
    InputError
        For a body that cannot be flexible.
    """
    body: Body = element_at(project, "body", path)
    holder = assembly_at(project, path[:-1])
    if holder.role == "rider":
        raise InputError("A rider's segment stays rigid; choose a body of a car or rig.")
    if body.surfaces:
        raise InputError(f"'{body.name}' has surfaces, which a flexible body cannot have; delete them first.")
    names: dict[str, Array] = {}
    for one in _held(project, path):
        if one.kind in HOLDS and one.place is not None:
            names[free_name(one.name, names)] = one.place
    if not names:
        raise InputError(
            f"Nothing holds '{body.name}' at a place; join it to another body or to the ground first."
        )
    return names


def _held(project: Project, path: Path) -> Iterator[_Held]:
    body: Body = element_at(project, "body", path)
    frame = _frame(body)
    drawn = placed_model(assembly_at(project, ()))
    inside = drawn.origin("/".join(path[:-1]))
    for depth in range(len(path)):
        owner = path[:depth]
        own, origin = "/".join(path[depth:]), drawn.origin("/".join(owner))
        for kind in LISTS:
            if kind in ("assembly", "body"):
                continue
            for element in elements_of(assembly_at(project, owner), kind):
                for field, what, name in references(element):
                    if what != "body" or name != own:
                        continue
                    place: Array | None = None
                    point = _point_field(element, field)
                    if kind == "flexible":
                        number = int(field.split(".")[1])
                        node = element.interfaces[number].node
                        at = next(one.position for one in element.nodes if one.name == node)
                        place = inside.rotation.T @ (origin.point(at) - inside.position)
                    elif point:
                        place = frame.point(getattr(element, point))
                    yield _Held(owner, kind, str(element.name), field, place)


def _point_field(element: Any, field: str) -> str:
    """The field that has the place of what names a body by another one; "" where it has none."""
    found = POINTS.get(field) or ("position" if hasattr(element, "assessed") else "point")
    return found if hasattr(element, found) else ""


def _frame(body: Body) -> Frame:
    return Frame(np.array(body.position), rotation_matrix(body.orientation))


def _hubs(
    body: Body,
    frame: Frame,
    holder: Assembly,
    at: Mapping[str, Array],
    weights: Mapping[str, tuple[float, float]],
) -> dict[str, Body]:
    """A hub (kg, kg m^2) at every node that something holds, by the node."""
    taken = [one.name for one in holder.bodies]
    taken += [one.name for one in holder.children] + [one.name for one in holder.flexibles]
    spin = np.array(body.angular_velocity)
    out: dict[str, Body] = {}
    for node, place in at.items():
        arm = frame.rotation.T @ (place - frame.position)
        velocity = np.array(body.velocity) + frame.rotation @ np.cross(spin, arm)
        name = free_name(f"{body.name} at {node}", taken)
        taken.append(name)
        mass, moment = weights[node]
        out[node] = body.model_copy(
            update={
                "name": name, "mass": mass, "inertia": (moment,) * 3, "products": (0.0, 0.0, 0.0),
                "position": _vec(place), "velocity": _vec(velocity), "part": f"Hub of {body.name}",
            }
        )  # fmt: skip
    return out


class _Hub(NamedTuple):
    """A hub and where its centre is in the axes of the body it was of (3,) m."""

    name: str
    at: Array


def _hub_for(one: _Held, places: Mapping[str, Array], hubs: Mapping[str, Body], frame: Frame) -> _Hub:
    """The hub nearest to where something acts, or to the centre of the body."""
    place = frame.position if one.place is None else one.place
    node = min(hubs, key=lambda name: float(np.linalg.norm(places[name] - place)))
    return _Hub(hubs[node].name, frame.rotation.T @ (places[node] - frame.position))


def _carried(element: Any, to: Mapping[str, _Hub], below: Path, frame: Frame) -> Any:
    """An element that acts on hubs where it acted on the body, at the same place."""
    if not to:
        return element
    update = redirected(element, {field: "/".join((*below, hub.name)) for field, hub in to.items()})
    for field, hub in to.items():
        point = _point_field(element, field)
        if point:
            update[point] = _vec(np.array(getattr(element, point)) - hub.at)
    return changed(element, f"'{element.name}'", update)


def _vec(values: Array) -> Vec3:
    x, y, z = (round(float(v), DIGITS) + 0.0 for v in values)
    return x, y, z


def _said(made: MadeFlexible, body: Body, beam: Beam, hubs: Collection[str]) -> tuple[str, ...]:
    positions = {node.name: node.position for node in beam.nodes}
    length = sum(float(np.linalg.norm(np.subtract(*one.ends(positions)))) for one in beam.beams)
    words: list[str] = [
        say(
            "'{name}' is a beam of {length:.3g m} with hubs at {places}.",
            name=body.name, length=length, places=", ".join(hubs),
        ),
        say(
            "Mass {mass:.6g kg} and centre of mass are kept; moments of inertia differ by at most {off:.2g %} of the"
            " largest.",
            mass=made.after.mass, off=made.moments_off,
        ),
    ]  # fmt: skip
    if made.moments_off > SLENDER:
        words.append(
            say("It is no slender body: made of a mesh of it, it would have its moments of inertia.")
        )
    if beam.first_bending > 0.0:
        words.append(
            say(
                "Clamped at one end and free at the other its first bending is at {hertz:.3g Hz}.",
                hertz=beam.first_bending,
            )
        )
    if beam.masses:
        words.append(
            say("{mass:.4g kg} of it are masses at nodes.", mass=sum(one.mass for one in beam.masses))
        )
    if beam.density < 0.999 * STEEL[2]:
        words.append(
            say(
                "The section in steel is heavier than the body: its stiffness is kept, its density is"
                " {density:.4g kg/m³}.",
                density=beam.density,
            )
        )
    return tuple(words)
