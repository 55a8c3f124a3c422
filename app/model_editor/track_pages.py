"""Inspector pages of the track: the project with its track, sections of every kind, devices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.document.selection import Selection
from app.model_editor.field_book import FieldSpec, specs_of
from app.model_editor.page import Field, Group, Page, plain
from core.edits import along_track, changes, insertion, sections
from core.edits.elements_track import pose_at
from core.edits.places import section_named
from core.project.point_settings import PointRideSettings
from core.project.point_train import ridden_settings
from core.project.project import Project
from core.track.build import BuiltTrack
from core.track.description import Clearance, SplineSection, StraightSection, TableSection, Track
from core.track.devices import Device, Launch
from core.track.elements import Element, ForceSection, StartPose
from core.track.elements.catalogue import ELEMENTS
from core.track.heartline import Heartline

DEVICE_WORDS = {
    "station": "station",
    "chain_lift": "chain lift",
    "launch": "launch",
    "trim_brake": "trim brake",
    "block_brake": "block brake",
    "drive_tyres": "drive tyres",
}
LAUNCH_UNITS = {"acceleration": "m/s^2", "force": "N", "power": "W"}


def project_page(project: Project) -> Page:
    """Page of the project: its track, the room around it, the heartline, the point ride of the preview."""
    own = tuple(plain(s, changes.set_project, lambda p: p, "project") for s in specs_of("project", Project))
    groups = [Group("Project", own)]
    if project.track is None:
        note = "This project has no track. Track > Insert element begins one."
        groups.append(Group("Track", (), (note,)))
        return Page(project.name, "project", "track", tuple(groups))
    track = tuple(plain(s, changes.set_track, changes.the_track, "track") for s in specs_of("track", Track))
    groups.append(Group("Track", track))
    room = tuple(
        plain(s, changes.set_clearance, lambda p: changes.the_track(p).clearance, "clearance envelope")
        for s in specs_of("clearance", Clearance)
    )
    groups.append(Group("Room around the track", room))
    height = tuple(
        plain(s, along_track.set_heartline, lambda p: changes.the_track(p).heartline, "the heartline")
        for s in specs_of("heartline", Heartline)
    )
    varies = changes.the_track(project).heartline.points
    text = f"It varies over {len(varies)} places; see Track > Heartline." if varies else ""
    groups.append(Group("Heartline", height, (text,) if text else ()))

    ride = tuple(
        plain(s, changes.set_point_ride, ridden_settings, "the point ride")
        for s in specs_of("point_ride", PointRideSettings)
    )
    groups.append(Group("Point ride of the preview", ride))
    return Page(project.name, "project", "track", tuple(groups))


def section_page(project: Project, selection: Selection, built: BuiltTrack | None) -> Page:
    """Page of a section; the first element also shows where the track begins."""
    name = selection.path[0]
    track = changes.the_track(project)
    section = section_named(track, name)
    group = f"element_{section.kind}" if isinstance(section, Element) else "section"
    fields = tuple(
        _section_field(spec, name, built)
        for spec in specs_of(group, type(section))
        if _section_has(section, spec.name)
    )
    note, kind = _about(section)
    groups = [Group("", tuple(_fitted(section, f) for f in fields), (note,))]
    if isinstance(section, Element) and track.sections[0] is section and built is not None:
        groups.append(Group("Where the track begins", _pose_fields(name, built)))
    return Page(name, kind, section_icon(section), tuple(groups))


def section_icon(section: Any) -> str:
    """Name of the icon of a section's kind."""
    if isinstance(section, Element):
        return next((e.icon for e in ELEMENTS if e.model is type(section)), "section")
    return {"spline": "points", "straight": "element-straight"}.get(section.kind, "section")


def _section_has(section: Any, field: str) -> bool:
    if isinstance(section, StraightSection):
        if field in ("start", "end"):
            return getattr(section, field) is not None
        return True
    return not (isinstance(section, TableSection) and field == "cant")


def _section_field(spec: FieldSpec, name: str, built: BuiltTrack | None) -> Field:
    field = plain(
        spec,
        lambda p, values: sections.set_section(p, name, values),
        lambda p: section_named(changes.the_track(p), name),
        f"section {name}",
    )
    if spec.name == "name":

        def rename(p: Project, value: Any) -> tuple[Project, Selection]:
            return sections.set_section(p, name, {"name": value}), Selection("section", (value,))

        return replace(field, change=rename)
    if spec.name == "length" and spec.type == "optional":
        return replace(
            field,
            get=lambda p: insertion.straight_length(section_named(changes.the_track(p), name)),  # type: ignore[arg-type]
            change=lambda p, value: (insertion.set_straight_length(p, built, name, value), None),
        )
    return field


def _fitted(section: Any, field: Field) -> Field:
    """The extent of a force section in the unit its keys count."""
    if isinstance(section, ForceSection) and field.spec.name == "extent":
        unit = "s" if section.over == "time" else "m"
        return replace(field, spec=replace(field.spec, unit=unit))
    return field


def _pose_fields(name: str, built: BuiltTrack) -> tuple[Field, ...]:
    def pose(p: Project) -> StartPose:
        section = section_named(changes.the_track(p), name)
        return getattr(section, "pose", None) or pose_at(built, 0.0)

    return tuple(
        plain(
            spec,
            lambda p, values: insertion.set_start_pose(p, built, name, values),
            pose,
            "the start of the track",
        )
        for spec in specs_of("start_pose", StartPose)
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
        note = f"A spline through {count} control points; select them in the Points panel or in 3D.{rolls}"
        return note, "spline section"
    if isinstance(section, StraightSection):
        if section.length is not None:
            return "Exactly straight, in the direction the track has come.", "straight section"
        return "Exactly straight from where the track has come to its end.", "straight section"
    if isinstance(section, TableSection):
        return f"{len(section.positions)} rows of positions, fitted by a smooth curve.", "table section"
    if isinstance(section, ForceSection):
        note = "Drawn by what the riders feel. Edit its curves in the Forces panel."
        return note, "force section"
    note = "It begins where the track has come to and goes on as its numbers say."
    return note, section.kind.replace("_", " ")


def device_page(project: Project, selection: Selection) -> Page:
    """Page of a lift, launch, brake, tyres or station."""
    name = selection.path[0]
    device = device_named(project, name)

    def rename(p: Project, value: Any) -> tuple[Project, Selection]:
        return along_track.set_device(p, name, {"name": value}), Selection("device", (value,))

    names = tuple(s.name for s in changes.the_track(project).sections)
    fields = []
    for spec in specs_of(device.kind, type(device)):
        shown = spec
        if spec.name == "section":
            shown = replace(spec, type="choice")
        elif isinstance(device, Launch) and spec.name == "value":
            shown = replace(spec, unit=LAUNCH_UNITS[device.mode])
        field = plain(
            shown,
            lambda p, values: along_track.set_device(p, name, values),
            lambda p: device_named(p, name),
            name,
            names if spec.name == "section" else (),
        )
        fields.append(replace(field, change=rename) if spec.name == "name" else field)
    note = "Drives or slows the train while its middle is on it, in the preview and in the multibody run."
    return Page(name, DEVICE_WORDS[device.kind], "device", (Group("", tuple(fields), (note,)),))


def device_named(project: Project, name: str) -> Device:
    """The device called `name` of a project that has it."""
    return next(d for d in changes.the_track(project).devices if d.name == name)
