"""A finished frame as a table, one record a line: what it is in the first cell, then names and figures in SI.

    material, name, E, G, density
    tube, name, diameter, wall                                     a section
    section, name, area, Iy, Iz, torsion, shear_y, shear_z[, twist]
    fibre, section, y, z[, radius]                                 where its stress is asked for, four at most
    node, name, x, y, z
    member, name, start, end, section, material[, up x, y, z[, arm at the start x, y, z, at the end x, y, z[, elements
        [, slides]]]]                                              a line all the same
    support, name, node, kx, ky, kz, about x, y, z                 or: support, name, node, fixed
    track, member                                                  in running order

Besides these what is no beam: meshes of solids, or matrices (`frame_bodies`). Commas or semicolons; lines that begin
with # are left out. Names stand before what names them or behind it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from ..base.delimited import cells_of, lines_of, number_of, text_of
from ..base.errors import InputError
from ..base.wording import spoken
from ..structure.sections import tube
from ..track.finished_frame import NOWHERE, FinishedFrame
from .frame_bodies import KINDS, Bodies

LARGEST = 32 * 10**6
FIXED = 1e12  # N/m and N m/rad
NAMES: Final = {
    "material": 1, "tube": 1, "section": 1, "fibre": 1, "node": 1, "member": 5, "support": 2, "track": 1,
}  # fmt: skip
FIGURES: Final = {
    "material": (3,), "tube": (2,), "section": (6, 7), "fibre": (2, 3), "node": (3,), "member": (0, 3, 9, 10, 11),
    "support": (6,), "track": (0,),
}  # fmt: skip
SECTION = ("area", "Iy", "Iz", "torsion", "shear_y", "shear_z", "twist")


def read_frame(file: Path) -> FinishedFrame:
    """The frame of a file. Raises InputError naming the file and the line for what is no such record, and for parts
    that do not fit together."""
    text = text_of(file, LARGEST, "a frame: a record a line, such as: node, name, x, y, z")
    found: dict[str, list[tuple[int, list[str], list[float]]]] = {kind: [] for kind in NAMES}
    bodies = Bodies(file.parent)
    for number, line in lines_of(text):
        place = f"{file}, line {number}"
        separator = next((one for one in (";", "\t", ",") if one in line), ",")
        try:
            cells = [cell.strip() for cell in cells_of(line, separator)]
        except InputError as error:
            raise InputError(f"{place}: {error.said}") from None
        while cells and not cells[-1]:
            cells.pop()
        if cells and cells[0].lower() in KINDS:
            bodies.take(cells, partial(_number, separator=separator, place=place), place)
            continue
        kind, names, figures = _record(cells, separator, place)
        found[kind].append((number, names, figures))
    data: dict[str, Any] = _data(found, file)
    data["bodies"] = bodies.data({one["name"]: one["position"] for one in data["nodes"]})
    try:
        return FinishedFrame.model_validate(data)
    except ValidationError as error:
        raise InputError(_with_line(spoken(error, str(file)), file, found)) from None


def _with_line(said: str, file: Path, found: dict[str, list[tuple[int, list[str], list[float]]]]) -> str:
    """What is wrong with a field, with the line of the record that has it in place of its number in a list."""
    listed = {
        "nodes": found["node"], "materials": found["material"], "sections": found["tube"] + found["section"],
        "members": found["member"], "supports": found["support"],
    }  # fmt: skip
    for name, records in listed.items():
        for k, (number, _, _) in enumerate(records):
            said = said.replace(f"{file}: {name}.{k}.", f"{file}, line {number}: ")
    return said


def _record(cells: Sequence[str], separator: str, place: str) -> tuple[str, list[str], list[float]]:
    kind = cells[0].lower() if cells else ""
    if kind not in NAMES:
        raise InputError(
            f"{place}: '{kind}' is no record of a frame; begin with one of {', '.join((*NAMES, *KINDS))}."
        )
    count = NAMES[kind]
    names, rest = list(cells[1 : 1 + count]), list(cells[1 + count :])
    if len(names) < count or not all(names):
        raise InputError(f"{place}: a {kind} has {count} name{'s' if count > 1 else ''}; found {len(names)}.")
    if kind == "support" and [one.lower() for one in rest] == ["fixed"]:
        return kind, names, [FIXED] * 6
    figures = []
    for cell in rest:
        figures.append(_number(cell, separator, place))
    if len(figures) not in FIGURES[kind]:
        wanted = " or ".join(map(str, FIGURES[kind]))
        raise InputError(f"{place}: a {kind} has {wanted} figures behind its names; found {len(figures)}.")
    return kind, names, figures


def _number(cell: str, separator: str, place: str) -> float:
    value = number_of(cell, separator)
    if value is None:
        raise InputError(f"{place}: '{cell}' is no number.")
    return value


def _data(
    found: dict[str, list[tuple[int, list[str], list[float]]]], file: Path
) -> dict[str, list[dict[str, Any]] | list[str]]:
    """The fields of the frame."""
    fibres: dict[str, list[tuple[float, ...]]] = {}
    for _, (name,), values in found["fibre"]:
        fibres.setdefault(name, []).append((*values, 0.0)[:3])
    sections: list[dict[str, Any]] = []
    for number, (name,), (diameter, wall) in found["tube"]:
        try:
            made = tube(diameter, wall)
        except InputError as error:
            raise InputError(f"{file}, line {number}: {error.said}") from None
        own = {field: getattr(made, field) for field in SECTION}
        sections.append({"name": name, "fibres": fibres.pop(name, [(0.0, 0.0, 0.5 * diameter)]), **own})
    for _, (name,), values in found["section"]:
        own = {"fibres": fibres.pop(name)} if name in fibres else {}
        sections.append({"name": name, **own, **dict(zip(SECTION, values, strict=False))})
    if fibres:
        raise InputError(f"{file}: there is no section '{next(iter(fibres))}' that a fibre is of; add it.")
    return {
        "nodes": [{"name": name, "position": tuple(at)} for _, (name,), at in found["node"]],
        "materials": [
            dict(zip(("name", "E", "G", "density"), (name, *values), strict=True))
            for _, (name,), values in found["material"]
        ],
        "sections": sections,
        "members": [_member(names, values) for _, names, values in found["member"]],
        "supports": [
            {"name": name, "node": node, "stiffness": tuple(values)}
            for _, (name, node), values in found["support"]
        ],
        "track": [name for _, (name,), _ in found["track"]],
    }


def _member(names: Sequence[str], values: Sequence[float]) -> dict[str, Any]:
    up, arms, rest = values[:3] or (0.0, 0.0, 1.0), values[3:9] or NOWHERE * 2, values[9:]
    elements, slides = (*rest, *(1.0, 0.0)[len(rest) :])
    return {  # what is no whole number, or neither 0 nor 1, is refused there
        **dict(zip(("name", "start", "end", "section", "material"), names, strict=True)),
        "up": tuple(up), "start_arm": tuple(arms[:3]), "end_arm": tuple(arms[3:]), "elements": elements,
        "slides": slides,
    }  # fmt: skip


def frame_csv(frame: FinishedFrame) -> str:
    """A frame as `read_frame` takes it."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    for one in frame.materials:
        write(["material", one.name, one.E, one.G, one.density])
    for section in frame.sections:
        write(["section", section.name, *(getattr(section, field) for field in SECTION)])
        for fibre in section.fibres:
            write(["fibre", section.name, *fibre])
    for node in frame.nodes:
        write(["node", node.name, *node.position])
    for member in frame.members:
        names = (member.name, member.start, member.end, member.section, member.material)
        arms = (*member.up, *member.start_arm, *member.end_arm)
        write(["member", *names, *arms, member.elements, int(member.slides)])
    for held in frame.supports:
        write(["support", held.name, held.node, *held.stiffness])
    for name in frame.track:
        write(["track", name])
    for body in frame.bodies:
        write(["body", body.name, *body.nodes])
        for kind, rows in (("stiffness", body.stiffness), ("mass", body.mass)):
            for row in rows:
                write([kind, body.name, *row])
    return out.getvalue()
