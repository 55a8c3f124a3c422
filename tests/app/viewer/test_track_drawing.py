"""The drawn track is the built one: rails in their places, supports clear of the track."""

from __future__ import annotations

import numpy as np
import pytest

from app.view3d.ground import ground_height, station
from app.view3d.track_mesh import CHORD_TURN, LOOKS, RAIL_RADIUS, TrackMesh, stations
from app.widgets.theme import DARK
from core.project.examples import load_example
from core.track.build import BuiltTrack, build_track
from core.track.description import Track


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
