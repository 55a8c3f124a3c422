"""Inspector pages of the track: the project with its track, sections of every kind, devices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...core.base.fields import FieldSpec
from ...core.edits import along_track, changes, insertion, sections
from ...core.edits.elements_track import pose_at
from ...core.edits.places import section_named
from ...core.project.point_train import about_losses, about_start, ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ...core.track.description import SplineSection, StraightSection, TableSection
from ...core.track.devices import KINDS, Device
from ...core.track.devices import kind_of as device_kind
from ...core.track.elements import Element, StartPose, kind_of
from ..document.selection import Selection
from ..elements.track_elements import section_icon
from .page import Field, Group, Page, fields_of, grouped

_KIND = FieldSpec(
    "kind",
    "Kind",
    "choice",
    "What it is. Another kind stays where this one is and keeps what both have.",
    words={kind: made.title for kind, made in KINDS.items()},
)


def project_page(project: Project) -> Page:
    """Page of the project: its track, the room around it, the heartline, the point ride of the preview."""
    groups = [Group("Project", fields_of(project, changes.set_project, lambda p: p, "project"))]
    if project.track is None:
        note = "This project has no track. Track > Insert element begins one."
        groups.append(Group("Track", (), (note,)))
        if project.assembly is not None and project.assembly.every("flexible"):
            groups.append(_fatigue(project))
        return Page(project.name, "project", "track", tuple(groups))
    varies = project.track.heartline.points
    text = f"It varies over {len(varies)} positions; see Track > Heartline." if varies else ""
    groups += [
        Group("Track", fields_of(project, changes.set_track, changes.the_track, "track")),
        Group(
            "Clearance envelope",
            fields_of(
                project, changes.set_clearance, lambda p: changes.the_track(p).clearance, "clearance envelope"
            ),
        ),
        Group(
            "Heartline",
            fields_of(
                project, along_track.set_heartline, lambda p: changes.the_track(p).heartline, "the heartline"
            ),
            (text,) if text else (),
        ),
        Group(
            "Rails as built",
            fields_of(
                project, changes.set_as_built, lambda p: changes.the_track(p).as_built, "the rails as built"
            ),
            _about_rails(project),
            folded=True,
        ),
        Group(
            "Steelwork",
            fields_of(project, changes.set_steelwork, lambda p: p.steelwork, "the steelwork"),
            folded=True,
        ),
        Group(
            "Point ride of the preview",
            fields_of(project, changes.set_point_ride, ridden_settings, "the point ride"),
            tuple(text for text in (about_losses(project), about_start(project)) if text),
        ),
    ]
    return Page(project.name, "project", "track", tuple(groups))


FATIGUE = {"spine_detail": "Detail of flexible bodies", "partial": "", "rides": ""}


def _fatigue(project: Project) -> Group:
    """By what the life of flexible bodies is judged where no steel of a track is."""
    every = fields_of(project, changes.set_steelwork, lambda p: p.steelwork, "the fatigue")
    shown = (
        replace(one, spec=replace(one.spec, title=FATIGUE[one.spec.name] or one.spec.title))
        for one in every
        if one.spec.name in FATIGUE
    )
    return Group("Fatigue of flexible bodies", tuple(shown))


def _about_rails(project: Project) -> tuple[str, ...]:
    survey = changes.the_track(project).as_built.survey
    return (f"Survey of {len(survey)} stations.",) if survey else ()


def section_page(project: Project, selection: Selection, built: BuiltTrack | None) -> Page:
    """Page of a section; the first element also shows where the track begins."""
    name = selection.path[0]
    track = changes.the_track(project)
    section = section_named(track, name)
    fields = fields_of(
        project,
        lambda p, values: sections.set_section(p, name, values),
        lambda p: section_named(changes.the_track(p), name),
        f"section {name}",
    )
    note, kind = _about(section)
    shown = tuple(_section_field(f, name, built) for f in fields if _section_has(section, f.spec.name))
    groups = [*grouped(shown, (note,))]
    if isinstance(section, Element) and track.sections[0] is section and built is not None:
        groups.append(Group("Where the track begins", _pose_fields(project, name, built)))
    return Page(name, kind, section_icon(section), tuple(groups))


def _section_has(section: Any, field: str) -> bool:
    """A straight that is given by its length has no end to type, and only the first one a start."""
    given = not isinstance(section, StraightSection) or getattr(section, field) is not None
    return given or field not in ("start", "end")


def _section_field(field: Field, name: str, built: BuiltTrack | None) -> Field:
    if field.spec.name == "name":

        def rename(p: Project, value: Any) -> tuple[Project, Selection]:
            return sections.set_section(p, name, {"name": value}), Selection("section", (value,))

        return replace(field, change=rename)
    if field.spec.name == "direction":

        def turn(p: Project, value: Any) -> tuple[Project, Selection]:
            made, there = sections.turn_section(p, name, value)
            return made, Selection("section", (there,))

        return replace(field, change=turn)
    if field.spec.name == "length" and field.spec.entry == "optional":
        return replace(
            field,
            get=lambda p: insertion.straight_length(section_named(changes.the_track(p), name)),  # type: ignore[arg-type]
            change=lambda p, value: (insertion.set_straight_length(p, built, name, value), None),
        )
    return field


def _pose_fields(project: Project, name: str, built: BuiltTrack) -> tuple[Field, ...]:
    def pose(p: Project) -> StartPose:
        section = section_named(changes.the_track(p), name)
        return getattr(section, "pose", None) or pose_at(built, 0.0)

    return fields_of(
        project,
        lambda p, values: insertion.set_start_pose(p, built, name, values),
        pose,
        "the start of the track",
    )


def _about(section: Any) -> tuple[str, str]:
    """A sentence about a section, and its kind in words."""
    if isinstance(section, SplineSection):
        count = len(section.points)
        rolls = (
            f" {len(section.roll_points)} roll points set the cant between them."
            if section.roll_points
            else ""
        )
        again = " It closes the circuit: Track > Close the circuit draws it anew." if section.closing else ""
        note = f"A spline through {count} control points; select them in the Points panel or in 3D.{rolls}{again}"
        return note, "spline section"
    if isinstance(section, StraightSection):
        if section.length is not None:
            return "Exactly straight, in the direction the track has come.", "straight section"
        return "Exactly straight from where the track has come to its end.", "straight section"
    if isinstance(section, TableSection):
        return f"{len(section.positions)} rows of positions, fitted by a smooth curve.", "table section"
    kind = kind_of(section)
    assert kind is not None
    return kind.about, kind.word


def device_page(project: Project, selection: Selection) -> Page:
    """Page of a lift, launch, brake, tyres or station."""
    name = selection.path[0]
    device = device_named(project, name)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        return along_track.set_device(p, name, {"name": value}), Selection("device", (value,))

    names = tuple(s.name for s in changes.the_track(project).sections)
    cars = () if project.train is None else tuple(car.name for car in project.train.children)

    def choices(spec: FieldSpec) -> tuple[str, ...]:
        if spec.entry == "cars":
            return cars
        behind = names[names.index(device.section) + 1 :] if device.section in names else names
        return () if "section" not in spec.refers_to else behind if spec.empty else names

    fields = fields_of(
        project,
        lambda p, values: along_track.set_device(p, name, values),
        lambda p: device_named(p, name),
        name,
        choices,
    )

    def become(p: Project, value: Any) -> tuple[Project, Selection]:
        made, there = along_track.change_device(p, name, value)
        return made, Selection("device", (there,))

    shown = [replace(f, change=rename) if f.spec.name == "name" else f for f in fields]
    shown.insert(
        1,
        Field(
            _KIND, lambda p: device_named(p, name).kind, become, f"Change kind of {name}", tuple(_KIND.words)
        ),
    )
    note = "Has hold of each car while its middle is on it, in the preview and in the multibody run."
    return Page(name, device_kind(device).word, "device", grouped(shown, (note,)))


def device_named(project: Project, name: str) -> Device:
    """The device called `name` of a project that has it."""
    return next(d for d in changes.the_track(project).devices if d.name == name)
