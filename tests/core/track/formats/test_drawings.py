"""Drawings for other programs: DXF read back by ezdxf, meshes against closed forms and their own structure, profile."""

from __future__ import annotations

import csv
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.exchange import WriteOptions, export_track
from ridewright.core.exchange.mesh import (
    AROUND,
    RAIL_RADIUS,
    TIE_HEIGHT,
    TIE_SPACING,
    TIE_WIDTH,
    Part,
    track_parts,
)
from ridewright.core.exchange.profile_csv import SHAPE
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track


def ring(radius: float = 15.0) -> BuiltTrack:
    """A closed level circle, counter-clockwise from above, unbanked, in two sections of different names."""
    a = 2.0 * np.pi * np.arange(24) / 24
    points = [{"x": radius * np.cos(b), "y": radius * np.sin(b), "z": 4.0, "cant": 0.0} for b in a]
    sections = [
        {"kind": "spline", "name": "first, half", "points": points[:12]},
        {"kind": "spline", "name": 'zwei "Hälfte"', "points": points[12:]},
    ]
    return build_track(
        Track.model_validate({"name": "ring", "closed": True, "sections": sections}), ride=False
    )


# DXF --------------------------------------------------------------------------------------------------------------


def test_that_ezdxf_reads_the_lines_back(joined: BuiltTrack, tmp_path: Path) -> None:
    """Layers, names and every vertex, read by an independent library; the lines lie where the frames say."""
    ezdxf = pytest.importorskip("ezdxf")
    report = export_track(joined, tmp_path / "t.dxf", WriteOptions(spacing=0.7, heartline=1.4))
    drawing = ezdxf.readfile(tmp_path / "t.dxf")
    assert drawing.dxfversion == "AC1009"
    assert not drawing.audit().has_errors
    model = drawing.modelspace()
    lines = {line.dxf.layer: line for line in model.query("POLYLINE")}
    assert set(lines) == {"CENTRELINE", "LEFT_RAIL", "RIGHT_RAIL", "HEARTLINE"}
    points = {layer: np.array([tuple(p) for p in line.points()]) for layer, line in lines.items()}
    assert all(line.is_3d_polyline and not line.is_closed for line in lines.values())
    assert np.allclose(np.linalg.norm(points["LEFT_RAIL"] - points["RIGHT_RAIL"], axis=1), 1.0, atol=2e-6)
    assert np.allclose(np.linalg.norm(points["HEARTLINE"] - points["CENTRELINE"], axis=1), 1.4, atol=2e-6)
    steps = np.linalg.norm(np.diff(points["CENTRELINE"], axis=0), axis=1)
    assert steps.max() <= 0.7 + 1e-6
    assert steps.sum() == pytest.approx(joined.length, rel=1e-3)
    middle = 0.5 * (points["LEFT_RAIL"] + points["RIGHT_RAIL"])
    assert np.abs(middle - points["CENTRELINE"]).max() < 2e-6
    names = {text.dxf.text: np.array(tuple(text.dxf.insert)) for text in model.query("TEXT")}
    for span in joined.sections:
        assert np.allclose(names[span.name], joined.centreline.position([span.s0])[0], atol=1e-6)
    ties = model.query("LINE[layer=='TIES']")
    assert len(ties) == int(joined.length) + 1
    assert all((tie.dxf.end - tie.dxf.start).magnitude == pytest.approx(1.0, abs=1e-5) for tie in ties)
    assert report.files == (tmp_path / "t.dxf",)


def test_that_a_closed_track_gives_closed_polylines_and_plain_names(tmp_path: Path) -> None:
    ezdxf = pytest.importorskip("ezdxf")
    report = export_track(ring(), tmp_path / "t.dxf", WriteOptions(spacing=1.0))
    model = ezdxf.readfile(tmp_path / "t.dxf").modelspace()
    assert all(line.is_closed for line in model.query("POLYLINE"))
    assert (tmp_path / "t.dxf").read_bytes().isascii()
    left = next(line for line in model.query("POLYLINE") if line.dxf.layer == "LEFT_RAIL")
    radii = [float(np.hypot(p.x, p.y)) for p in left.points()]
    assert np.allclose(radii, 14.5, atol=2e-3)  # the left rail of a left turn is the inner one
    # sagitta of the outer rail: chord c = 15.5 sin-wise of 1 m of centreline, R (1 - cos(a / 2))
    stated = float(report.sentences[1].split("at most ")[1].split(" mm")[0])
    count = len(radii)
    assert stated == pytest.approx(15500.0 * (1.0 - np.cos(np.pi / count)), rel=0.05)


# meshes -----------------------------------------------------------------------------------------------------------


def volume(part: Part) -> float:
    """Signed volume of closed, outward oriented surfaces: sum of the tetrahedra over the triangles."""
    a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def test_that_the_tubes_and_ties_hold_the_volume_they_should() -> None:
    """A straight track: two closed prisms with a regular polygon as section, and boxes; outward normals."""
    track = Track.model_validate(
        {"name": "s", "gauge": 1.2, "sections": [
            {"kind": "straight", "name": "a", "start": [1, 2, 3], "end": [9, 8, 5], "cant": 0.3}]}
    )  # fmt: skip
    built = build_track(track, ride=False)
    rail, tie = track_parts(built, 0.5)
    polygon = 0.5 * AROUND * RAIL_RADIUS**2 * np.sin(2.0 * np.pi / AROUND)
    assert (rail.material, tie.material) == ("rail", "tie")
    assert volume(rail) == pytest.approx(2.0 * polygon * built.length, rel=1e-9)
    count = len(tie.vertices) // 24
    assert count == int(np.ceil(built.length / TIE_SPACING))
    assert volume(tie) == pytest.approx(count * TIE_WIDTH * TIE_HEIGHT * (1.2 + 2.0 * RAIL_RADIUS), rel=1e-9)
    for part in (rail, tie):
        a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        face = np.cross(b - a, c - a)
        given = part.normals[part.triangles].mean(axis=1)
        assert np.all(np.sum(face * given, axis=1) > 0.0)
        assert np.allclose(np.linalg.norm(part.normals, axis=1), 1.0)


def test_that_the_tops_of_the_tubes_are_the_rails(general: BuiltTrack) -> None:
    parts = [part for part in track_parts(general, 0.5) if part.material == "rail"]
    vertices = np.concatenate([part.vertices for part in parts]).reshape(-1, AROUND, 3)
    middle = vertices.mean(axis=1)
    half = len(middle) // 2
    s = np.linspace(0.0, general.length, half)
    state = general.centreline.state(s)
    for rings, side in ((middle[:half], 0.55), (middle[half:], -0.55)):
        rail = state.curve[:, 0] + side * state.left
        assert np.allclose(np.linalg.norm(rings - rail, axis=1), RAIL_RADIUS, atol=1e-9)
        assert np.all(np.sum((rail - rings) * state.up, axis=1) > 0.9 * RAIL_RADIUS)


def read_glb(path: Path) -> tuple[dict, bytes]:
    """Document and binary chunk of a binary glTF, with every rule of its layout checked."""
    raw = path.read_bytes()
    magic, version, total = struct.unpack_from("<4sII", raw, 0)
    assert (magic, version, total) == (b"glTF", 2, len(raw))
    size, kind = struct.unpack_from("<I4s", raw, 12)
    assert (kind, size % 4) == (b"JSON", 0)
    document = json.loads(raw[20 : 20 + size])
    length, kind = struct.unpack_from("<I4s", raw, 20 + size)
    assert (kind, length % 4) == (b"BIN\0", 0)
    blob = raw[28 + size :]
    assert len(blob) == length == document["buffers"][0]["byteLength"]
    return document, blob


def accessor(document: dict, blob: bytes, index: int) -> np.ndarray:
    entry = document["accessors"][index]
    view = document["bufferViews"][entry["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4"}[entry["componentType"]]
    wide = {"VEC3": 3, "SCALAR": 1}[entry["type"]]
    assert view["byteOffset"] % 4 == 0
    data = np.frombuffer(blob, kind, entry["count"] * wide, view["byteOffset"])
    assert data.nbytes == view["byteLength"]
    return data.reshape(-1, wide)


def test_that_a_glb_holds_one_node_a_section_with_the_mesh_turned_to_y_up(tmp_path: Path) -> None:
    built = ring()
    export_track(built, tmp_path / "t.glb")
    document, blob = read_glb(tmp_path / "t.glb")
    assert [node["name"] for node in document["nodes"]] == [span.name for span in built.sections]
    parts = track_parts(built, 0.5)
    primitives = [p for mesh in document["meshes"] for p in mesh["primitives"]]
    assert len(primitives) == len(parts)
    for primitive, part in zip(primitives, parts, strict=True):
        assert document["materials"][primitive["material"]]["name"] == part.material
        position = accessor(document, blob, primitive["attributes"]["POSITION"])
        x, y, z = part.vertices.T
        assert np.allclose(position, np.stack([x, z, -y], axis=-1), atol=1e-5)
        ends = document["accessors"][primitive["attributes"]["POSITION"]]
        assert np.allclose([ends["min"], ends["max"]], [position.min(axis=0), position.max(axis=0)])
        normal = accessor(document, blob, primitive["attributes"]["NORMAL"])
        assert np.allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-6)
        assert np.array_equal(accessor(document, blob, primitive["indices"]).ravel(), part.triangles.ravel())


def test_that_an_obj_holds_the_same_mesh_with_groups_of_plain_names(tmp_path: Path) -> None:
    built = ring()
    export_track(built, tmp_path / "t.obj")
    lines = (tmp_path / "t.obj").read_text().splitlines()
    groups = [line.split()[1:] for line in lines if line.startswith("g ")]
    assert groups == [
        ["first__half_rail"],
        ["first__half_tie"],
        ["zwei__Hälfte__rail"],
        ["zwei__Hälfte__tie"],
    ]
    vertices = np.array([line.split()[1:] for line in lines if line.startswith("v ")], dtype=float)
    faces = np.array(
        [[cell.split("//") for cell in line.split()[1:]] for line in lines if line.startswith("f ")]
    )
    parts = track_parts(built, 0.5)
    assert np.allclose(vertices, np.concatenate([part.vertices for part in parts]), atol=1e-6)
    assert np.array_equal(faces[:, :, 0], faces[:, :, 1])
    corners = vertices[faces[:, :, 0].astype(int) - 1]
    expected = np.concatenate([part.vertices[part.triangles] for part in parts])
    assert np.allclose(corners, expected, atol=1e-6)


# profile ----------------------------------------------------------------------------------------------------------


def profile_rows(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return list(rows[0]), rows


def test_that_the_profile_of_a_helix_has_its_curvature_torsion_and_slope(tmp_path: Path) -> None:
    """Closed forms: curvature r / (r^2 + c^2), torsion c / (r^2 + c^2), slope atan(c / r) for pitch 2 pi c."""
    r, c = 14.0, 1.5
    a = np.linspace(0.0, 4.0, 90)
    points = [{"x": r * np.cos(b), "y": r * np.sin(b), "z": c * b, "cant": -0.2} for b in a]
    track = Track.model_validate(
        {"name": "h", "sections": [{"kind": "spline", "name": "h", "points": points}]}
    )
    export_track(build_track(track, ride=False), tmp_path / "h.profile.csv")
    header, rows = profile_rows(tmp_path / "h.profile.csv")
    assert header == ["section", *SHAPE]
    inner = rows[20:-20]
    column = {name: np.array([float(row[name]) for row in inner]) for name in SHAPE}
    assert np.allclose(column["curvature_per_m"], r / (r * r + c * c), rtol=1e-4)
    assert np.allclose(column["torsion_per_m"], c / (r * r + c * c), rtol=1e-3)
    assert np.allclose(column["slope_rad"], np.arctan(c / r), atol=1e-5)
    assert np.allclose(column["cant_rad"], -0.2, atol=1e-6)
    lateral, vertical = column["curvature_lateral_per_m"], column["curvature_vertical_per_m"]
    assert np.all(lateral > 0.0)  # a turn to the left
    assert np.allclose(np.hypot(lateral, vertical), column["curvature_per_m"], rtol=1e-6)
    assert np.allclose(np.diff(column["s_m"]), np.diff(column["s_m"])[0])


def test_that_a_ride_is_put_next_to_the_profile(tmp_path: Path) -> None:
    built = ring()
    s = np.linspace(3.0, 80.0, 60)
    ride = {"s": s, "speed_m_per_s": 10.0 + 0.1 * s, "g_vertical": np.cos(s)}
    export_track(built, tmp_path / "r.profile.csv", WriteOptions(ride=ride))
    header, rows = profile_rows(tmp_path / "r.profile.csv")
    assert header[-2:] == ["speed_m_per_s", "g_vertical"]
    for row in rows:
        at = float(row["s_m"])
        if 3.0 <= at <= 80.0:
            assert float(row["speed_m_per_s"]) == pytest.approx(10.0 + 0.1 * at, rel=1e-8)
        else:
            assert row["speed_m_per_s"] == ""
    assert {row["section"] for row in rows} == {"first, half", 'zwei "Hälfte"'}
    for bad, message in (
        ({"v": s}, "no column 's'"),
        ({"s": s[::-1], "v": s}, "must rise"),
        ({"s": s, "v": s[:-1]}, "'v' of the ride has 59 values but there are 60"),
    ):
        with pytest.raises(InputError, match=message):
            export_track(built, tmp_path / "r.profile.csv", WriteOptions(ride=bad))
