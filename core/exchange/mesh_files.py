"""The mesh of a track as Wavefront OBJ (z up) and as binary glTF 2.0 (y up, as that format demands).

Sources: Wavefront, Appendix B1 of the Advanced Visualizer manual (object files); Khronos Group, glTF 2.0 (2021),
sections 3.6 (accessors), 3.7 (meshes), 4.4 (binary layout).
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ..base.atomic import replacing
from ..track.build import BuiltTrack
from .common import Report, WriteOptions, naming_section, spacing_of, write_text, y_up
from .dxf import chord_error
from .mesh import Part, track_parts

SPACING = 0.5  # m
COLOURS = {"rail": (0.65, 0.11, 0.13), "tie": (0.55, 0.57, 0.60)}
MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963
FLOAT, UNSIGNED_INT = 5126, 5125


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


def glb_bytes(parts: list[Part], title: str) -> bytes:
    """Binary glTF of parts: a node for every section with a mesh of its materials; m, y up."""
    blob, views, accessors = bytearray(), [], []

    def accessor(data: Any, target: int, component: int, kind: str, ends: dict[str, Any]) -> int:
        raw = data.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(raw), "target": target})
        blob.extend(raw + b"\0" * (-len(raw) % 4))
        accessors.append(
            {"bufferView": len(views) - 1, "componentType": component, "count": len(data), "type": kind}
            | ends
        )
        return len(accessors) - 1

    materials = sorted({part.material for part in parts})
    meshes: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        vertices = y_up(part.vertices).astype("<f4")
        ends = {"min": vertices.min(axis=0).tolist(), "max": vertices.max(axis=0).tolist()}
        normals = y_up(part.normals)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        indices = part.triangles.astype("<u4").ravel()
        meshes.setdefault(part.name, []).append(
            {
                "attributes": {
                    "POSITION": accessor(vertices, ARRAY_BUFFER, FLOAT, "VEC3", ends),
                    "NORMAL": accessor(normals.astype("<f4"), ARRAY_BUFFER, FLOAT, "VEC3", {}),
                },
                "indices": accessor(indices, ELEMENT_BUFFER, UNSIGNED_INT, "SCALAR", {}),
                "material": materials.index(part.material),
            }
        )
    document = {
        "asset": {"version": "2.0", "generator": "Ridewright"},
        "scene": 0,
        "scenes": [{"name": title, "nodes": list(range(len(meshes)))}],
        "nodes": [{"name": name, "mesh": k} for k, name in enumerate(meshes)],
        "meshes": [{"name": name, "primitives": primitives} for name, primitives in meshes.items()],
        "materials": [
            {
                "name": name,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*COLOURS[name], 1.0],
                    "metallicFactor": 0.4,
                    "roughnessFactor": 0.5,
                },
            }
            for name in materials
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(blob)}],
    }
    text = json.dumps(document, ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(blob)
    head = struct.pack("<III", MAGIC, VERSION, total) + struct.pack("<II", len(text), JSON_CHUNK)
    return head + text + struct.pack("<II", len(blob), BINARY_CHUNK) + bytes(blob)


def _parts(built: BuiltTrack, path: Path, options: WriteOptions) -> tuple[list[Part], tuple[str, ...]]:
    spacing = spacing_of(options, SPACING, built)
    with naming_section(built, str(path)):
        parts = track_parts(built, spacing)
    s = np.linspace(0.0, built.length, max(2, int(np.ceil(built.length / spacing)) + 1))
    error, at = chord_error(built, s[:-1] if built.track.closed else s)
    count = sum(len(part.triangles) for part in parts)
    return parts, (
        f"{count} triangles in {len(built.sections)} sections, rings about {spacing:g} m apart.",
        f"The axes of the tubes lie at most {error * 1000:.2f} mm off the rails between rings (at s = {at:.1f} m).",
    )


def write_obj(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write rails and ties as a Wavefront OBJ with one group for every section; m, z up. Raises InputError."""
    parts, told = _parts(built, path, options)
    write_text(path, obj_text(parts, built.track.name.replace("\n", " ")))
    return Report((path,), told)


def write_glb(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write rails and ties as a binary glTF with one node for every section; m, y up. Raises InputError."""
    parts, told = _parts(built, path, options)
    content = glb_bytes(parts, built.track.name)
    with replacing(path) as part:
        part.write_bytes(content)
    return Report((path,), told)
