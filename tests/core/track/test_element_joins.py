"""Elements among splines, straights and tables: where they begin, and how everything joins."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ridewright.core.base.errors import InputError
from ridewright.core.track import elements as e
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.check import check_track
from ridewright.core.track.description import (
    ControlPoint,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.banked_turn import BankedTurnSection
from ridewright.core.track.elements.base import entry_of_pose
from ridewright.core.track.elements.force import ForceSection, Key
from ridewright.core.track.elements.loop import LoopSection
from ridewright.core.track.programs import kernels
from ridewright.core.track.programs.channel import channel, constant
from ridewright.core.track.programs.entry import Entry
from ridewright.core.track.programs.program import Program, follow, run_program


def _track(*sections: object, **fields: object) -> Track:
    return Track.model_validate({"name": "t", "sections": sections, **fields})


def _spline(name: str, rows: list[tuple[float, float, float, float | None]]) -> SplineSection:
    return SplineSection(name=name, points=tuple(ControlPoint(x=x, y=y, z=z, cant=c) for x, y, z, c in rows))


LEAD = _spline("lead", [(0, 0, 12, 0.0), (11, 1, 11.5, 0.05), (23, 4, 10.2, -0.1), (34, 9, 9.0, -0.2)])
FREE = _spline("lead", [(0, 0, 12, 0.1), (11, 1, 11.5, None), (23, 4, 10.2, None), (34, 9, 9.0, None)])
BEHIND = _spline("behind", [(75, 50, 8, 0.0), (82, 66, 7.5, 0.1), (84, 81, 7, 0.0)])
TURN = BankedTurnSection(name="turn", radius=24.0, angle=0.9, bank=0.7, transition=9.0)


def _jumps(built: BuiltTrack) -> np.ndarray:
    """Jumps of position, tangent, curvature, left vector and roll rate at the borders of the sections, (n, 5)."""
    places = np.array([span.s0 for span in built.sections])
    places = places if built.track.closed else places[1:]
    before = built.centreline.state(np.where(places == 0.0, built.length, places), from_left=True)
    after = built.centreline.state(places)
    curve = np.linalg.norm(before.curve[:, :3] - after.curve[:, :3], axis=2)
    left = np.linalg.norm(before.left - after.left, axis=1)
    return np.column_stack([curve, left, np.abs(before.twist[:, 0] - after.twist[:, 0])])


@pytest.mark.parametrize("lead", [LEAD, FREE], ids=["canted", "free"])
def test_that_elements_between_splines_join_smoothly(lead: SplineSection) -> None:
    arc = ArcSection(
        name="arc", direction="up", radius=30.0, angle=0.4, transition_in=6.0, transition_out=6.0
    )
    built = build_track(_track(lead, TURN, arc, BEHIND))
    jumps = _jumps(built)
    assert jumps[:, 0].max() < 1e-9
    assert jumps[:, 1].max() < 1e-9
    assert jumps[:, 2].max() < 1e-7
    assert jumps[:, 3].max() < 1e-8
    assert jumps[:, 4].max() < 1e-8
    assert (
        np.abs(built.centreline.position([s.s for s in built.stations[:4]]) - _positions(lead)).max() < 1e-9
    )


def _positions(spline: SplineSection) -> np.ndarray:
    return np.array([p.position for p in spline.points])


def test_that_an_element_starts_as_the_spline_before_would_end_freely() -> None:
    alone = build_track(_track(LEAD), ride=False).centreline
    built = build_track(_track(LEAD, TURN), ride=False)
    at = built.sections[1].s0
    free, joined = alone.state([alone.length]), built.centreline.state([at])
    assert np.abs(free.curve[:, :3] - joined.curve[:, :3]).max() < 1e-8
    assert joined.cant[0] == pytest.approx(-0.2, abs=1e-9)


def test_that_an_element_behind_a_spline_leaves_the_spline_as_it_was() -> None:
    """Even one that begins with a clothoid, whose third derivative is not that of the spline."""
    alone = build_track(_track(LEAD), ride=False)
    ramps = {"transition_in": 4.0, "transition_out": 4.0, "smoothness": "linear"}
    hard = ArcSection(name="hard", radius=8.0, angle=1.0, cant=-0.9, **ramps)
    built = build_track(_track(LEAD, hard, StraightSection(name="out", length=15.0)), ride=False)
    s = np.linspace(0.0, alone.length, 200)
    assert np.abs(built.centreline.position(s) - alone.centreline.position(s)).max() < 1e-8
    straight = built.centreline.state(np.linspace(built.sections[2].s0, built.length, 50))
    assert np.abs(straight.cant + 0.9).max() < 1e-9


def test_that_a_closed_circuit_of_elements_joins_at_its_start() -> None:
    sections = (
        StraightSection(name="station", start=(0, 0, 6), end=(40, 0, 6), cant=0.0),
        BankedTurnSection(name="first", radius=20.0, angle=np.pi, bank=0.6, transition=15.0),
        StraightSection(name="back", length=25.0),
        _spline("home", [(-20, 20, 6, -0.3)]),
    )
    built = build_track(_track(*sections, closed=True))
    jumps = _jumps(built)
    assert jumps[:, :4].max() < 1e-7
    assert jumps[:, 4].max() < 1e-8
    assert check_track(built.track, built).gauge_error < 1e-6


def test_that_an_element_goes_on_from_a_table() -> None:
    a = np.linspace(0.0, 1.2, 60)
    rows = tuple((40.0 * np.sin(x), 40.0 * (1.0 - np.cos(x)), 9.0 + 2.0 * x) for x in a)
    table = TableSection(name="rows", positions=rows, cant=tuple(-0.3 * float(x) for x in a))
    built = build_track(_track(table, TURN, StraightSection(name="out", length=12.0)))
    jumps = _jumps(built)
    assert jumps[:, :2].max() < 1e-9
    assert jumps[:, 2].max() < 1e-7
    assert jumps[:, 3:].max() < 1e-7


def test_that_a_jump_of_curvature_at_a_join_is_named() -> None:
    hard = ArcSection(name="hard", radius=20.0, angle=1.0, transition_out=0.0)
    report = check_track(_track(hard, StraightSection(name="rail", length=20.0)))
    told = [f.message for f in report.findings if "section 'rail' begins" in f.message]
    assert told == [
        "Where section 'rail' begins the curvature jumps by 0.05 1/m; ease it in with a transition."
    ]
    soft = check_track(
        _track(hard.model_copy(update={"transition_out": 6.0}), StraightSection(name="rail", length=20.0))
    )
    assert not [f for f in soft.findings if "begins" in f.message]


def test_that_a_jump_of_the_roll_rate_at_a_join_is_named() -> None:
    roll = ForceSection(
        name="roll", extent=20.0, over="distance", entry_speed=20.0, line_height=0.0,
        roll_rate=(Key(at=10.0, value=1.0),), lateral_g=(Key(at=5.0, value=0.0),),
    )  # fmt: skip
    loop = ArcSection(name="next", radius=40.0, angle=0.8, transition_in=0.0)
    kinds = {(f.kind, f.section) for f in check_track(_track(roll, loop)).findings}
    assert ("cant_rate_jump", "next") in kinds


def test_that_a_straight_off_the_exit_of_an_element_is_refused_with_the_angle() -> None:
    arc = ArcSection(name="arc", radius=20.0, angle=1.0)
    end = build_track(_track(arc), ride=False).centreline.position(1e9)[0]
    aside = tuple(float(v) for v in end + np.array([10.0 * np.cos(1.1), 10.0 * np.sin(1.1), 0.0]))
    with pytest.raises(InputError, match=r"a kink of 5\.73 deg"):
        build_track(_track(arc, StraightSection(name="s", end=aside)))


def test_that_an_element_after_a_single_point_asks_for_a_direction() -> None:
    with pytest.raises(InputError, match="Section 'turn': the track has only one point before it"):
        build_track(_track(_spline("lead", [(0, 0, 5, 0.0)]), TURN))


GENERAL = entry_of_pose(e.StartPose(position=(3.0, -2.0, 8.0), heading=0.4, pitch=0.5, cant=-0.3))
MOVING = Program(
    channel(0.02, [(40.0, -0.08, "quintic"), (60.0, 0.05, "sine")]),
    channel(-0.01, [(30.0, 0.09, "cubic"), (70.0, -0.02, "quintic")]),
    channel(0.0, [(50.0, 0.3, "sine"), (50.0, -0.2, "sine")]),
)


def _independent_end(program: Program, entry: Entry) -> np.ndarray:
    """Place and tangent at the end by Dormand and Prince's method of order 8 on t, l, u."""

    def slope(s: float, y: np.ndarray) -> np.ndarray:
        t, left, up = y[3:6], y[6:9], y[9:12]
        a, b, w = program.rates(np.array([s]))[0]
        return np.concatenate([t, a * left + b * up, -a * t + w * up, -b * t - w * left])

    y = np.concatenate([entry.position, entry.tangent, entry.left, entry.up])
    for begin, end in zip([0.0, 30.0, 40.0, 50.0], [30.0, 40.0, 50.0, 100.0], strict=True):
        y = solve_ivp(slope, (begin, end), y, method="DOP853", rtol=1e-13, atol=1e-13, max_step=0.5).y[:, -1]
    return y[:6]


def test_that_a_program_is_followed_to_a_billionth_of_a_metre() -> None:
    expected = _independent_end(MOVING, GENERAL)
    line = follow(MOVING, GENERAL)
    assert np.abs(line.position[-1, -1] - expected[:3]).max() < 1e-9
    assert np.abs(line.tangent[-1, -1] - expected[3:]).max() < 1e-10
    leg = run_program(MOVING, GENERAL)
    built_end = leg.coef[-1].T @ (leg.u[-1] - leg.u[-2]) ** np.arange(6)
    assert np.abs(built_end - expected[:3]).max() < 1e-9
    assert leg.u[-1] == pytest.approx(100.0, abs=1e-9)


def test_that_following_a_curvature_has_order_six() -> None:
    def end(steps: int) -> np.ndarray:
        widths = np.full(steps, 100.0 / steps)
        begin = np.cumsum(widths) - widths
        places = begin[:, None] + widths[:, None] * kernels.STAGE
        smooth = Program(
            channel(0.02, [(100.0, -0.08, "sine")]),
            channel(-0.01, [(100.0, 0.09, "sine")]),
            channel(0.0, [(100.0, 0.3, "sine")]),
        )
        rates = smooth.rates(places.ravel()).reshape(steps, 3, 3)
        frames, positions = np.empty((steps + 1, 3, 3)), np.empty((steps + 1, 3))
        frames[0] = np.stack([GENERAL.tangent, GENERAL.left, GENERAL.up], axis=1)
        positions[0] = GENERAL.position
        kernels.follow_curvature(widths, rates, frames, positions)
        return positions[-1]

    exact = end(800)
    coarse, fine = (np.abs(end(n) - exact).max() for n in (25, 50))
    assert 5.5 < np.log2(coarse / fine) < 7.0


def test_that_the_rail_below_a_line_is_where_the_frame_says() -> None:
    program = Program(MOVING.turn, MOVING.climb, MOVING.bank, None, 1.2)
    line = follow(program, GENERAL.offset(1.2))
    leg = run_program(program, GENERAL)
    starts = leg.coef[:, 0]
    assert np.abs(line.position[:, 0] - 1.2 * line.up[:, 0] - starts).max() < 1e-12
    # curvature of the pieces at their borders against differences of their own tangents
    h = 1e-4
    bends = 2.0 * leg.coef[1:-1, 2]
    ahead = leg.coef[1:-1, 1] + 2 * h * leg.coef[1:-1, 2] + 3 * h * h * leg.coef[1:-1, 3]
    width = np.diff(leg.u)[:-2] - h
    behind = np.einsum("pkc,pk->pc", leg.coef[:-2, 1:], np.arange(1, 6) * width[:, None] ** np.arange(5))
    assert np.abs((ahead - behind) / (2 * h) - bends).max() < 1e-5


def test_that_what_was_laid_is_remembered_and_not_mixed_up() -> None:
    from ridewright.core.track.element_leg import element_leg

    section = LoopSection(name="l")
    first = element_leg(section, GENERAL)
    assert element_leg(section, GENERAL) is first
    moved = Entry(GENERAL.position + 1.0, GENERAL.tangent, GENERAL.up)
    assert np.abs(element_leg(section, moved).coef[:, 0] - first.coef[:, 0] - 1.0).max() < 1e-9
    taller = element_leg(section.model_copy(update={"height": 21.0}), GENERAL)
    assert taller.u[-1] > first.u[-1] + 1.0


def test_that_a_constant_program_is_a_helix() -> None:
    k, w = 0.07, 0.05
    level = entry_of_pose(e.StartPose(position=(0, 0, 0)))
    line = follow(Program(constant(0.0, 80.0), constant(k, 80.0), constant(w, 80.0)), level)
    radius, pitch = k / (k * k + w * w), w / (k * k + w * w)
    axis = (w * level.tangent - k * level.left) / np.hypot(k, w)
    centre = level.position + radius * level.up
    away = line.position.reshape(-1, 3) - centre
    along = away @ axis
    assert np.abs(np.linalg.norm(away - along[:, None] * axis, axis=1) - radius).max() < 1e-10
    assert along[-1] == pytest.approx(80.0 * pitch * np.hypot(k, w), abs=1e-9)
