"""The envelope as a body, and where it is in the ground: closed forms on straights and a ring."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.check import check_track
from ridewright.core.track.description import Clearance, ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.envelope import envelope_mesh, envelope_rings, ground_stretches
from ridewright.core.track.site import HeightField, Site

BOX = Clearance(half_width=1.0, height_above=2.0, depth_below=0.5)


def straight(z: float, site: Site, length: float = 200.0, cant: float = 0.0) -> BuiltTrack:
    run = StraightSection(name="run", start=(-0.5 * length, 3.0, z), end=(0.5 * length, 3.0, z), cant=cant)
    return build_track(Track(name="t", sections=(run,), site=site, clearance=BOX), ride=False)


def ring(radius: float) -> BuiltTrack:
    angles = 2.0 * np.pi * np.arange(24) / 24
    points = tuple(
        ControlPoint(x=radius * np.cos(a), y=radius * np.sin(a), z=0.0, cant=0.0) for a in angles.tolist()
    )
    track = Track(name="t", closed=True, sections=(SplineSection(name="a", points=points),), clearance=BOX)
    return build_track(track, ride=False)


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Of a closed body of quadrilaterals, by the divergence theorem on their triangles."""
    triangles = np.vstack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.sum(np.cross(a, b) * c) / 6.0)


def test_that_the_body_of_a_straight_has_the_volume_of_its_box() -> None:
    vertices, faces = envelope_mesh(straight(5.0, Site(), cant=0.4), 20.0, 60.0)
    assert abs(volume(vertices, faces)) == pytest.approx(2.0 * 2.5 * 40.0, rel=1e-9)


def test_that_the_body_of_a_ring_obeys_pappus() -> None:
    built = ring(30.0)
    vertices, faces = envelope_mesh(built, 0.0, built.length)
    assert abs(volume(vertices, faces)) == pytest.approx(2.0 * 2.5 * 2.0 * np.pi * 30.0, rel=1e-3)
    wide, _ = envelope_mesh(built, 0.0, built.length, margin=0.4)
    assert np.hypot(wide[:, 0], wide[:, 1]).max() == pytest.approx(31.4, abs=1e-3)


def test_that_corners_stand_in_the_canted_frame() -> None:
    built = straight(5.0, Site(), cant=np.pi / 6)
    low_left, low_right, high_right, _ = envelope_rings(built, np.array([10.0]))[0]
    left, up = np.array([0.0, np.cos(np.pi / 6), 0.5]), np.array([0.0, -0.5, np.cos(np.pi / 6)])
    centre = np.array([-90.0, 3.0, 5.0])
    assert low_left == pytest.approx(centre + left - 0.5 * up)
    assert low_right == pytest.approx(centre - left - 0.5 * up)
    assert high_right == pytest.approx(centre - left + 2.0 * up)


def hill(height: float) -> Site:
    """A ridge across the track: height * (1 - |x| / 40) above 0, straight along y."""
    x = np.arange(-100.0, 101.0, 5.0)
    row = tuple(np.maximum(0.0, height * (1.0 - np.abs(x) / 40.0)).tolist())
    return Site(level=0.0, field=HeightField(corner=(-100.0, -100.0), spacing=5.0, rows=(row,) * 41))


def test_that_a_tunnel_through_a_ridge_is_as_long_as_the_ridge_is_wide() -> None:
    z, height = 3.0, 12.0
    (stretch,) = ground_stretches(straight(z, hill(height)))
    # the lower edge (z - 0.5) enters where the slope is that high
    reach = 40.0 * (1.0 - (z - 0.5) / height)
    assert stretch.kind == "tunnel"
    assert stretch.s0 == pytest.approx(100.0 - reach, abs=0.6)
    assert stretch.length == pytest.approx(2.0 * reach, abs=1.1)
    assert stretch.deepest == pytest.approx(height - (z - 0.5), abs=0.2)


def test_that_a_low_ridge_makes_a_cutting_and_open_ground_nothing() -> None:
    (stretch,) = ground_stretches(straight(3.0, hill(4.0)))
    assert stretch.kind == "cutting"
    assert not ground_stretches(straight(3.0, hill(2.0)))
    assert not ground_stretches(straight(-50.0, Site()))
    assert [s.kind for s in ground_stretches(straight(-9.0, Site(level=0.0)))] == ["tunnel"]


def test_that_the_check_names_tunnels_and_cuttings() -> None:
    deep = straight(3.0, hill(12.0))
    found = [f for f in check_track(deep.track).findings if f.kind == "ground"]
    assert [f.severity for f in found] == ["note"]
    assert "tunnel from" in found[0].message
    cut = [f for f in check_track(straight(3.0, hill(4.0)).track).findings if f.kind == "ground"]
    assert [f.severity for f in cut] == ["warning"]
