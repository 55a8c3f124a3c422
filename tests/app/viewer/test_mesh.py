"""Meshes are closed, look outwards, and have the volumes of the bodies they stand for."""

from __future__ import annotations

import math

import numpy as np
import pytest
import pyvista as pv

from ridewright.app.view3d.element_marks import BETWEEN, SHAPES, between
from ridewright.app.view3d.human import rider_meshes
from ridewright.app.view3d.mesh import COLOUR, Part, bent_tube, box, capsule, ellipsoid, mixed, rod, solid
from ridewright.app.view3d.seat_mesh import seat_part
from ridewright.app.view3d.train_parts import train_meshes
from ridewright.app.view3d.vehicle import car_meshes
from ridewright.app.widgets.theme import DARK
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.edits.couplings import make_train
from ridewright.core.model.assembly import Seat
from ridewright.core.model.forces import TYPES
from ridewright.core.model.library import list_library, load_occupant, load_restraint, load_seat, load_vehicle
from ridewright.core.model.placement import placed_model
from ridewright.core.model.surfaces import Box
from ridewright.core.multibody.flatten import Flat
from ridewright.core.project.examples import load_example

GREY = "#808080"


def volume(mesh: Part | pv.PolyData) -> float:
    """Signed volume by the divergence theorem: positive when all faces look outwards."""
    faces = mesh.faces if isinstance(mesh, Part) else mesh.regular_faces
    a, b, c = (np.asarray(mesh.points, dtype=float)[faces[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


@pytest.mark.parametrize(
    ("mesh", "expected"),
    [
        (box([1, 2, 3], [0.5, 0.7, 0.9], GREY), 8 * 0.5 * 0.7 * 0.9),
        (
            rod([1, 2, 3], [1.4, 2.9, 2.2], 0.2, GREY, sides=64),
            math.pi * 0.04 * math.sqrt(0.16 + 0.81 + 0.64),
        ),
        (rod([0, 1, 0], [0, 1, 2], (0.3, 0.1), GREY, sides=64), math.pi * 2 / 3 * (0.09 + 0.03 + 0.01)),
        (ellipsoid([3, -1, 2], [0.5, 0.3, 0.8], GREY, rings=65, sides=96), 4 / 3 * math.pi * 0.5 * 0.3 * 0.8),
        (
            capsule([0, 0, 1], [0.7, 0.2, 0.4], 0.1, 0.1, GREY, sides=96),
            math.pi * 0.01 * math.sqrt(0.89) + 4 / 3e3 * math.pi,
        ),
        (bent_tube([[0, 0, 0], [1, 0, 0], [2, 0.5, 0.3]], 0.1, GREY, sides=48), None),
    ],
)
def test_that_a_mesh_is_closed_and_has_the_volume_of_its_body(mesh: Part, expected: float | None) -> None:
    assert volume(mesh) > 0.0
    moved = mesh.moved(rotation_matrix([0.5, 0.5, -0.5, 0.5]), (7.0, -3.0, 2.0))
    assert volume(moved) == pytest.approx(volume(mesh), rel=1e-9)  # only closed meshes keep it
    if expected is not None:
        assert volume(mesh) == pytest.approx(expected, rel=0.03)


def test_that_normals_are_unit_and_look_outwards() -> None:
    half = np.array([0.4, 0.3, 0.6])
    mesh = solid(ellipsoid([1, 1, 1], half, GREY), ellipsoid([-1, 0, 1], [0.1, 0.2, 0.1], GREY))
    normals = np.asarray(mesh.point_data.active_normals)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-6)
    first = mesh.points[:, 0] > 0.0
    exact = (mesh.points[first] - [1, 1, 1]) / half**2
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    assert np.min(np.sum(normals[first] * exact, axis=1)) > 0.8


def test_that_a_box_has_sharp_edges_and_a_tube_none() -> None:
    flat = solid(box([0, 0, 0], [1, 2, 3], GREY)).point_data.active_normals
    assert np.sort(np.abs(flat), axis=1) == pytest.approx(np.tile([0.0, 0.0, 1.0], (len(flat), 1)), abs=1e-6)
    tube = solid(bent_tube([[0, 0, 0], [1, 0, 0], [2, 0.1, 0]], 0.2, GREY))
    wall = np.abs(tube.points[:, 0] - 1.0) < 0.5
    away = np.asarray(tube.points)[wall] * [0.0, 1.0, 1.0]
    turned = np.sum(np.asarray(tube.point_data.active_normals)[wall] * away, axis=1) / 0.2
    assert turned.min() > 0.95  # round, not flat from edge to edge


def test_that_a_rider_has_one_mesh_for_every_segment_as_large_as_its_mass() -> None:
    rider = load_occupant()
    meshes = rider_meshes(rider, DARK, DARK.cloth)
    assert set(meshes) == {body.name for body in rider.bodies}
    for body in rider.bodies:
        assert volume(meshes[body.name]) > 0.0, body.name
    total = sum(volume(mesh) for mesh in meshes.values())
    assert 0.6 * 0.0815 < total < 1.6 * 0.0815  # 81.5 kg at the density of water, with clothes and overlaps


def test_that_riders_in_other_shirts_share_all_but_their_colours() -> None:
    top = make_train(load_example("gatekeeper"), "helix", 2, riders="full").assembly
    assert top is not None
    riders = [path for path, one in placed_model(top).assemblies.items() if one.role == "rider"]
    drawn = train_meshes(top, Flat(), DARK)
    first, *others = riders
    assert len(others) == 7
    for k, path in enumerate(riders):
        rider = placed_model(top).assemblies[path]
        shirt = mixed((DARK.cloth, *DARK.series[1:])[k % len(DARK.series)], "#808890", 0.15)
        for name, mesh in rider_meshes(rider, DARK, shirt).items():
            shown = drawn[f"{path}/{name}"]
            assert np.array_equal(shown.point_data[COLOUR], mesh.point_data[COLOUR]), (path, name)
            assert np.array_equal(shown.points, mesh.points)
            assert np.array_equal(shown.point_data.active_normals, mesh.point_data.active_normals)
            alike = drawn[f"{first}/{name}"]
            assert np.shares_memory(shown.points, alike.points)
    chests = {drawn[f"{path}/{rider.upper_torso}"].point_data[COLOUR].tobytes() for path in riders}
    assert len(chests) == min(len(riders), len(DARK.series))


def test_that_limbs_of_a_rider_meet_at_the_joints() -> None:
    rider = load_occupant()
    meshes = rider_meshes(rider, DARK, DARK.cloth)
    for joint in rider.joints:
        if joint.kind == "rigid":
            continue
        for name, point in ((joint.body_i, joint.point_i), (joint.body_j, joint.point_j)):
            gap = np.linalg.norm(meshes[name].points - np.array(point), axis=1).min()
            assert gap < 0.17, f"{name} ends {gap:.2f} m from {joint.name}"


def test_that_every_body_of_a_car_is_drawn_and_the_wheels_stand_on_the_rail() -> None:
    car = load_vehicle()
    meshes = car_meshes(car, DARK)
    assert set(meshes) == {body.name for body in car.bodies}
    for guide in car.guides:
        body = next(b for b in car.bodies if b.name == guide.body)
        turn = rotation_matrix(body.orientation)
        wheel = meshes[body.name].points @ turn.T + np.array(body.position)
        side = np.sign(body.position[1])
        assert (side * wheel[:, 1]).max() > 0.65  # the plate is outside of the rail
        assert (side * wheel[:, 1]).min() > 0.4  # and nothing under the car is in its way
        across = np.hypot(wheel[:, 1] - body.position[1], wheel[:, 2] - body.position[2])
        assert across.min() > 0.06  # nothing reaches into the rail (radius 0.07 m, flats of the polygons)


def test_that_bodies_of_a_rig_reach_their_joints() -> None:
    for name in ("four_bar", "andrews_squeezer", "spatial_double_pendulum"):
        assembly = load_example(name).scenario.assembly
        meshes = car_meshes(assembly, DARK)
        for joint in assembly.joints:
            for body, point in ((joint.body_i, joint.point_i), (joint.body_j, joint.point_j)):
                if body in meshes:
                    gap = np.linalg.norm(meshes[body].points - np.array(point), axis=1).min()
                    reach = np.linalg.norm(meshes[body].points, axis=1).max()
                    assert gap < 0.3 * reach + 0.02


@pytest.mark.parametrize("kind", [t.kind for t in TYPES.values() if t.place in BETWEEN])
def test_that_what_acts_between_two_points_has_a_shape_from_one_to_the_other(kind: str) -> None:
    mesh = solid(*SHAPES[TYPES[kind].mark.kind]())
    low, high = np.array(mesh.bounds).reshape(3, 2).T
    assert -0.6 < low[0] < 0.1
    assert 0.4 < high[0] < 1.1
    assert np.abs([*low[1:], *high[1:]]).max() < 1.3
    a, b = np.array([1.0, 2.0, 3.0]), np.array([1.5, 1.0, 3.5])
    np.testing.assert_allclose(a + between(a, b, 0.1) @ [1.0, 0.0, 0.0], b)
    assert np.linalg.det(between(a, a, 0.1)) == pytest.approx(
        1e-3
    )  # two points in one place: no line, but a size


@pytest.mark.parametrize("key", [entry.key for entry in list_library(("seat",))])
def test_that_seats_are_drawn_as_large_as_they_are(key: str) -> None:
    shape, usual = load_seat(key)
    seat = Seat(
        name="Seat", body="Base", position=(0.0, 0.0, 0.0), shape=shape, restraint=load_restraint(usual)
    )
    mesh = seat_part(seat, 0.5)
    assert volume(mesh) > 0.0
    for part in shape.parts:
        surface = part.placed
        if isinstance(surface, Box):
            turned = rotation_matrix(surface.orientation)
            inside = (mesh.points - np.array(surface.position)) @ turned
            half = np.array(surface.half_sizes)
            near = inside[np.all(np.abs(inside) <= half + 1e-9, axis=1)]
            np.testing.assert_allclose(np.abs(near).max(axis=0), half, rtol=5e-3)  # of a rounded outline
    opened, closed = (seat_part(seat, share).points for share in (0.0, 0.5))
    assert np.abs(opened - closed).max() > 0.05  # its pads have moved


def test_that_a_seat_that_says_nothing_is_a_bucket() -> None:
    plain = Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0))
    assert len(seat_part(plain, 0.0).points) > 500
