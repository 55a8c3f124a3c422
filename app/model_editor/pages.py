"""What the inspector shows for each kind of selection: groups of fields bound to edits of the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from app.document.selection import Selection
from app.model_editor.entries import SEVERAL
from app.model_editor.field_book import FieldSpec, specs_of
from app.model_editor.page import Field, Group, Page, plain
from app.model_editor.track_pages import device_page, project_page, section_page
from app.model_editor.tree_nodes import ROLE_ICONS
from app.widgets import units
from core.edits import changes, elements, points, train
from core.edits.new_elements import body_names
from core.edits.places import section_named, section_points
from core.model.assembly import JUDGED, Assembly
from core.model.drivers import Driver
from core.model.forces.joint_stop import JointStop
from core.model.forces.rotational_spring import RotationalSpring
from core.model.joints import NEEDS_AXES, Joint
from core.project.evaluation import EvaluationOptions
from core.project.project import Project
from core.project.scenario import Ride, Rig, SolverSettings
from core.track.build import BuiltTrack
from core.track.description import ControlPoint

AXES = {"axis_i": (0.0, 1.0, 0.0), "axis_j": (0.0, 1.0, 0.0)}
ANGLES = ("angle", "angle_j", "roll", "pitch", "yaw")
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
    if kind == "scenario":
        return _scenario_page(project)
    if kind == "settings":
        fields = tuple(
            plain(s, changes.set_settings, lambda p: p.settings, "solver settings")
            for s in specs_of("settings", SolverSettings)
            if _matters(project.settings, s.name)
        )
        return Page("Solver settings", "how the equations are integrated", "settings", (Group("", fields),))
    if kind in ("none", "place"):
        return project_page(project)
    return _element_page(project, selection)


def _matters(settings: SolverSettings, name: str) -> bool:
    """Whether a solver setting has any effect with the method, equations and stabilisation that are chosen."""
    adaptive = settings.method.startswith("adaptive_")
    implicit = settings.method == "generalized_alpha"
    rules = {
        "tolerance": implicit,
        "rho_infinity": implicit,
        "position_tolerance": implicit,
        "velocity_tolerance": implicit,
        "max_step": implicit or adaptive,
        "fixed_step": not adaptive,
        "relative_tolerance": adaptive,
        "absolute_tolerance": adaptive,
        "formulation": not implicit,
        "stabilisation": not implicit and settings.formulation == "augmented",
        "table_step": settings.path_evaluation == "table",
    }
    if name.startswith("baumgarte_"):
        used = settings.stabilisation in ("baumgarte", "baumgarte_and_correction")
        return not implicit and settings.formulation == "augmented" and used
    if name.startswith("correction_"):
        return not implicit and "correction" in settings.stabilisation
    if name.startswith("penalty") or name == "lagrangian_iterations":
        return not implicit and settings.formulation in ("penalty", "augmented_lagrangian")
    return rules.get(name, True)


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
            f"Change {spec.label} of {what} of {name}",
        )
        for spec in specs_of("point", ControlPoint)
    )
    title = f"Point {chosen[0] + 1}" if len(chosen) == 1 else f"{len(chosen)} points"
    note = "A value given here goes to all of them." if len(chosen) > 1 else ""
    return Page(title, f"of section {name}", "points", (Group("", fields, (note,) if note else ()),))


# -- ride


def _scenario_page(project: Project) -> Page:
    model, group = (Ride, "ride") if isinstance(project.scenario, Ride) else (Rig, "rig")
    fields = tuple(
        plain(s, changes.set_scenario, lambda p: p.scenario, f"the {group}") for s in specs_of(group, model)
    )
    judging = tuple(
        plain(s, changes.set_evaluation, lambda p: p.evaluation, "the judging of riders")
        for s in specs_of("evaluation", EvaluationOptions)
    )
    words = {"ride": "the train runs on the track", "rig": "bodies on a bench"}
    groups = (Group(group.capitalize(), fields), Group("How riders are judged", judging))
    return Page("Scenario", words[group], "scenario", groups, model=True)


# -- assemblies and their elements


def _mass_note(assembly: Assembly) -> str:
    own = assembly.own("body")
    mass = sum(body.mass for body in own.values())
    weight = units.text(mass, "kg")
    text = f"1 body of {weight}" if len(own) == 1 else f"{len(own)} bodies of {weight} together"
    riders = len([path for path in assembly.with_role("rider") if path])
    if riders:
        text += f", and {riders} rider" + ("s" if riders > 1 else "")
        text += f" of {units.text(assembly.mass() - mass, 'kg')}"
    return text + "."


def _element_page(project: Project, selection: Selection) -> Page:
    kind, path = selection.kind, selection.path
    element = elements.element_at(project, kind, path)
    model = type(element)
    group = {"force": "kind", "assembly": "role"}.get(kind)
    group = kind if group is None else getattr(element, group)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        made, there = elements.rename_element(p, kind, path, value)
        return made, replace(selection, path=there)

    def seated(p: Project, value: Any) -> tuple[Project, None]:
        return train.move_rider(p, path, path[:-1], value)[0], None

    fields = []
    for spec in specs_of(group, model):
        if not _applies(project, path, element, spec):
            continue
        shown = _fitted(project, path, element, spec)
        field = plain(
            shown,
            lambda p, values: elements.set_element(p, kind, path, values),
            lambda p: elements.element_at(p, kind, path),
            element.name,
            _element_choices(project, kind, path, element, spec),
        )
        if spec.name == "name":
            field = replace(field, change=rename)
        elif kind == "assembly" and spec.name == "seat":
            field = replace(field, change=seated)
        elif kind == "joint" and spec.name == "kind":
            field = replace(field, change=_joint_kind(path))
        elif kind == "driver" and spec.name == "target":
            field = replace(field, change=_driver_target(path))
        fields.append(field)
    notes = (_mass_note(element),) if isinstance(element, Assembly) else ()
    icon = kind if kind != "assembly" else ROLE_ICONS[element.role]
    return Page(
        element.name,
        _described(element, kind, path),
        icon,
        (Group("", tuple(fields), notes),),
        isinstance(element, Joint) or (kind == "assembly" and element.role != "rider"),
    )


def _described(element: Any, kind: str, path: Sequence[str]) -> str:
    word = f"{element.kind} joint" if kind == "joint" else elements.element_word(element)
    owner = " / ".join(path[:-1])
    return f"{word} of {owner}" if owner else word


def _applies(project: Project, path: Sequence[str], element: Any, spec: FieldSpec) -> bool:
    """Whether a field means anything for the element as it is."""
    if isinstance(element, Assembly) and spec.name == "offset":
        return len(path) == 1 and changes.the_train(project).children[0].name != path[0]
    if isinstance(element, Joint):
        if spec.name in AXES:
            return element.kind in NEEDS_AXES
        if spec.name == "length":
            return element.kind == "distance"
        if spec.name == "locked":
            return element.kind != "rigid"
    return True


def _fitted(project: Project, path: Sequence[str], element: Any, spec: FieldSpec) -> FieldSpec:
    """The field with the unit that fits the joint or coordinate it acts on."""
    if spec.slide_unit and isinstance(element, JointStop):
        joint = elements.element_at(project, "joint", (*path[:-1], *element.joint.split("/")))
        if joint.kind == "prismatic":
            return replace(spec, unit=spec.slide_unit)
    if isinstance(element, Driver) and spec.name == "function":
        return replace(spec, unit="rad" if element.coordinate in ANGLES else "m")
    return spec


def _element_choices(
    project: Project, kind: str, path: tuple[str, ...], element: Any, spec: FieldSpec
) -> tuple[str, ...]:
    if spec.type != "choice":
        return ()
    if isinstance(element, Assembly) and spec.name in JUDGED:
        return tuple(element.every("body"))
    holder = elements.assembly_at(project, path[:-1])
    if spec.name in ("body_i", "body_j"):
        return body_names(holder)
    if spec.name == "body":
        return body_names(holder) if kind == "seat" else tuple(holder.every("body"))
    if spec.name == "seat":
        return tuple(s.name for s in holder.seats)
    if spec.name == "joint":
        allowed: tuple[str, ...] = ("revolute", "cylindrical", "prismatic")
        if isinstance(element, RotationalSpring):
            allowed = ("revolute", "cylindrical", "spherical", "universal")
        return tuple(there for there, j in holder.every("joint").items() if j.kind in allowed)
    if spec.name == "guide":
        return tuple(holder.every("guide"))
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


def _driver_choices(holder: Assembly, driver: Driver, name: str) -> tuple[str, ...]:
    if name != "target":
        return _coordinates(holder, driver.target)
    drivable = [path for path, joint in holder.every("joint").items() if joint.kind in COORDINATES]
    return tuple(dict.fromkeys((*drivable, *holder.every("guide"), *holder.every("body"))))


def _coordinates(holder: Assembly, target: str) -> tuple[str, ...]:
    joint = holder.every("joint").get(target)
    if joint is not None and joint.kind in COORDINATES:
        return COORDINATES[joint.kind]
    return ("arc_length",) if target in holder.every("guide") else ("x", "y", "z", "roll", "pitch", "yaw")


def _driver_target(path: tuple[str, ...]) -> Callable[[Project, Any], tuple[Project, None]]:
    """Another target, with a coordinate it has."""

    def change(project: Project, target: Any) -> tuple[Project, None]:
        driver = elements.element_at(project, "driver", path)
        known = _coordinates(elements.assembly_at(project, path[:-1]), target)
        coordinate = driver.coordinate if driver.coordinate in known else known[0]
        return elements.set_element(
            project, "driver", path, {"target": target, "coordinate": coordinate}
        ), None

    return change
