"""What the inspector shows for each kind of selection: groups of fields bound to edits of the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from app.document.selection import RIG, Selection
from app.model_editor.entries import SEVERAL
from app.model_editor.page import Field, Group, Page, fields_of, grouped
from app.model_editor.track_pages import device_page, project_page, section_page
from app.widgets import units
from core.base.fields import FieldSpec, references, specs_of
from core.edits import changes, elements, points, train
from core.edits.new_elements import body_names
from core.edits.places import section_named, section_points
from core.model.assembly import Assembly, Occupant
from core.model.drivers import Driver
from core.model.elements import RotationalSpring
from core.model.joints import NEEDS_AXES, Joint
from core.project.project import Project
from core.track.build import BuiltTrack
from core.track.description import ControlPoint

AXES = {"axis_i": (0.0, 1.0, 0.0), "axis_j": (0.0, 1.0, 0.0)}
COORDINATES = {
    "revolute": ("angle",),
    "cylindrical": ("angle", "slide"),
    "universal": ("angle", "angle_j"),
    "prismatic": ("slide",),
    "distance": ("length",),
}


def page_of(project: Project, selection: Selection, built: BuiltTrack | None = None) -> Page:
    """The page for a selection that exists in the project; built: its track, when it can be built."""
    kind = selection.kind
    if kind == "points":
        return _points_page(project, selection)
    if kind == "section":
        return section_page(project, selection, built)
    if kind == "device":
        return device_page(project, selection)
    if kind == "car":
        return _car_page(project, selection)
    if kind == "scenario":
        return _scenario_page(project)
    if kind == "settings":
        fields = fields_of(project, changes.set_settings, lambda p: p.settings, "solver settings")
        return Page("Solver settings", "how the equations are integrated", "settings", grouped(fields))
    if kind in ("none", "place"):
        return project_page(project)
    return _element_page(project, selection)


def _points_page(project: Project, selection: Selection) -> Page:
    name, chosen = selection.path[0], selection.indices

    def get(p: Project, field: str) -> Any:
        every = section_points(section_named(changes.the_track(p), name))
        values = {getattr(every[i], field) for i in chosen if i < len(every)}
        return values.pop() if len(values) == 1 else SEVERAL

    what = f"point {chosen[0] + 1}" if len(chosen) == 1 else f"{len(chosen)} points"
    fields = tuple(
        Field(
            spec,
            lambda p, field=spec.name: get(p, field),  # type: ignore[misc]
            lambda p, value, field=spec.name: (points.set_points(p, name, chosen, {field: value}), None),  # type: ignore[misc]
            f"Change {spec.title} of {what} of {name}",
        )
        for spec in specs_of(ControlPoint)
    )
    title = f"Point {chosen[0] + 1}" if len(chosen) == 1 else f"{len(chosen)} points"
    note = "A value given here goes to all of them." if len(chosen) > 1 else ""
    return Page(title, f"of section {name}", "points", (Group("", fields, (note,) if note else ()),))


# -- ride


def _scenario_page(project: Project) -> Page:
    kind = project.scenario.kind
    fields = fields_of(project, changes.set_scenario, lambda p: p.scenario, f"the {kind}")
    assessed = fields_of(project, changes.set_evaluation, lambda p: p.evaluation, "the rider assessment")
    words = {"ride": "the train runs on the track", "rig": "test rig"}
    groups = (Group(kind.capitalize(), fields), Group("Rider assessment", assessed))
    return Page("Scenario", words[kind], "scenario", groups, model=True)


# -- train


def _car_page(project: Project, selection: Selection) -> Page:
    name = selection.path[0]
    assembly = elements.assembly_at(project, name)
    note = _mass_note(assembly)
    if name == RIG:
        return Page("Rig", "test rig", "car", (Group("", (), (note,)),), model=True)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        return train.set_car(p, name, {"name": value}), Selection("car", (value,))

    every = fields_of(
        project,
        lambda p, values: train.set_car(p, name, values),
        lambda p: elements.assembly_at(p, name),
        name,
    )
    first = changes.the_train(project).cars[0].name == name
    fields = tuple(
        replace(field, change=rename) if field.spec.name == "name" else field
        for field in every
        if not (first and field.spec.name == "offset")
    )
    return Page(name, "car", "car", (Group("", fields, (note,)),), model=True)


def _mass_note(holder: Assembly | Occupant) -> str:
    own = sum(b.mass for b in holder.bodies)
    text = f"{len(holder.bodies)} bodies of {units.text(own, 'kg')} together"
    if isinstance(holder, Assembly) and holder.occupants:
        riders = sum(b.mass for o in holder.occupants for b in o.bodies)
        count = f"{len(holder.occupants)} rider" + ("s" if len(holder.occupants) > 1 else "")
        text += f", and {count} of {units.text(riders, 'kg')}"
    return text + "."


def _element_page(project: Project, selection: Selection) -> Page:
    kind, path = selection.kind, selection.path
    element = elements.element_at(project, kind, path)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        made, there = elements.rename_element(p, kind, path, value)
        return made, replace(selection, path=there)

    def seated(p: Project, value: Any) -> tuple[Project, None]:
        return train.move_rider(p, path, path[0], value)[0], None

    def kind_of(name: str) -> str:
        value: str = getattr(element, name)
        if name in references(type(element), "joint"):
            return str(elements.element_at(project, "joint", (*path[:-1], value)).kind)
        return value

    own = {
        (kind, "name"): rename,
        ("occupant", "seat"): seated,
        ("joint", "kind"): _joint_kind(path),
        ("driver", "target"): _driver_target(path),
    }
    every = fields_of(
        project,
        lambda p, values: elements.set_element(p, kind, path, values),
        lambda p: elements.element_at(p, kind, path),
        path[-1],
        lambda spec: _element_choices(project, kind, path, element, spec),
        kind_of,
    )
    fields = tuple(replace(f, change=own.get((kind, f.spec.name), f.change)) for f in every)
    notes = (_mass_note(element),) if isinstance(element, Occupant) else ()
    icon = {"occupant": "rider"}.get(kind, kind)
    return Page(
        element.name,
        _described(element, kind, path),
        icon,
        grouped(fields, notes),
        isinstance(element, Joint),
    )


def _described(element: Any, kind: str, path: Sequence[str]) -> str:
    word = f"{element.kind} joint" if kind == "joint" else elements.element_word(element)
    owner = " / ".join(part for part in path[:-1] if part != RIG)
    return f"{word} of {owner}" if owner else word


def _element_choices(
    project: Project, kind: str, path: tuple[str, ...], element: Any, spec: FieldSpec
) -> tuple[str, ...]:
    if spec.entry != "choice":
        return ()
    holder = elements.holder_at(project, path[:-1])
    if spec.name in ("body_i", "body_j"):
        return body_names(holder)
    if spec.name == "body":
        return body_names(holder) if kind == "seat" else tuple(b.name for b in holder.bodies)
    if spec.name == "seat" and isinstance(holder, Assembly):
        return tuple(s.name for s in holder.seats)
    if isinstance(element, Occupant):
        return tuple(b.name for b in element.bodies)
    if spec.name == "joint":
        allowed: tuple[str, ...] = ("revolute", "cylindrical", "prismatic")
        if isinstance(element, RotationalSpring):
            allowed = ("revolute", "cylindrical", "spherical", "universal")
        return tuple(j.name for j in holder.joints if j.kind in allowed)
    if spec.name == "guide":
        return tuple(g.name for g in elements.elements_of(holder, "guide"))
    if isinstance(element, Driver):
        return _driver_choices(holder, element, spec.name)
    return tuple(spec.words)


def _joint_kind(path: tuple[str, ...]) -> Callable[[Project, Any], tuple[Project, None]]:
    """Another kind of joint, with the axes it needs and without what it cannot have."""

    def change(project: Project, kind: Any) -> tuple[Project, None]:
        joint = elements.element_at(project, "joint", path)
        fields: dict[str, Any] = {"kind": kind}
        if kind in NEEDS_AXES:
            fields["axis_i"] = joint.axis_i or AXES["axis_i"]
            fallback = (1.0, 0.0, 0.0) if kind == "universal" else AXES["axis_j"]
            fields["axis_j"] = joint.axis_j or fallback
        if kind != "distance":
            fields["length"] = None
        return elements.set_element(project, "joint", path, fields), None

    return change


def _driver_choices(holder: Any, driver: Driver, name: str) -> tuple[str, ...]:
    drivable = {j.name: COORDINATES[j.kind] for j in holder.joints if j.kind in COORDINATES}
    if name == "target":
        guides = [g.name for g in elements.elements_of(holder, "guide")]
        return tuple(dict.fromkeys((*drivable, *guides, *(b.name for b in holder.bodies))))
    return _coordinates(holder, driver.target)


def _coordinates(holder: Any, target: str) -> tuple[str, ...]:
    for joint in holder.joints:
        if joint.name == target and joint.kind in COORDINATES:
            return COORDINATES[joint.kind]
    if any(g.name == target for g in elements.elements_of(holder, "guide")):
        return ("arc_length",)
    return ("x", "y", "z")


def _driver_target(path: tuple[str, ...]) -> Callable[[Project, Any], tuple[Project, None]]:
    """Another target, with a coordinate it has."""

    def change(project: Project, target: Any) -> tuple[Project, None]:
        driver = elements.element_at(project, "driver", path)
        known = _coordinates(elements.holder_at(project, path[:-1]), target)
        coordinate = driver.coordinate if driver.coordinate in known else known[0]
        return elements.set_element(
            project, "driver", path, {"target": target, "coordinate": coordinate}
        ), None

    return change
