"""KexEdit projects: the binary layout, keyframes, sections against closed forms, and the refusal of damaged files."""

from __future__ import annotations

import math
import struct
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.exchange import ReadOptions, import_track
from ridewright.core.exchange.base import z_up
from ridewright.core.exchange.kex.course import KexCourse, KexSection, lay_course, prescribed
from ridewright.core.exchange.kex.devices import section_devices
from ridewright.core.exchange.kex.file import CURVES, KexFile, KexKey, KexNode, KexPoint, load_kex, parse_kex
from ridewright.core.exchange.kex.kernels import GRAVITY, HEART_RUN, RAIL_RUN, SPEED, curve_value
from ridewright.core.exchange.kex.tracks import ends_without_steps, mirrored, ride_of_course, track_of_course
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import load_project
from ridewright.core.track.build import build_track

EXAMPLES = Path(str(resources.files("ridewright.resources"))) / "examples" / "kex"
START = KexPoint(
    (2.0, 30.0, -5.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), 20.0,
    0.5 * 20.0**2 + GRAVITY * (30.0 - 0.99), 0.2, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 1,
)  # fmt: skip


def held(value: float) -> tuple[KexKey, ...]:
    """A curve of one keyframe: a constant."""
    return (KexKey(0.0, value, 1, 1, 0.0, 0.0, 0.36, 0.36),)


def lay_one(
    kind: str, duration: float, rate: float = 100.0, point: KexPoint = START, **fields: object
) -> KexSection:
    """One section on its own; fields: of the node, or curves by name."""
    curves = {name: fields.pop(name) for name in CURVES if name in fields}
    plain = {
        "by_distance": False,
        "driven": False,
        "steering": False,
        "curve": (),
        "inputs": (),
        "outputs": (),
    }
    made = KexNode(index=0, kind=kind, priority=0, point=point, duration=duration, curves=curves,
                   **plain | {"inputs": (_PORT,)} | fields)  # type: ignore[arg-type]  # fmt: skip
    return lay_course(KexFile(5, (made,), ()), "one", rate=rate).sections[0]


_PORT = load_kex(EXAMPLES / "veloci2.kex").nodes[0].inputs[0]


def test_that_the_examples_are_read_to_the_last_byte() -> None:
    """Figures read off the files with a hex viewer: nodes, edges, durations, anchors, keyframes."""
    file = load_kex(EXAMPLES / "veloci2.kex")
    assert (file.version, len(file.nodes), len(file.edges)) == (5, 11, 10)
    kinds = [node.kind for node in file.nodes]
    assert kinds.count("force") == 2
    assert kinds.count("geometric") == 5
    assert (kinds.count("anchor"), kinds.count("curved"), kinds.count("bridge")) == (2, 1, 1)
    force = file.nodes[5]
    assert force.duration == pytest.approx(30.959558, abs=1e-5)
    assert not force.by_distance
    assert force.point.velocity == 30.0
    assert (force.point.heart, force.point.friction) == pytest.approx((1.1, 0.021))
    assert force.curves["normal_force"][2].value == 3.5
    assert len(force.curves["roll_speed"]) == 28
    assert file.nodes[9].curve == (7.0, 120.0, 180.0, 0.0, 0.0)
    assert file.nodes[1].driven
    shuttle = load_kex(EXAMPLES / "shuttle.kex")
    assert (len(shuttle.nodes), len(shuttle.edges)) == (16, 19)
    assert shuttle.nodes[1].by_distance
    assert shuttle.nodes[6].kind == "reverse"


def test_that_every_cut_and_many_damages_of_a_file_are_refused_with_a_sentence() -> None:
    raw = (EXAMPLES / "shuttle.kex").read_bytes()
    for length in [0, 3, *range(5, len(raw), 97)]:
        with pytest.raises(InputError, match=r"cut\.kex"):
            parse_kex(raw[:length], "cut.kex")
    with pytest.raises(InputError, match="7 bytes are left over"):
        parse_kex(raw + b"surplus", "long.kex")
    with pytest.raises(InputError, match=r"version 3 to 7 \(found 99\)"):
        parse_kex(struct.pack("<i", 99) + raw[4:], "v.kex")
    with pytest.raises(InputError, match=r"node 1 \(geometric\) holds the number nan \(byte 92\)"):
        parse_kex(raw[:100] + struct.pack("<f", math.nan) + raw[104:], "n.kex")
    with pytest.raises(InputError, match="the list of nodes claims -5 nodes"):
        parse_kex(raw[:52] + struct.pack("<i", -5) + raw[56:], "n.kex")
    random = np.random.default_rng(4)
    for _ in range(400):
        at = int(random.integers(len(raw)))
        damaged = raw[:at] + bytes([int(random.integers(256))]) + raw[at + 1 :]
        try:
            parse_kex(damaged, "fuzz.kex")
        except InputError as error:
            assert "fuzz.kex" in str(error)  # noqa: PT017 - most damages are harmless; those refused are named


def test_that_keyframes_are_joined_by_cubic_beziers_lines_or_steps() -> None:
    """A Bezier with weights of a third is the cubic Hermite polynomial; general weights against the raw Bezier."""
    keys = np.array([[1.0, 2.0, 2, 2, 0.0, 1.5, 1 / 3, 1 / 3], [3.0, -1.0, 2, 2, -0.5, 0.0, 1 / 3, 1 / 3]])
    x = np.linspace(0.0, 1.0, 21)
    h00, h10 = (1 + 2 * x) * (1 - x) ** 2, x * (1 - x) ** 2
    h01, h11 = x * x * (3 - 2 * x), x * x * (x - 1)
    hermite = h00 * 2.0 + h10 * 2.0 * 1.5 + h01 * -1.0 + h11 * 2.0 * -0.5
    found = [curve_value(keys, 0, 2, 1.0 + 2.0 * a, 9.0) for a in x]
    assert np.allclose(found, hermite, atol=1e-12)
    keys[0, 7], keys[1, 6] = 0.8, 0.55
    u = np.linspace(0.0, 1.0, 33)
    weights = np.stack([(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3], axis=-1)
    time = weights @ [1.0, 1.0 + 2.0 * 0.8, 3.0 - 2.0 * 0.55, 3.0]
    value = weights @ [2.0, 2.0 + 1.5 * 2.0 * 0.8, -1.0 + 0.5 * 2.0 * 0.55, -1.0]
    assert np.allclose([curve_value(keys, 0, 2, t, 9.0) for t in time], value, atol=1e-9)
    keys[:, 2:4] = 1
    assert curve_value(keys, 0, 2, 1.5, 9.0) == pytest.approx(1.25)
    keys[0, 3] = 0
    assert curve_value(keys, 0, 2, 2.9, 9.0) == 2.0
    assert [curve_value(keys, 0, 2, t, 9.0) for t in (0.0, 3.0, 8.0)] == [2.0, -1.0, -1.0]
    assert curve_value(keys, 0, 0, 1.0, 9.0) == 9.0


def test_that_zero_g_is_a_parabola_of_the_heartline() -> None:
    """Free fall from a level start: y = -g t^2 / 2, at first order in the step. Without height of the heartline,
    because KexEdit takes the speed of the rail for that of the rider."""
    point = KexPoint(**{**vars(START), "heart": 0.0, "energy": 0.5 * 20.0**2 + GRAVITY * 30.0})
    miss = []
    for rate in (400.0, 800.0):
        section = lay_one("force", 1.5, rate, point, normal_force=held(0.0))
        heart = section.heart - section.heart[0]
        time = heart[:, 2] / heart[1, 2] / rate  # level speed is constant in free fall
        miss.append(float(np.abs(heart[:, 1] + 0.5 * GRAVITY * time**2).max()))
    assert miss[0] < 0.1
    assert math.log2(miss[0] / miss[1]) == pytest.approx(1.0, abs=0.15)


def test_that_one_g_and_no_roll_is_a_straight_line_with_friction() -> None:
    """v^2 = v0^2 - 2 g mu s on the level; the length is the distance of the rail."""
    point = KexPoint(**{**vars(START), "friction": 0.03})
    section = lay_one("force", 60.0, by_distance=True, point=point)
    end = section.states[-1]
    assert np.allclose(section.heart[:, [0, 1]], [2.0, 30.0], atol=1e-9)
    assert end[RAIL_RUN] == pytest.approx(60.0, abs=0.25)
    assert end[SPEED] ** 2 == pytest.approx(400.0 - 2.0 * GRAVITY * 0.03 * end[RAIL_RUN], rel=1e-9)


def test_that_air_drag_slows_a_level_train_by_its_cube() -> None:
    """dE/dt = -R v^3 on the level: 1/v grows by R t, at first order in the step."""
    point = KexPoint(**{**vars(START), "resistance": 2e-3})
    errors = []
    for rate in (100.0, 200.0):
        section = lay_one("force", 4.0, rate, point=point)
        time = np.arange(len(section.states)) / rate
        errors.append(float(np.abs(1.0 / section.states[:, SPEED] - 1.0 / 20.0 - 2e-3 * time).max()))
    assert errors[0] < 1e-4
    assert math.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("steering", [False, True])
def test_that_constant_yaw_is_a_circle_of_the_rail(steering: bool) -> None:
    """A level turn at constant speed: radius v / yaw rate, of rail and heartline alike, centre on the turning side."""
    section = lay_one(
        "geometric", 3.0, yaw_speed=held(0.8), steering=steering, driven=True, velocity=held(16.0)
    )
    centre = section.rail[0] + 20.0 * np.cross([0.0, 1.0, 0.0], section.states[0, 3:6])
    assert np.abs(np.linalg.norm(section.rail - centre, axis=1) - 20.0).max() < 2e-3
    assert np.allclose(section.rail[:, 1], 28.9, atol=1e-9)
    left_turn = np.cross(section.states[0, 3:6], section.states[50, 3:6])[1]
    assert left_turn > 0.0


def test_that_pitching_carries_the_heartline_round_the_rail_unless_steering() -> None:
    """Constant pitch at constant speed: the rail runs on a circle of radius v / rate and the heartline, nearer to the
    centre, on a smaller one; with steering the prescribed speed is that of the heartline."""
    fields = {"pitch_speed": held(0.5), "driven": True, "velocity": held(10.0)}
    rail_turn = lay_one("geometric", 4.0, 800.0, **fields)
    heart_turn = lay_one("geometric", 4.0, 800.0, steering=True, **fields)
    for section, line, radius in (
        (rail_turn, "rail", 20.0),
        (rail_turn, "heart", 18.9),
        (heart_turn, "heart", 20.0),
    ):
        points = getattr(section, line)
        centre = points[0] + [0.0, radius, 0.0]
        assert np.abs(np.linalg.norm(points - centre, axis=1) - radius).max() < 5e-3, (line, radius)


def test_that_roll_turns_the_rail_about_a_straight_heartline() -> None:
    section = lay_one("geometric", 2.0, roll_speed=held(1.3), driven=True, velocity=held(10.0))
    assert np.abs(section.heart[:, :2] - section.heart[0, :2]).max() < 1e-9
    assert np.allclose(np.linalg.norm(section.rail - section.heart, axis=1), 1.1)
    angle = np.unwrap(np.arctan2(section.states[:, 7], -section.states[:, 10]))
    assert abs(angle[-1] - angle[0]) == pytest.approx(1.3 * (len(angle) - 1) / 100.0, abs=1e-9)
    assert section.states[-1, HEART_RUN] == pytest.approx(10.0 * 1.99, rel=1e-9)


def test_that_a_curved_section_turns_by_its_arc_on_its_radius() -> None:
    """Axis 90: a level turn; 0: a turn upwards. Radius of the rail, angle within one step."""
    for axis, radius in ((180.0, 12.0), (90.0, 15.0)):
        section = lay_one(
            "curved", 0.0, 400.0, curve=(radius, 70.0, axis, 0.0, 0.0), driven=True, velocity=held(9.0)
        )
        d = section.states[:, 3:6]
        angle = math.degrees(math.acos(float(np.clip(d[0] @ d[-1], -1.0, 1.0))))
        assert 70.0 <= angle + 1e-6 <= 70.0 + math.degrees(9.0 / radius / 400.0) + 1e-6
        arc = np.linalg.norm(np.diff(section.rail, axis=0), axis=1).sum()
        assert arc / math.radians(angle) == pytest.approx(radius, rel=1e-3)


def test_that_leads_ease_a_curve_in_and_out_and_keep_its_angle() -> None:
    """With leads the turn begins and ends with no curvature, reaches that of the radius between, and turns by the arc:
    the smoothstep takes 1.997 times the length, half of which it loses."""
    section = lay_one(
        "curved", 0.0, 400.0, curve=(10.0, 120.0, 90.0, 25.0, 25.0), driven=True, velocity=held(8.0)
    )
    d = section.states[:, 3:6]
    bend = np.linalg.norm(np.diff(d, axis=0), axis=1) * 400.0 / 8.0
    assert bend[:20].max() < 0.02
    assert bend[-20:].max() < 0.02
    assert np.max(bend) == pytest.approx(0.1, rel=1e-3)
    turned = float(np.arccos(np.clip(np.sum(d[1:] * d[:-1], axis=1), -1.0, 1.0)).sum())
    assert math.degrees(turned) == pytest.approx(120.0, abs=2.0)


def test_that_sections_keep_their_names_and_join_without_a_kink() -> None:
    imported = import_track(EXAMPLES / "veloci2.kex", ReadOptions(gauge=1.2))
    built = build_track(imported.track, ride=False)
    names = [span.name for span in built.sections]
    assert names == ["geometric 1", "curved 1", "geometric 2", "force 1", "geometric 3", "force 2", "geometric 4",
                     "geometric 5", "bridge 1"]  # fmt: skip
    assert built.track.closed
    assert (built.track.gauge, built.track.heartline.height) == (1.2, pytest.approx(1.1))
    borders = np.array([span.s0 for span in built.sections[1:]])
    before, after = (built.centreline.state(borders, from_left=left) for left in (True, False))
    assert np.abs(before.curve[:, :4] - after.curve[:, :4]).max() < 1e-9
    assert np.abs(before.twist - after.twist).max() < 1e-9
    assert max(fit.largest_deviation for fit in built.fits) <= 0.0015
    assert any("Entry speeds" in note and "force 2 35.0" in note for note in imported.notes)


def test_that_an_import_says_where_forces_without_steps_would_lead() -> None:
    """A level line of 1 g needs no steps; the bundled shuttle ends 2.4 m off with steps 1/32 as long."""
    level = lay_one("force", 3.0)
    assert ends_without_steps(level) < 0.3  # the last step: 20 m/s for 1/100 s
    (said,) = (note for note in import_track(EXAMPLES / "shuttle.kex").notes if "no steps" in note)
    assert 2.2 < float(said.split("force 1 ")[1].split(" m")[0]) < 2.5


def test_that_a_left_turn_of_kexedit_comes_in_as_a_left_turn() -> None:
    """Unity's axes are left-handed: seen from above with x to the right, z points up the page. The first curve of
    veloci2 turns a train that heads down the page (-z) towards the right of the page (+x), which is its left."""
    course = lay_course(load_kex(EXAMPLES / "veloci2.kex"), "veloci2")
    d = course.sections[1].states[[0, -1], 3:6]
    assert np.allclose(d[0], [0.0, 0.0, -1.0])
    assert d[1, 0] > 0.8
    built = build_track(import_track(EXAMPLES / "veloci2.kex").track, ride=False)
    span = built.sections[1]
    state = built.centreline.state([0.5 * (span.s0 + span.s1)])
    assert float(np.sum(state.curve[0, 2] * state.left[0])) > 0.1
    assert np.allclose(z_up(mirrored(d[:1]))[0], [0.0, 1.0, 0.0])


def test_that_the_shuttle_is_imported_up_to_where_it_turns_back() -> None:
    imported = import_track(EXAMPLES / "shuttle.kex")
    built = build_track(imported.track, ride=False)
    assert not built.track.closed
    assert [span.name for span in built.sections] == ["geometric 1", "force 1", "geometric 2", "geometric 3"]
    assert 240.0 < built.length < 260.0
    assert any("Left out" in note and "node 7 (reverse)" in note for note in imported.notes)


def _key(time: float, value: float) -> KexKey:
    return KexKey(time, value, 1, 1, 0.0, 0.0, 0.36, 0.36)


def test_that_driven_sections_become_tyres_of_one_acceleration_a_stretch() -> None:
    """A speed that grows evenly in time is one acceleration: v^2 grows evenly along the track."""
    drives = section_devices(
        lay_one("geometric", 2.0, driven=True, velocity=(_key(0.0, 20.0), _key(2.0, 30.0)))
    )
    assert {drive.mode for drive in drives} == {"acceleration"}
    assert max(drives, key=lambda d: d.end or 1e9).speed == pytest.approx(30.0, abs=0.1)
    assert [drive.acceleration for drive in drives] == pytest.approx([5.0] * len(drives), rel=0.02)
    (hold,) = section_devices(lay_one("geometric", 2.0, driven=True, velocity=held(20.0)))
    assert hold.speed == 20.0


@pytest.mark.parametrize("name", ["veloci2.kex", "shuttle.kex"])
def test_that_a_ride_of_the_import_has_the_speeds_and_loads_of_the_file(name: str, tmp_path: Path) -> None:
    """Speeds along free sections are those KexEdit computes, and where it prescribes normal g a rider feels it."""
    assert main(["import-track", str(EXAMPLES / name), "--out", str(tmp_path / "p.ridewright")]) == 0
    project = load_project(tmp_path / "p.ridewright")
    built = build_track(project.track)
    assert (project.point_ride.losses_from, project.point_ride.start_from) == ("given", "given")
    ride = ride_point(built, project.point_ride)
    first = int(np.argmax(np.diff(ride.s) < 0.0)) or len(ride.s)  # the shuttle rolls back from its spike
    s, speed, normal = ride.s[:first], ride.speed[:first], ride.g[:first, 2]
    compared = 0
    for section, span in zip(
        lay_course(load_kex(EXAMPLES / name), name).sections, built.sections, strict=True
    ):
        run = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(section.rail, axis=0), axis=1)))
        at = span.s0 + run * (span.s1 - span.s0) / run[-1]
        states = section.states[:, SPEED]
        reached = (at < s[-1] - 1.0) & (at > span.s0 + 1.0) & (at < span.s1 - 1.0) & (states > 2.0)
        compared += int(reached.sum())
        apart = np.abs(np.interp(at, s, speed) - states)[reached]
        assert apart.max(initial=0.0) < 0.1, section.name
        if section.node.kind == "force" and reached.any():
            places = np.arange(len(at)) / 100.0
            wanted = prescribed(section.node, "normal_force", places, 1.0)
            steady = reached & (np.abs(np.gradient(wanted, places)) < 0.5)
            assert np.abs(np.interp(at, s, normal) - wanted)[steady].max() < 0.1, section.name
            assert np.median(np.abs(np.interp(at, s, normal) - wanted)[steady]) < 0.02
    assert compared > 500


def test_that_a_speed_prescribed_over_a_hill_is_held_all_along() -> None:
    """Up and down a slope, faster and slower: the speed of the ride is that prescribed, not only at the ends."""
    steep = KexPoint(**{**vars(START), "direction": (0.0, 0.6, -0.8), "normal": (0.0, -0.8, -0.6)})
    down = KexPoint(**{**vars(START), "direction": (0.0, -0.6, -0.8), "normal": (0.0, -0.8, 0.6)})
    for point in (steep, down):
        curve = (_key(0.0, 12.0), _key(1.5, 3.0), _key(3.0, 3.0), _key(4.0, 16.0))
        section = lay_one("geometric", 4.0, point=point, driven=True, velocity=curve)
        course = KexCourse((section,), (), False)
        track = track_of_course(course, ReadOptions(), "t", "t.kex")
        built = build_track(track, ride=False)
        ride = ride_point(built, PointRideSettings.model_validate(ride_of_course(course)))
        run = section.states[:, RAIL_RUN] - section.states[0, RAIL_RUN]
        assert ride.status == "arrived"
        wanted = np.interp(ride.s, run * built.length / run[-1], np.maximum(section.states[:, SPEED], 3.0))
        inside = (ride.s > 1.0) & (ride.s < built.length - 0.5)
        assert np.abs(ride.speed - wanted)[inside].max() < 0.08


def test_that_sections_that_cannot_be_laid_are_refused_by_node() -> None:
    slow = KexPoint(**{**vars(START), "velocity": 0.0})
    with pytest.raises(InputError, match=r"the train stops at the start of node 1 \(force\)"):
        lay_one("force", 2.0, point=slow)
    with pytest.raises(InputError, match=r"node 1 \(geometric\) lasts 0"):
        lay_one("geometric", 0.0)
    with pytest.raises(InputError, match=r"node 1 \(curved\) has the radius 0 m"):
        lay_one("curved", 0.0, curve=(0.0, 70.0, 0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="no section begins at an anchor"):
        lay_course(KexFile(5, (), ()), "empty.kex")
