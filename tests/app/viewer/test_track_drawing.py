"""The drawn track is the built one: rails in their places, supports clear of the track."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.app.view3d.ground import ground_height, station
from ridewright.app.view3d.mesh import rgb
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.scene import Scene
from ridewright.app.view3d.track_mesh import CHORD_TURN, LOOKS, RAIL_RADIUS, TrackMesh, stations
from ridewright.app.widgets.theme import DARK
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track
from ridewright.core.track.supports import place_supports


@pytest.fixture(scope="module")
def looping() -> BuiltTrack:
    return build_track(load_example("looping_star").track)


def shifted(track: Track, by: tuple[float, float, float]) -> Track:
    sections = []
    for section in track.sections:
        points = tuple(
            p.model_copy(update={"x": p.x + by[0], "y": p.y + by[1], "z": p.z + by[2]})
            for p in section.points
        )
        sections.append(section.model_copy(update={"points": points}))
    return track.model_copy(update={"sections": tuple(sections)})


def test_that_the_rails_are_drawn_where_the_wheels_run(looping: BuiltTrack) -> None:
    mesh = TrackMesh(looping, LOOKS["medium"])
    rows, sides = len(mesh.fractions), mesh.look.rail_sides
    points = np.asarray(mesh.tubes.points, dtype=float).reshape(rows, -1, 3)
    s = mesh.fractions * looping.length
    for k, path, places in zip(
        (0, 1), ("left_rail", "right_rail"), looping.rail_of_centreline(s), strict=True
    ):
        rail = looping.paths[path].sample(np.minimum(places, looping.paths[path].length))[:, 0, :3]
        tube = points[:, k * sides : (k + 1) * sides]
        away = np.linalg.norm(tube - rail[:, None], axis=2)
        np.testing.assert_allclose(away, RAIL_RADIUS, atol=2e-4)


def test_that_stations_are_close_where_the_track_bends(looping: BuiltTrack) -> None:
    s = stations(looping)
    assert s[0] == 0.0
    assert s[-1] == pytest.approx(looping.length)
    t = looping.centreline.state(np.minimum(s, looping.length)).tangent
    turn = np.arccos(np.clip(np.sum(t[1:] * t[:-1], axis=1), -1.0, 1.0))
    assert turn.max() < 1.25 * CHORD_TURN
    assert np.diff(s).max() < 2.6


def test_that_the_track_moves_in_place(looping: BuiltTrack) -> None:
    mesh = TrackMesh(looping, LOOKS["low"])
    before, memory = np.array(mesh.tubes.points), mesh.tubes.points.ctypes.data
    mesh.update(build_track(shifted(looping.track, (3.0, -2.0, 5.0))))
    assert mesh.tubes.points.ctypes.data == memory
    np.testing.assert_allclose(mesh.tubes.points, before + np.array([3.0, -2.0, 5.0]), atol=2e-3)


def test_that_the_station_leaves_room_for_the_train(looping: BuiltTrack) -> None:
    place = station(looping, ground_height(looping), 2.0, DARK)
    assert place is not None
    span = looping.sections[0]
    s = np.linspace(span.s0 + 1.0, span.s1 - 1.0, 40)
    t, left, up = looping.frame_at(s)
    origin = looping.centreline.position(s)
    clear = looping.track.clearance
    for k in range(len(s)):
        rel = place.points - origin[k]
        inside = (
            (np.abs(rel @ t[k]) < 0.3)
            & (np.abs(rel @ left[k]) < clear.half_width)
            & (rel @ up[k] > 0.0)
            & (rel @ up[k] < clear.height_above)
        )
        assert not inside.any()


def test_that_a_place_in_a_curve_is_no_station(looping: BuiltTrack) -> None:
    renamed = looping.track.model_copy(
        update={
            "sections": tuple(
                x.model_copy(update={"name": f"part {k}"}) for k, x in enumerate(looping.track.sections)
            )
        }
    )
    built = build_track(renamed)
    curve = next(span for span in looping.sections if span.name == "curve 1")
    assert station(built, -2.0, 0.5 * (curve.s0 + curve.s1), DARK) is None


def test_that_far_rails_and_legs_have_no_gaps() -> None:
    """What is thinner than a pixel comes and goes with every small turn of the camera, unless a line is drawn in it."""
    project = load_example("gatekeeper")
    built = build_track(project.track, ride=False)
    screen = OffScreen(900, 560)
    try:
        scene = Scene(screen.plotter, DARK)
        scene.draw_as("low")
        scene.set_track(built, project)
        scene.track.show("station", False)
        scene.rig.frame_points(scene.track.mesh.course.position, 900 / 560)
        eye = scene.apply_camera()
        top, foot, _ = place_supports(built).legs()
        legs = (top[:, None] + np.linspace(0.1, 0.9, 7)[None, :, None] * (foot - top)[:, None]).reshape(-1, 3)
        rails = scene.track.mesh.threads()[: 2 * len(scene.track.mesh.fractions)]
        for points, seen_as, least in ((rails, DARK.rail, 0.88), (legs, DARK.steel, 0.8)):  # some hide others
            places = points[np.linalg.norm(points - eye.position, axis=1) > 150.0]
            assert len(places) > 100
            found = _painted(screen, scene, places, rgb(seen_as))
            assert found > least, (seen_as, found)
    finally:
        screen.close()


def _painted(screen: OffScreen, scene: Scene, places: np.ndarray, colour: tuple[int, int, int]) -> float:
    """Share of places (n, 3) m whose pixel is not of the ground or sky but leans to a colour."""
    image = screen.draw()
    width, height = image.width(), image.height()
    seen = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(height, width, 4)[:, :, :3].astype(float)
    m = scene.camera.GetCompositeProjectionTransformMatrix(width / height, -1.0, 1.0)
    matrix = np.array([[m.GetElement(i, j) for j in range(4)] for i in range(4)])
    clip = np.column_stack([places, np.ones(len(places))]) @ matrix.T
    x = np.floor(0.5 * (clip[:, 0] / clip[:, 3] + 1.0) * width).astype(int)
    y = np.floor(0.5 * (1.0 - clip[:, 1] / clip[:, 3]) * height).astype(int)
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    at = seen[y[inside], x[inside]]
    ground = np.array(rgb(DARK.ground), dtype=float)
    towards = (np.array(colour) - ground) / np.sum((np.array(colour) - ground) ** 2)
    return float(np.mean((at - ground) @ towards > 0.35))
