"""What the inspector shows for each kind of selection: groups of fields bound to edits of the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, lists_of, references, specs_of
from ...core.base.frozen import Frozen
from ...core.base.sentence import counted
from ...core.edits import changes, elements, points, riders, rows, train
from ...core.edits.new_elements import body_names
from ...core.edits.places import section_named
from ...core.edits.remaking import seat_shape
from ...core.human.findings import fit_at
from ...core.model.assembly import Assembly, Seat
from ...core.model.drivers import Driver, coordinates_of
from ...core.model.forces import type_of
from ...core.model.joints import TYPES as JOINTS
from ...core.model.joints import Joint
from ...core.model.joints.base import NEW_AXES
from ...core.model.law_curves import law_curves
from ...core.model.losses import library_sources, losses_of
from ...core.model.masses import CALLED, MassBudget, mass_budget
from ...core.project.point_train import about_losses
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ...core.track.description import ControlPoint
from ...core.track.point_places import section_points
from ..document.selection import MANY, Selection
from ..widgets import units
from ..widgets.number_entry import SEVERAL
from .page import Field, Group, Page, fields_of, grouped
from .seat_page import seat_groups
from .track_pages import device_page, project_page, section_page
from .tree_nodes import ICONS, ROLE_ICONS, icon_of

NO_CAR = (
    "Add the first car: from the library, or an empty one to build from. Make a train puts several together."
)

Change = Callable[[Project, Any], tuple[Project, Selection | None]]
PLAIN = ("number", "optional", "flag", "choice")  # entries that can show that values differ
WHOLE = ("vector", "direction", "angles", "long_text")  # those of one value, shown where all have the same
NAMED = 6  # of them are named under the title


def common_page(project: Project, selection: Selection, pages: Sequence[Page]) -> Page:
    """One page of the pages of everything that is selected."""
    title = f"{len(pages)} {MANY[selection.kind]}"
    fields = []
    for same in fields_in_common(
        project, [[f for group in page.groups for f in group.fields] for page in pages]
    ):
        step = f"Change {same[0].spec.title.lower()} of {title}"
        fields.append(replace(common_field(same, step), change=_of_each(selection, same)))
    note = "What they have in common; a value given here goes to all of them."
    if not fields:
        note = "They have no field in common that could be changed for all of them."
    names = ", ".join(page.title for page in pages[:NAMED]) + (", …" if len(pages) > NAMED else "")
    return Page(title, names, pages[0].icon, grouped(fields, (note,)))


def fields_in_common(project: Project, every: Sequence[Sequence[Field]]) -> Iterator[list[Field]]:
    """The fields that all of several things have and that can be given to all of them, each as many times."""
    others = [{f.spec.name: f for f in fields} for fields in every[1:]]
    for field in every[0]:
        same = [field, *(other[field.spec.name] for other in others if field.spec.name in other)]
        if len(same) == len(every) and _fits(project, same):
            yield same


def _fits(project: Project, same: Sequence[Field]) -> bool:
    """Whether a field means the same in all pages and can be given to all of them."""
    spec = same[0].spec
    if spec.name == "name" or any(f.spec != spec or f.choices != same[0].choices for f in same[1:]):
        return False
    first = same[0].get(project)
    return spec.entry in PLAIN or (spec.entry in WHOLE and all(f.get(project) == first for f in same[1:]))


def common_field(same: Sequence[Field], step: str) -> Field:
    """A field of several things as one, whose value goes to all of them; step: the name of the undo step."""

    def get(project: Project) -> Any:
        first, *rest = (field.get(project) for field in same)
        return first if all(value == first for value in rest) else SEVERAL

    def change(project: Project, value: Any) -> tuple[Project, None]:
        for field in same:
            project, _ = field.change(project, value)
        return project, None

    return replace(same[0], get=get, change=change, step=step, end="")


def _of_each(selection: Selection, same: Sequence[Field]) -> Change:
    def change(project: Project, value: Any) -> tuple[Project, Selection | None]:
        there = []  # a change may go along with another name
        for one, field in zip(selection.each, same, strict=True):
            project, moved = field.change(project, value)
            there.append(one.path if moved is None else moved.path)
        after = replace(selection, path=there[0], also=tuple(there[1:]))
        return project, None if after == selection else after

    return change


def page_of(project: Project, selection: Selection, built: BuiltTrack | None = None) -> Page:
    """The page for a selection that exists in the project; built: its track, when it can be built."""
    kind = selection.kind
    if selection.also:
        return common_page(project, selection, [page_of(project, one, built) for one in selection.each])
    if kind == "points":
        return _points_page(project, selection)
    if selection.rows:
        return _rows_page(project, selection)
    if kind == "section":
        return section_page(project, selection, built)
    if kind == "device":
        return device_page(project, selection)
    if kind == "scenario":
        return _scenario_page(project)
    if kind == "settings":
        fields = fields_of(project, changes.set_settings, lambda p: p.settings, "solver settings")
        return Page("Solver settings", "how the equations are integrated", "settings", grouped(fields))
    if kind in ("none", "place"):
        return project_page(project)
    if project.assembly is None:
        return Page("Train", "no car yet", "train", (Group("", (), (NO_CAR,)),))
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


def _rows_page(project: Project, selection: Selection) -> Page:
    """Rows of a list of an element, with what they have in common where there are several."""
    kind, path, name = selection.kind, selection.path, selection.rows
    element = elements.element_at(project, kind, path)
    spec, every = rows.list_of(element, name), getattr(element, name)

    def row_at(p: Project, k: int) -> Any:
        return getattr(elements.element_at(p, kind, path), name)[k]

    def fields(k: int, of: str) -> tuple[Field, ...]:
        return fields_of(
            project,
            lambda p, values: rows.set_rows(p, kind, path, name, (k,), values),
            lambda p: row_at(p, k),
            of,
            lambda one: names_for(project, path, element, one),
        )

    titles = [rows.row_title(every[k], k) for k in selection.indices]
    if len(titles) == 1:
        what = f"{spec.row} {titles[0]}"
        found = fields(selection.indices[0], f"{what} of {path[-1]}")
        return Page(what.capitalize()[0] + what[1:], f"of {path[-1]}", ICONS[kind], grouped(found))
    what = f"{len(titles)} {spec.title.lower()}"
    of = [fields(k, what) for k in selection.indices]
    found = tuple(
        common_field(same, f"Change {same[0].spec.title.lower()} of {what} of {path[-1]}")
        for same in fields_in_common(project, of)
    )
    note = "What they have in common; a value given here goes to all of them."
    names = ", ".join(titles[:NAMED]) + (", …" if len(titles) > NAMED else "")
    return Page(what, f"{names} of {path[-1]}", ICONS[kind], grouped(found, (note,)))


def names_for(project: Project, path: tuple[str, ...], element: Any, spec: FieldSpec) -> tuple[str, ...]:
    """What a field of a row of an element at a path may name: rows of its other lists, bodies of its assembly."""
    made: type[Frozen] = type(element)
    lists = [one.name for one in lists_of(made) if one.row in spec.refers_to]
    named = [row.name for name in lists for row in getattr(element, name)]
    bodies = body_names(elements.assembly_at(project, path[:-1])) if "body" in spec.refers_to else ()
    return (*named, *bodies)


# -- ride


def _scenario_page(project: Project) -> Page:
    kind = project.scenario.kind
    fields = fields_of(project, changes.set_scenario, lambda p: p.scenario, f"the {kind}")
    assessed = fields_of(project, changes.set_evaluation, lambda p: p.evaluation, "the rider assessment")
    words = {"ride": "the train runs on the track", "rig": "test rig"}
    notes = (about_losses(project),) if kind == "ride" and project.train is not None else ()
    groups = (Group(kind.capitalize(), fields, notes), Group("Rider assessment", assessed))
    return Page("Scenario", words[kind], "scenario", groups, model=True)


# -- assemblies and their elements


def _mass_note(assembly: Assembly) -> str:
    try:
        budget = mass_budget(assembly)
    except InputError:  # a coupling that cannot be made: told by Problems
        budget = MassBudget(tuple(assembly.mass_rows()))
    parts = []
    for kind, (one, several) in CALLED.items():
        if count := budget.count(kind):
            together = " together" if count > 1 else ""
            parts.append(
                f"{count} {one if count == 1 else several} of {units.text(budget.of(kind), 'kg')}{together}"
            )
    whole = f"; {units.text(budget.total, 'kg')} in all" if len(parts) > 1 else ""
    return f"{', '.join(parts)}{whole}."


def _element_page(project: Project, selection: Selection) -> Page:
    kind, path = selection.kind, selection.path
    element = elements.element_at(project, kind, path)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        made, there = elements.rename_element(p, kind, path, value)
        return made, replace(selection, path=there)

    def seated(p: Project, value: Any) -> tuple[Project, None]:
        return train.move_rider(p, path, path[:-1], value)[0], None

    def value_of(name: str) -> str:
        value: str = getattr(element, name)
        if name in references(type(element), "joint") and not isinstance(element, Driver):
            joint = elements.element_at(project, "joint", (*path[:-1], *value.split("/")))
            return str(joint.type.acts_in)
        return value

    own = {
        (kind, "name"): rename,
        ("assembly", "seat"): seated,
        ("joint", "kind"): _joint_kind(path),
        ("driver", "target"): _driver_target(path),
    }
    every = fields_of(
        project,
        lambda p, values: elements.set_element(p, kind, path, values),
        lambda p: elements.element_at(p, kind, path),
        element.name,
        lambda spec: _choices(project, path, element, spec),
        value_of,
    )
    ends = ("point_i", "point_j") if kind in ("joint", "force") and hasattr(element, "point_j") else ()
    fields = tuple(
        replace(
            f,
            change=own.get((kind, f.spec.name), f.change),
            end=f.spec.name[-1] if f.spec.name in ends else "",
        )
        for f in every
        # a car has an offset only behind the first one of a train
        if f.spec.name != "offset"
        or (len(path) == 1 and path[0] != changes.the_train(project).children[0].name)
    )
    if kind == "coupling":  # what all couplings have comes first
        first = ("name", "body_i", "point_i", "body_j", "point_j", "rating", "swing")
        fields = tuple(
            sorted(fields, key=lambda f: first.index(f.spec.name) if f.spec.name in first else len(first))
        )
    notes = (_mass_note(element),) if isinstance(element, Assembly) else _lists_note(element)
    losses = (
        (_losses_group(project, path),) if kind == "assembly" and element.role in ("train", "car") else ()
    )
    made_for = (
        (_person_group(project, path),)
        if isinstance(element, Assembly) and element.person is not None
        else ()
    )
    seated_on = seat_groups(project, path) if kind == "seat" else ()
    icon = ROLE_ICONS[element.role] if kind == "assembly" else icon_of(kind, element)
    return Page(
        element.name,
        _described(element, kind, path),
        icon,
        (*grouped(fields, notes), *made_for, *losses, *seated_on),
        isinstance(element, Joint) or (kind == "assembly" and element.role != "rider"),
        law_curves(element) if kind in ("coupling", "force") else (),
    )


def _lists_note(element: Any) -> tuple[str, ...]:
    """What there is of rows that are edited as tables."""
    made: type[Frozen] = type(element)
    counts = [(len(getattr(element, spec.name)), spec.row, spec.title.lower()) for spec in lists_of(made)]
    words = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    if counts and not words:
        words = [f"no {one}" for _, one, _ in counts]
    return (f"{', '.join(words).capitalize()}: see the panel “Structure”.",) if words else ()


def _person_group(project: Project, path: tuple[str, ...]) -> Group:
    """What a generated rider was made from; a change makes it anew."""
    fields = fields_of(
        project,
        lambda p, values: riders.set_person(p, path, values),
        lambda p: elements.assembly_at(p, path).person,
        f"the person of {path[-1]}",
    )
    try:
        changes_now = riders.differences(elements.assembly_at(project, path), seat_shape(project, path))
    except InputError as error:  # a file may ask for somebody of whom no body can be made
        return Group("Made for", fields, (units.told(error),))
    notes: tuple[str, ...] = (
        "A change makes segments and joints anew; changing a segment by hand detaches the rider from this.",
    )
    assert project.assembly is not None
    if seat_fit := fit_at(project.assembly, path):
        notes += (units.in_units(seat_fit.said),)
    if changes_now:
        notes += (
            f"Made anew it would differ in {counted(len(changes_now), 'element')}: see the Rider panel.",
        )
    return Group("Made for", fields, notes)


def _losses_group(project: Project, path: tuple[str, ...]) -> Group:
    """Rolling resistance and air of the train or a car, over all its wheels."""
    fields = fields_of(
        project,
        lambda p, values: train.set_losses(p, path, values),
        lambda p: losses_of(elements.assembly_at(p, path)),
        f"the losses of {elements.assembly_at(project, path).name}",
    )
    notes = (library_sources(),) if path else (about_losses(project), library_sources())
    return Group("Losses", fields, notes)


def _described(element: Any, kind: str, path: Sequence[str]) -> str:
    word = f"{element.kind} joint" if kind == "joint" else elements.element_word(element)
    owner = " / ".join(path[:-1])
    return f"{word} of {owner}" if owner else word


def _choices(project: Project, path: tuple[str, ...], element: Any, spec: FieldSpec) -> tuple[str, ...]:
    """Names a field of an element may take; none for a field with words of its own."""
    if "segment" in spec.refers_to:
        return tuple(element.every("body"))
    holder = elements.assembly_at(project, path[:-1]) if path else None
    if holder is None:
        return ()
    if isinstance(element, Driver):
        return _driver_choices(holder, element, spec.name)
    if "seat" in spec.refers_to:
        return tuple(seat.name for seat in holder.seats)
    if "guide" in spec.refers_to:
        return tuple(holder.every("guide"))
    if "joint" in spec.refers_to:
        made = type_of(element)
        return tuple(
            there for there, joint in holder.every("joint").items() if made is None or made.fits(joint.kind)
        )
    if "assembly" in spec.refers_to:
        return tuple(holder.every("assembly"))
    if "body" in spec.refers_to:
        # what joins two bodies, and a seat, may stand on the ground
        grounded = isinstance(element, Seat) or len(references(type(element), "body")) > 1
        return body_names(holder) if grounded else tuple(holder.every("body"))
    return ()


def _joint_kind(path: tuple[str, ...]) -> Callable[[Project, Any], tuple[Project, None]]:
    """Another kind of joint, with the axes it needs and without what it cannot have."""

    def change(project: Project, kind: Any) -> tuple[Project, None]:
        joint = elements.element_at(project, "joint", path)
        fields: dict[str, Any] = {"kind": kind}
        stand = JOINTS[kind].axes
        if stand in NEW_AXES:
            for name, axis in zip(("axis_i", "axis_j"), NEW_AXES[stand], strict=True):
                fields[name] = getattr(joint, name) or axis
        if joint.type.own is not None and JOINTS[kind].own is not joint.type.own:
            fields |= {name: info.default for name, info in joint.type.own.model_fields.items()}
        return elements.set_element(project, "joint", path, fields), None

    return change


def _driver_choices(holder: Assembly, driver: Driver, name: str) -> tuple[str, ...]:
    if name == "coordinate":
        return _coordinates(holder, driver.target)
    if name != "target":
        return ()
    drivable = [path for path, joint in holder.every("joint").items() if joint.type.driven]
    return tuple(dict.fromkeys((*drivable, *holder.every("guide"), *holder.every("body"))))


def _coordinates(holder: Assembly, target: str) -> tuple[str, ...]:
    joint = holder.every("joint").get(target)
    if joint is not None and joint.type.driven:
        return tuple(joint.type.driven)
    return coordinates_of("guide" if target in holder.every("guide") else "body")


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
