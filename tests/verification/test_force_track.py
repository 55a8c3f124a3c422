"""The loads of an imported force-vector track, recomputed from its geometry, against what its sections prescribe.

The project (veloci2 of KexEdit, MIT) prescribes normal and lateral g over time. The track is imported, fitted and
built; the heartline is taken from the built centreline and its canted frame, its curvature by differences, and the
loads from v^2 kappa and gravity. Nothing of the importer's forces enters, only its speeds, and those are checked
against the energy law on the built geometry.
"""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from ridewright.core.exchange import ReadOptions
from ridewright.core.exchange.accuracy import nearest_places
from ridewright.core.exchange.base import z_up
from ridewright.core.exchange.kex import tracks as kex
from ridewright.core.exchange.kex.course import RATE, KexCourse, KexSection, lay_course, prescribed, state_of
from ridewright.core.exchange.kex.file import KexFile, load_kex
from ridewright.core.exchange.kex.kernels import GRAVITY, HEART_STEP, PLACE, RAIL_RUN, SPEED
from ridewright.core.exchange.nl2_csv import parse_rows
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.track.build import BuiltTrack, build_track

EXAMPLES = Path(str(resources.files("ridewright.resources"))) / "examples"
FORCE_SECTIONS = ("force 1", "force 2")
HEART = 1.1  # m
AT_JOINS = 5  # steps left out at both ends of a section, where the curvature jumps


@pytest.fixture(scope="module")
def project() -> KexFile:
    return load_kex(EXAMPLES / "kex" / "veloci2.kex")


@pytest.fixture(scope="module")
def course(project: KexFile) -> KexCourse:
    return lay_course(project, "veloci2.kex")


@pytest.fixture(scope="module")
def built() -> BuiltTrack:
    return build_track(kex.read(EXAMPLES / "kex" / "veloci2.kex", ReadOptions()).track, ride=False)


def section_named(course: KexCourse, name: str) -> KexSection:
    return next(section for section in course.sections if section.name == name)


def places_of(built: BuiltTrack, section: KexSection) -> np.ndarray:
    """Arc lengths on the built track of the states of a laid section."""
    rail = z_up(kex.mirrored(section.rail))
    span = next(span for span in built.sections if span.name == section.name)
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(rail, axis=0), axis=1))])
    s = nearest_places(built.centreline, rail, span.s0 + run)
    assert np.linalg.norm(built.centreline.position(s) - rail, axis=1).max() < 0.0015
    return s


def heartline(built: BuiltTrack, s: np.ndarray) -> np.ndarray:
    state = built.centreline.state(s)
    return state.curve[:, 0] + HEART * state.up


def curvature_of_heartline(built: BuiltTrack, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Curvature vector (1/m) and unit tangent of the heartline, by central differences over 5 cm."""
    step = 0.05
    back, here, ahead = (heartline(built, s + d) for d in (-step, 0.0, step))
    first, second = (ahead - back) / (2.0 * step), (ahead - 2.0 * here + back) / step**2
    square = np.sum(first**2, axis=1, keepdims=True)
    along = np.sum(first * second, axis=1, keepdims=True) / square
    return (second - along * first) / square, first / np.sqrt(square)


def loads(built: BuiltTrack, section: KexSection) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normal g, lateral g, and lateral g as KexEdit counts it, between the states of a section, (n - 1,) each."""
    s = places_of(built, section)
    bend, tangent = curvature_of_heartline(built, 0.5 * (s[:-1] + s[1:]))
    up = built.centreline.state(s[:-1]).up
    up = up - np.sum(up * tangent, axis=1, keepdims=True) * tangent
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    across = np.cross(up, tangent)
    heart_speed = section.states[1:, HEART_STEP] * RATE
    rail_speed = section.states[:-1, SPEED]
    normal = heart_speed**2 * np.sum(bend * up, axis=1) / GRAVITY + up[:, 2]
    sideways = np.sum(bend * across, axis=1) / GRAVITY
    lateral = heart_speed**2 * sideways + across[:, 2]
    counted = heart_speed * rail_speed * sideways + across[:, 2]
    return tuple(values[AT_JOINS:-AT_JOINS] for values in (normal, lateral, counted))  # type: ignore[return-value]


@pytest.mark.parametrize("name", FORCE_SECTIONS)
def test_that_the_loads_of_the_geometry_are_those_the_section_prescribes(
    built: BuiltTrack, course: KexCourse, name: str
) -> None:
    """Normal g within 0.035 g everywhere. Lateral g within 0.05 g as KexEdit counts it (it turns the direction
    sideways at the speed of the rail, which differs from that of the rider by up to 27 %), and within 0.12 g,
    0.03 g root mean square, as an accelerometer at the heartline feels it."""
    section = section_named(course, name)
    at = section.states[1:, PLACE][AT_JOINS:-AT_JOINS]
    normal, lateral, counted = loads(built, section)
    wanted_normal = prescribed(section.node, "normal_force", at, 1.0)
    wanted_lateral = prescribed(section.node, "lateral_force", at, 0.0)
    assert np.ptp(wanted_normal) > 4.0  # from airtime to a valley
    assert np.abs(normal - wanted_normal).max() < 0.035
    assert np.sqrt(np.mean((normal - wanted_normal) ** 2)) < 0.01
    assert np.abs(counted - wanted_lateral).max() < 0.05
    assert np.abs(lateral - wanted_lateral).max() < 0.12
    assert np.sqrt(np.mean((lateral - wanted_lateral) ** 2)) < 0.03


@pytest.mark.parametrize("name", FORCE_SECTIONS)
def test_that_the_speed_follows_from_the_energy_on_the_built_track(
    built: BuiltTrack, course: KexCourse, name: str
) -> None:
    """v^2/2 + g (y + mu s) loses R v^3 dt: heights and lengths from the built track, mass at 0.9 of the heartline."""
    section = section_named(course, name)
    s = places_of(built, section)
    state = built.centreline.state(s)
    height = state.curve[:, 0, 2] + 0.1 * HEART * state.up[:, 2]
    friction, resistance = section.node.point.friction, section.node.point.resistance
    speed = section.states[:, SPEED]
    spent = GRAVITY * friction * (s - s[0])
    dragged = np.concatenate([[0.0], np.cumsum(resistance * speed[:-1] ** 3 / RATE)])
    energy = 0.5 * speed**2 + GRAVITY * height + spent + dragged
    assert friction == pytest.approx(0.021, abs=1e-6)
    assert np.ptp(0.5 * speed**2) > 200.0
    assert np.abs(energy - energy[0]).max() < 1e-3 * 0.5 * speed[0] ** 2


def test_that_the_course_is_the_csv_that_was_derived_from_the_same_project(course: KexCourse) -> None:
    """Every row of the example CSV lies on the rail laid here, up to the closing bridge, within half a centimetre."""
    rows = parse_rows((EXAMPLES / "veloci2_nl2.csv").read_text(), "veloci2")[:, :3]
    rail = np.vstack([kex.mirrored(section.rail)[:-1] for section in course.sections[:-1]])
    fine = np.concatenate([np.linspace(a, b, 41)[:-1] for a, b in pairwise(rail)])
    bridge = course.sections[-1].states[0, RAIL_RUN]
    inside = rows[0.5 * np.arange(len(rows)) < bridge - 1.0]
    assert len(inside) > 3500
    distance, _ = cKDTree(fine).query(inside)
    assert distance.max() < 0.005


def test_that_sections_end_where_kexedit_stored_the_next_anchor(project: KexFile) -> None:
    """Each section, laid from its own stored anchor, meets the next stored anchor within 3 cm and 0.01 m/s: KexEdit
    computes in single precision, 3000 steps a section."""
    course = lay_course(project, "veloci2.kex", anchored=True)
    for here, after in pairwise(course.sections):
        anchor = state_of(after.node.point)
        assert np.linalg.norm(here.states[-1, 0:3] - anchor[0:3]) < 0.03, here.name
        assert abs(here.states[-1, SPEED] - anchor[SPEED]) < 0.01, here.name
        assert np.abs(here.states[-1, 3:12] - anchor[3:12]).max() < 2e-3, here.name


def test_that_the_steps_converge_to_one_course_with_first_order(project: KexFile) -> None:
    """Halving the step halves the distance to the limit, on the first two seconds of the first force section."""
    node = next(node for node in project.nodes if node.kind == "force")
    short = type(node)(**{**vars(node), "duration": 2.0})
    ends = []
    for rate in (200.0, 400.0, 800.0, 1600.0):
        one = KexFile(project.version, (short,), ())
        states = lay_course(one, "short", rate=rate).sections[0].states
        # the last of the steps is left out by KexEdit, whatever their length: carry on straight over it
        end = states[-1]
        ends.append(end[0:3] + end[3:6] * end[SPEED] / rate)
    gaps = [float(np.linalg.norm(a - b)) for a, b in pairwise(ends)]
    orders = np.log2(np.array(gaps[:-1]) / np.array(gaps[1:]))
    assert np.all(orders > 0.9)
    assert np.all(orders < 1.2)


@pytest.mark.parametrize(("name", "worst"), [("force 1", 0.13), ("force 2", 0.09)])
def test_that_the_point_ride_feels_the_loads_the_section_prescribes(
    built: BuiltTrack, course: KexCourse, name: str, worst: float
) -> None:
    """From the entry speed on with its own balance of energy: normal g within 0.13 g (0.03 g root mean square), lateral
    g within 0.05 g root mean square. KexEdit leaves the roll out of the speed of the rail and puts the mass at 0.9 of
    the heartline, which is the larger part of the difference."""
    section = section_named(course, name)
    s = places_of(built, section)
    point = section.node.point
    settings = PointRideSettings(
        start=float(s[0]), speed=point.velocity, line="rail", mu=point.friction, drag=point.resistance
    )
    ride = ride_point(built, settings, devices=())
    ahead = ride.forward()
    felt = np.stack([np.interp(s, ride.s[ahead], ride.g[ahead][:, k]) for k in range(3)], axis=-1)
    felt = (0.5 * (felt[1:] + felt[:-1]))[AT_JOINS:-AT_JOINS]
    at = section.states[1:, PLACE][AT_JOINS:-AT_JOINS]
    normal = felt[:, 2] - prescribed(section.node, "normal_force", at, 1.0)
    lateral = felt[:, 1] - prescribed(section.node, "lateral_force", at, 0.0)
    assert np.abs(normal).max() < worst
    assert np.sqrt(np.mean(normal**2)) < 0.03
    assert np.sqrt(np.mean(lateral**2)) < 0.05


def test_that_the_point_ride_meets_the_entry_speeds_of_the_project(
    built: BuiltTrack, course: KexCourse
) -> None:
    """The whole circuit with the launches and tyres that were imported: every section is entered within 0.1 m/s."""
    settings = PointRideSettings(speed=0.1, line="rail", mu=0.021, drag=2e-5)
    ride = ride_point(built, settings)
    assert ride.status == "arrived"
    for section, span in zip(course.sections, built.sections, strict=True):
        found = float(np.interp(span.s0, ride.s, ride.speed))
        assert found == pytest.approx(section.states[0, SPEED], abs=0.1), section.name
