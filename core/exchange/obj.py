"""The mesh of a track as Wavefront OBJ, z up.

Source: Wavefront, Appendix B1 of the Advanced Visualizer manual (object files).
"""

from __future__ import annotations

from pathlib import Path

from ..track.build import BuiltTrack
from .base import Format, Report, WriteOptions, write_text
from .mesh import SPACING, Part, parts_for


def _plain(name: str) -> str:
    """A group name without blanks, which OBJ would take for several groups."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name) or "section"


def obj_text(parts: list[Part], title: str) -> str:
    """Wavefront OBJ of parts: one group for every section and material; vertices in m, z up."""
    lines = [f"# {title}: 1 unit = 1 m, z up"]
    base = 1
    for part in parts:
        lines += [f"g {_plain(part.name)}_{part.material}", f"usemtl {part.material}"]
        lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in part.vertices.tolist()]
        lines += [f"vn {x:.5f} {y:.5f} {z:.5f}" for x, y, z in part.normals.tolist()]
        lines += [f"f {a}//{a} {b}//{b} {c}//{c}" for a, b, c in (part.triangles + base).tolist()]
        base += len(part.vertices)
    return "\n".join(lines) + "\n"


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write rails and ties as a Wavefront OBJ with one group for every section; m, z up. Raises InputError."""
    parts, reported = parts_for(built, path, options)
    write_text(path, obj_text(parts, built.track.name.replace("\n", " ")))
    return Report((path,), reported)


FORMAT = Format(
    "obj",
    "Wavefront OBJ mesh",
    (".obj",),
    None,
    write,
    "Rails as tubes and ties as bars, one group a section.",
    SPACING,
)
