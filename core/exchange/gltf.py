"""The mesh of a track as binary glTF 2.0, y up as that format demands.

Source: Khronos Group, glTF 2.0 (2021), sections 3.6 (accessors), 3.7 (meshes), 4.4 (binary layout).
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from ..base.atomic import replacing
from ..track.build import BuiltTrack
from .base import Format, Report, WriteOptions, y_up
from .mesh import SPACING, Part, parts_for

COLOURS = {"rail": (0.65, 0.11, 0.13), "tie": (0.55, 0.57, 0.60)}
MAGIC, VERSION = 0x46546C67, 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963
FLOAT, UNSIGNED_INT = 5126, 5125


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
    return binary_gltf(document, bytes(blob))


def binary_gltf(document: dict[str, Any], blob: bytes) -> bytes:
    """A binary glTF of its document and its one buffer, whose length is a multiple of 4."""
    text = json.dumps(document, ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(blob)
    head = struct.pack("<III", MAGIC, VERSION, total) + struct.pack("<II", len(text), JSON_CHUNK)
    return head + text + struct.pack("<II", len(blob), BINARY_CHUNK) + blob


def write(built: BuiltTrack, path: Path, options: WriteOptions) -> Report:
    """Write rails and ties as a binary glTF with one node for every section; m, y up. Raises InputError."""
    parts, reported = parts_for(built, path, options)
    content = glb_bytes(parts, built.track.name)
    with replacing(path) as part:
        part.write_bytes(content)
    return Report((path,), reported)


FORMAT = Format(
    "gltf",
    "glTF 2.0 mesh",
    (".glb",),
    None,
    write,
    "Rails as tubes and ties as bars, one node a section, with colours.",
    SPACING,
)
