"""What a wheel bends of a rail between its ties, and joints of lattices."""

from __future__ import annotations

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.outcome.fatigue import Detail, cycles_to_failure
from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.joints import of_diagonal, of_tie
from ridewright.core.steelwork.life import lives
from ridewright.core.steelwork.loads import loads_of_points
from ridewright.core.steelwork.rails import RailBending, influence
from ridewright.core.steelwork.ride import TrainLoads, ride_over
from ridewright.core.steelwork.tables import steelwork_of
from ridewright.core.structure.sections import tube
from ridewright.core.track.build import build_track
from ridewright.core.track.steelwork import SpineRule, Steelwork

P = 1.2  # m
FORCE = 8e3
UP = np.array([0.0, 0.0, 1.0])


def test_that_a_rail_over_many_ties_is_bent_as_the_beam_it_is() -> None:
    """Fifteen spans of a beam, node by node, and the figures of the books for a load in the middle of one."""
    ties = tuple(P * k for k in range(16))
    girder = rw.Girder(length=15 * P, E=2.1e11, I=1e-5, mass=30.0, supports=ties)
    found = rw.passage(girder, [rw.Axle(force=FORCE)], 10.0, at=(7 * P, 7.5 * P), rate=300.0, slowly=True)
    inner = (found.x[:, 0] > 4.0 * P) & (found.x[:, 0] < 11.0 * P)
    exact = P * FORCE * influence((found.x[inner, 0] - 7 * P) / P)
    assert found.moment[inner] == pytest.approx(exact, abs=2e-3 * P * FORCE)
    tie, between = influence(np.array([0.5]))[0]
    assert (tie, between) == pytest.approx((-0.07925, 0.17075), abs=1e-5)


def test_that_both_rails_share_a_wheel_as_statics_have_it_and_are_bent_between_ties() -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    frame = steel_frame(built, Steelwork(spines=(SpineRule(panel=P),)))
    places = built.centreline.position(np.array([40.0, 70.0]))
    time = np.array([0.0, 3.0])
    high, aside = 0.8, 1.5e3
    way = places[1] - places[0]
    across = np.cross(UP, way / np.linalg.norm(way))
    point = places + high * UP
    force = aside * across - FORCE * UP
    loads = TrainLoads(
        time, np.array([[40.0], [70.0]]), point[:, None], np.tile(force, (2, 1, 1)), np.zeros((2, 1, 3))
    )
    bending, beam = RailBending(frame, loads), int(np.searchsorted(frame.stations, 55.0))
    moment = bending.of(beam).moment
    more = aside * high / (2.0 * frame.rails[beam].half)  # it leans to the left
    for rail, down in enumerate((0.5 * FORCE + more, 0.5 * FORCE - more)):
        assert moment[:, 1, rail].max() == pytest.approx(0.17075 * P * down, rel=2e-2)
    assert np.abs(moment[:, 1, 2]).max() == pytest.approx(0.17075 * P * aside, rel=2e-2)
    assert bending.largest[beam] == pytest.approx(0.17075 * P * np.hypot(0.5 * FORCE + more, aside), rel=2e-2)
    rail = frame.rails[beam].section
    stress = bending.stress(beam, np.zeros((6, 2)), time, 0)
    bottom, level = stress[1, 6], stress[1, 4]  # below, and on the right
    assert bottom.max() == pytest.approx(
        0.17075 * P * (0.5 * FORCE + more) * rail.reach[0] / rail.Iy, rel=2e-2
    )
    assert level.min() == pytest.approx(-0.17075 * P * aside * rail.reach[0] / rail.Iy, rel=2e-2)
    assert np.all(stress[:, :, :10] == 0.0)  # wheel far away


def test_that_a_longer_panel_shortens_the_life_of_rails_and_is_named() -> None:
    pytest.importorskip("rainflow")
    project = load_example("straight")
    scenario = project.scenario.model_copy(update={"duration": 0.5})
    ranges = {}
    for panel in (0.5, 2.0):
        rules = Steelwork(spines=(SpineRule(panel=panel),))
        one = project.model_copy(update={"steelwork": rules, "scenario": scenario})
        found = steelwork_of(one, 25.0, life=True, checks=True)
        rails = {row.name: row for row in found.lives if "rail" in row.name}
        between = {name for name in rails if name.endswith("right rail between two ties")}
        assert between
        assert all(rails[name].category == 71e6 for name in between)
        assert {row.category for name, row in rails.items() if name.endswith("at a tie")} == {63e6}
        assert all(row.stress.shape == row.time.shape for row in found.lives)
        assert all(np.ptp(row.stress) == pytest.approx(row.fatigue.largest) for row in found.lives)
        assert found.checks is not None
        used = max(row.share for row in found.checks.members if row.name.endswith("right rail"))
        ranges[panel] = max(rails[name].fatigue.largest for name in between), used
    assert ranges[2.0][0] > 1.1 * ranges[0.5][0]
    assert ranges[2.0][1] > ranges[0.5][1]


def test_that_joints_stand_what_the_tables_of_the_standard_give_by_hand() -> None:
    """139.7 x 12.5 and 88.9 x 8 at 45 degrees: gamma 5.588, gap 20.5 mm, k_g 1.577, wall of the chord 1026 kN of S355;
    a tie 4.85 t0^2 d1 gamma^(1/2) beta."""
    chord, brace = tube(0.1397, 0.0125), tube(0.0889, 0.008)
    assert 355e6 * of_diagonal(chord, brace, np.pi / 4.0) == pytest.approx(1.026e6, rel=1e-3)
    thick, small = tube(0.2191, 0.03), tube(0.0603, 0.005)
    torn = 0.03 * np.pi * 0.0603 * (1.0 + np.sin(1.3)) / (2.0 * np.sin(1.3) ** 2) / np.sqrt(3.0)
    assert of_diagonal(thick, small, 1.3) == pytest.approx(torn, rel=1e-9)
    assert of_tie(chord, brace) == pytest.approx(0.0125 * 0.0889**2 / np.sqrt(3.0), rel=1e-9)
    face = 4.85 * 0.0063**2 * 0.0889 * (0.15 / 0.0063) ** 0.5 * 0.0889 / 0.3
    assert of_tie(tube(0.3, 0.0063), brace) == pytest.approx(face, rel=1e-9)


def test_that_nodes_fall_with_slope_five_from_their_category_and_have_no_knee() -> None:
    """Table 8.7: 2 million cycles of the category, 100 million of 0.457 of it."""
    node = Detail(60e6, 1.0, node=True)
    cycles = cycles_to_failure(np.array([60e6, 30e6, 0.4574 * 60e6, 0.456 * 60e6]), node)
    assert cycles[:2] == pytest.approx([2e6, 2e6 * 32.0])
    assert cycles[2] == pytest.approx(1e8, rel=2e-3)
    assert cycles[3] == np.inf


def test_that_nodes_of_a_lattice_are_judged_by_the_walls_of_chord_and_diagonal() -> None:
    pytest.importorskip("rainflow")
    project = load_example("straight")
    rules = Steelwork(
        depth=0.9, rail_wall=0.0125,
        spines=(SpineRule(kind="triangle", diameter=0.1683, wall=0.01, brace_wall=0.008, panel=0.8),),
    )  # fmt: skip
    one = project.model_copy(
        update={"steelwork": rules, "scenario": project.scenario.model_copy(update={"duration": 1.0})}
    )
    built = build_track(project.track)  # type: ignore[arg-type]
    frame = steel_frame(built, rules)
    ride = ride_over(frame, loads_of_points(one, built), 50.0, watch=(20,))
    found = {row.name: row for row in lives(frame, ride, rules)}
    node, plain = found["bay 21, left diagonals at its nodes"], found["bay 21, left diagonals"]
    assert node.category == pytest.approx(45e6 + 45e6 * (0.010 / 0.008 - 1.0), rel=1e-6)
    assert node.fatigue.largest == pytest.approx(1.3 * plain.fatigue.largest, rel=1e-6)
    assert "bay 21, chord at its nodes" in found
    assert "bay 21, ties at its nodes" not in found
