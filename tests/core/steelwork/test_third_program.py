"""A bay and a column that it bends, against PyNite, whose beams do not give in shear (package PyNiteFEA)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.steelwork.members import forces_inside
from ridewright.core.structure.sections import tube
from tests.core.steelwork.frames_in_text import of_text, straight

FORCE, AT = np.array([3e3, -5e3, -2e4]), 3.7  # N, m along the first bay
STIFF = (2e8, 3e8, 5e8, 4e7, 6e7, 8e7)
WAYS = ("DX", "DY", "DZ", "RX", "RY", "RZ")
FRAME = """material, steel, 2.1e11, 8.076923e10, 7850
section, chord, {figures}
node, a, 0, 0, {z}
node, b, 10, 0, {z}
node, c, 20, 0, {z}
node, foot, 11.5, 2, {low}
member, first, a, b, chord, steel
member, second, b, c, chord, steel
member, post, b, foot, chord, steel, 1, 0, 0
support, left, a, fixed
support, foot, foot, {ground}
support, right, c, 1e12, 1e12, 1e12, 0, 0, 0
track, first
track, second
"""


def test_that_a_bay_and_its_column_move_and_bear_as_in_pynite(tmp_path: Path) -> None:
    pynite = pytest.importorskip("Pynite")
    _, z = straight()
    own, low = tube(0.5, 0.02), z - 6.0
    figures = f"{own.area:.17g}, {own.Iy:.17g}, {own.Iz:.17g}, {own.torsion:.17g}, 1e6, 1e6"
    ground = ", ".join(f"{value:g}" for value in STIFF)
    frame = of_text(FRAME.format(figures=figures, z=f"{z:.17g}", low=f"{low:.17g}", ground=ground), tmp_path)
    point = np.array([[AT, 0.0, z]])
    s = np.array([frame.stations[0] + AT / 10.0 * np.diff(frame.stations)[0]])
    beams, loads = frame.loads(s, point, FORCE[None])
    q = frame.factor.solve(frame.vector(beams, loads))

    model = pynite.FEModel3D()
    places = {"a": (0, 0, z), "b": (10, 0, z), "c": (20, 0, z), "foot": (11.5, 2, low)}
    for name, place in places.items():
        model.add_node(name, *map(float, place))
    model.add_material("steel", 2.1e11, 8.076923e10, 0.3, 7850.0)
    model.add_section("chord", own.area, own.Iy, own.Iz, own.torsion)
    ends = {"first": ("a", "b"), "second": ("b", "c"), "post": ("b", "foot")}
    for name, both in ends.items():
        model.add_member(name, *both, "steel", "chord")
    for name, springs in {"a": (1e12,) * 6, "foot": STIFF, "c": (1e12,) * 3}.items():
        for way, stiffness in zip(WAYS, springs, strict=False):
            model.def_support_spring(name, way, stiffness)
    for way, force in zip(("FX", "FY", "FZ"), FORCE, strict=True):
        model.add_member_pt_load("first", way, float(force), AT)
    model.analyze_linear()

    theirs = np.array([[getattr(model.nodes[name], way)["Combo 1"] for way in WAYS] for name in places])
    ours = q[frame.structure.unknowns[[frame.structure.frames[name] for name in places]]]
    for part in (slice(0, 3), slice(3, 6)):
        assert np.abs(ours[:, part] - theirs[:, part]).max() < 1e-6 * np.abs(theirs[:, part]).max()
    inside = forces_inside(frame, q[:, None], beams[:, None], loads[:, None])[..., 0]
    for k, name in enumerate(ends):
        found = np.array(model.members[name].f("Combo 1")).ravel().reshape(2, 6)
        bent, twisted = np.hypot(inside[k, :, 4], inside[k, :, 5]), np.abs(inside[k, :, 3])
        sheared = np.hypot(inside[k, :, 1], inside[k, :, 2])
        assert bent == pytest.approx(np.hypot(found[:, 4], found[:, 5]), rel=1e-6)
        assert sheared == pytest.approx(np.hypot(found[:, 1], found[:, 2]), rel=1e-6)
        assert twisted == pytest.approx(np.abs(found[:, 3]), rel=1e-6, abs=1e-3)
        assert np.abs(inside[k, :, 0]) == pytest.approx(np.abs(found[:, 0]), rel=1e-6)
