"""Loops, rolls and hills: how they leave, how high they go and what is felt on them."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.sentence import Sentence
from ridewright.core.track import elements as e
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.elements.camelback import CamelbackSection
from ridewright.core.track.elements.cobra_roll import CobraRollSection
from ridewright.core.track.elements.corkscrew import CorkscrewSection
from ridewright.core.track.elements.dive_loop import DiveLoopSection
from ridewright.core.track.elements.immelmann import ImmelmannSection
from ridewright.core.track.elements.inline_roll import InlineRollSection
from ridewright.core.track.elements.loop import LoopSection
from ridewright.core.track.elements.transition import TransitionSection
from ridewright.core.track.elements.wing_over import WingOverSection
from ridewright.core.track.elements.zero_g_roll import ZeroGRollSection
from ridewright.core.track.frames import canted_derivatives

POSE = e.StartPose(position=(-4.0, 7.0, 31.0), heading=2.4, pitch=0.0, cant=0.0)
AHEAD = np.array([np.cos(2.4), np.sin(2.4), 0.0])
LEFT = np.array([-np.sin(2.4), np.cos(2.4), 0.0])
G = 9.81


def _built(*sections: object, **fields: object) -> BuiltTrack:
    return build_track(Track.model_validate({"name": "t", "sections": sections, **fields}), ride=False)


def _ends(built: BuiltTrack) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Displacement, tangent, up and curvature vector at the exit."""
    state = built.centreline.state([0.0, built.length])
    return state.curve[1, 0] - state.curve[0, 0], state.tangent[1], state.up[1], state.curve[1, 2]


def felt_g(built: BuiltTrack, s: np.ndarray, height: float, start_speed: float) -> np.ndarray:
    """Forward, left and normal g (n, 3) on the line `height` above the rails of a ride without losses.

    From the derivatives of the finished centreline and its frame alone: H = p + height up.
    """
    state = built.centreline.state(s)
    frame = canted_derivatives(state)
    line = [state.curve[:, k] + height * frame.up[:, k] for k in range(3)]
    speed = np.linalg.norm(line[1], axis=1)
    tangent = line[1] / speed[:, None]
    bend = (line[2] - np.sum(line[2] * tangent, 1)[:, None] * tangent) / speed[:, None] ** 2
    begin = built.centreline.state([0.0])
    z0 = begin.curve[0, 0, 2] + height * begin.up[0, 2]
    v2 = start_speed**2 - 2.0 * G * (line[0][:, 2] - z0)
    felt = (v2[:, None] * bend - G * tangent[:, 2:] * tangent) / G + np.array([0.0, 0.0, 1.0])
    left = np.cross(state.up, tangent)
    return np.stack([np.sum(felt * tangent, 1), np.sum(felt * left, 1), np.sum(felt * state.up, 1)], axis=1)


@pytest.mark.parametrize("smoothness", ["linear", "cubic", "sine"])
def test_that_a_loop_closes_in_its_plane(smoothness: str) -> None:
    loop = LoopSection(name="l", pose=POSE, height=22.0, top_radius=8.2, offset=0.0, smoothness=smoothness)
    built = _built(loop)
    moved, tangent, up, bend = _ends(built)
    assert np.abs(tangent - AHEAD).max() < 1e-9
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-9
    assert np.abs(bend).max() < 1e-9
    assert moved @ LEFT == pytest.approx(0.0, abs=1e-8)
    assert moved[2] == pytest.approx(0.0, abs=1e-8)
    top = built.centreline.state([0.5 * built.length])
    assert top.curve[0, 0, 2] - 31.0 == pytest.approx(22.0, abs=1e-7)
    assert np.linalg.norm(top.curve[0, 2]) == pytest.approx(1.0 / 8.2, rel=1e-6)
    assert top.up[0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-8)


def test_that_a_loop_set_off_sideways_still_leaves_as_it_came() -> None:
    built = _built(LoopSection(name="l", pose=POSE, height=18.0, top_radius=6.5, offset=-4.5))
    moved, tangent, up, bend = _ends(built)
    assert moved @ LEFT == pytest.approx(-4.5, abs=1e-7)
    assert np.abs(tangent - AHEAD).max() < 1e-9
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-9
    assert np.abs(bend).max() < 1e-9
    heights = built.centreline.position(np.linspace(0, built.length, 2000))[:, 2]
    assert heights.max() - 31.0 == pytest.approx(18.0, abs=2e-3)


def test_that_an_inclined_loop_lies_in_its_plane() -> None:
    built = _built(LoopSection(name="l", pose=POSE, height=16.0, top_radius=6.0, offset=0.0, inclination=0.6))
    places = built.centreline.position(np.linspace(0.0, built.length, 200)) - POSE.position
    normal = np.cos(0.6) * LEFT - np.sin(0.6) * np.array([0.0, 0.0, 1.0])
    assert np.abs(places @ normal).max() < 1e-7
    plane_up = np.cos(0.6) * np.array([0.0, 0.0, 1.0]) + np.sin(0.6) * LEFT
    assert (places @ plane_up).max() == pytest.approx(16.0, abs=1e-2)
    middle = built.centreline.state([0.5 * built.length])
    assert middle.up[0] == pytest.approx(-plane_up, abs=1e-7)


@pytest.mark.parametrize("direction", ["left", "right"])
def test_that_an_immelmann_leaves_upright_the_other_way_at_its_height(direction: str) -> None:
    built = _built(ImmelmannSection(name="i", pose=POSE, direction=direction, height=21.0, top_radius=8.8))
    moved, tangent, up, bend = _ends(built)
    assert moved[2] == pytest.approx(21.0, abs=1e-7)
    assert np.abs(tangent + AHEAD).max() < 1e-9
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-9
    assert np.abs(bend).max() < 1e-9
    rolling = built.centreline.state([built.length - 9.0])
    assert np.sign(rolling.twist[0, 0]) == (-1.0 if direction == "left" else 1.0)


def test_that_a_dive_loop_is_an_immelmann_run_backwards() -> None:
    up = _built(ImmelmannSection(name="i", pose=POSE, height=21.0, top_radius=8.8))
    down = _built(DiveLoopSection(name="d", pose=POSE, direction="right", height=21.0, top_radius=8.8))
    assert down.length == pytest.approx(up.length, abs=1e-6)
    moved, tangent, _, _ = _ends(down)
    assert moved[2] == pytest.approx(-21.0, abs=1e-7)
    assert np.abs(tangent + AHEAD).max() < 1e-9
    s = np.linspace(0.0, up.length, 100)
    climbed = up.centreline.position(s)[:, 2] - 31.0
    dropped = down.centreline.position(down.length - s)[:, 2] - down.centreline.position(down.length)[0, 2]
    assert np.abs(climbed - dropped).max() < 1e-6


def test_that_a_wing_over_turns_round_at_the_height_it_came() -> None:
    built = _built(
        WingOverSection(name="w", pose=POSE, direction="right", height=13.0, length=90.0, bank=1.9)
    )
    moved, tangent, up, bend = _ends(built)
    assert np.abs(tangent + AHEAD).max() < 1e-9
    assert moved[2] == pytest.approx(0.0, abs=1e-8)
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-9
    assert np.abs(bend).max() < 1e-9
    top = built.centreline.state([0.5 * built.length])
    assert top.curve[0, 0, 2] - 31.0 == pytest.approx(13.0, abs=1e-7)
    assert top.cant[0] == pytest.approx(1.9, abs=1e-8)


@pytest.mark.parametrize(("direction", "side"), [("left", 1.0), ("right", -1.0)])
def test_that_a_corkscrew_leaves_in_the_direction_it_came(direction: str, side: float) -> None:
    built = _built(CorkscrewSection(name="c", pose=POSE, direction=direction, height=11.0))
    moved, tangent, up, bend = _ends(built)
    assert np.abs(tangent - AHEAD).max() < 1e-8
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-8
    assert np.abs(bend).max() < 1e-9
    assert moved[2] == pytest.approx(0.0, abs=1e-7)
    assert side * (moved @ LEFT) > 5.0
    state = built.centreline.state(np.linspace(0.0, built.length, 401))
    assert state.curve[:, 0, 2].max() - 31.0 == pytest.approx(11.0, abs=1e-5)
    assert state.up[200] == pytest.approx([0.0, 0.0, -1.0], abs=1e-8)


@pytest.mark.parametrize(("direction", "side"), [("left", 1.0), ("right", -1.0)])
def test_that_a_cobra_roll_comes_back_the_way_it_went(direction: str, side: float) -> None:
    built = _built(CobraRollSection(name="c", pose=POSE, direction=direction, height=19.0))
    moved, tangent, up, bend = _ends(built)
    assert np.abs(tangent + AHEAD).max() < 1e-8
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-8
    assert np.abs(bend).max() < 1e-9
    assert moved[2] == pytest.approx(0.0, abs=1e-7)
    assert side * (moved @ LEFT) > 5.0
    state = built.centreline.state(np.linspace(0.0, built.length, 801))
    height = state.curve[:, 0, 2] - 31.0
    assert height.max() == pytest.approx(19.0, abs=1e-2)
    assert height.min() > -1e-6
    upside_down = state.up[:, 2] < -0.5
    assert np.count_nonzero(np.diff(upside_down.astype(int)) == 1) == 2
    assert state.up[400] == pytest.approx([0.0, 0.0, 1.0], abs=1e-7)
    assert np.abs(state.tangent[400] - side * LEFT).max() < 1e-7


def test_that_an_inline_roll_turns_about_a_straight_line() -> None:
    roll = InlineRollSection(name="r", pose=POSE, direction="right", length=33.0, turns=1.5, line_height=1.2)
    built = _built(roll)
    state = built.centreline.state(np.linspace(0.0, built.length, 300))
    line = state.curve[:, 0] + 1.2 * state.up - POSE.position - np.array([0.0, 0.0, 1.2])
    assert np.abs(line - (line @ AHEAD)[:, None] * AHEAD).max() < 1e-8
    assert (line @ AHEAD)[-1] == pytest.approx(33.0, abs=1e-8)
    assert state.up[-1] == pytest.approx([0.0, 0.0, -1.0], abs=1e-9)


@pytest.mark.parametrize(("gz", "pitch"), [(0.0, 0.0), (-0.4, 0.15), (0.3, 0.0)])
def test_that_a_camelback_gives_its_g_on_the_hill(gz: float, pitch: float) -> None:
    pose = POSE.model_copy(update={"pitch": pitch})
    hill = CamelbackSection(
        name="c", pose=pose, entry_speed=23.0, height=13.0, gz=gz, pull_up=2.8, transition=6.0
    )
    built = _built(hill)
    s = np.linspace(0.0, built.length, 2001)
    normal = felt_g(built, s, 1.1, 23.0)[:, 2]
    middle = np.abs(s - 0.5 * built.length) < 0.1 * built.length
    assert np.abs(normal[middle] - gz).max() < 1e-3
    assert (np.abs(normal - gz) < 0.02).mean() > 0.3
    assert normal.max() == pytest.approx(2.8, abs=1e-3)
    moved, tangent, _, _ = _ends(built)
    assert moved[2] == pytest.approx(0.0, abs=1e-6)
    assert tangent[2] == pytest.approx(-np.sin(pitch), abs=1e-8)
    line = built.centreline.state(s)
    assert (line.curve[:, 0] + 1.1 * line.up)[:, 2].max() - 31.0 - 1.1 * np.cos(pitch) == pytest.approx(
        13.0, abs=1e-5
    )


def test_that_riders_float_through_a_zero_g_roll() -> None:
    roll = ZeroGRollSection(name="z", pose=POSE, entry_speed=24.0, height=14.0, transition=7.0)
    built = _built(roll)
    s = np.linspace(0.0, built.length, 3001)
    felt = felt_g(built, s, 1.1, 24.0)
    rolling = np.abs(built.centreline.state(s).twist[:, 0]) > 0.02
    assert rolling.sum() > 500
    assert np.abs(felt[rolling]).max() < 0.02
    assert built.centreline.state([0.5 * built.length]).up[0, 2] < -0.99
    _, tangent, up, _ = _ends(built)
    assert np.abs(tangent - AHEAD).max() < 1e-7
    assert np.abs(up - [0.0, 0.0, 1.0]).max() < 1e-7


def test_that_screws_keep_their_promise_from_a_sloping_canted_entry() -> None:
    pose = POSE.model_copy(update={"pitch": 0.25, "cant": -0.2})
    cobra = _built(CobraRollSection(name="c", pose=pose, height=15.0)).centreline.state([0.0, 1e9])
    assert cobra.tangent[1, 2] == pytest.approx(-np.sin(0.25), abs=1e-8)
    assert cobra.curve[1, 0, 2] == pytest.approx(31.0, abs=1e-6)
    assert cobra.tangent[1, :2] @ AHEAD[:2] / np.cos(0.25) == pytest.approx(-1.0, abs=1e-8)
    screw = _built(CorkscrewSection(name="c", pose=pose, height=15.0)).centreline
    ends = screw.state([0.0, screw.length])
    assert np.abs(ends.tangent[1] - ends.tangent[0]).max() < 1e-8
    assert np.abs(ends.up[1] - ends.up[0]).max() < 1e-8
    assert screw.position(np.linspace(0, screw.length, 2000))[:, 2].max() == pytest.approx(46.0, abs=1e-3)


def test_that_elements_that_start_straight_ease_out_of_a_bend() -> None:
    bend = TransitionSection(name="b", pose=POSE, length=10.0, curvature=0.03)
    loop = LoopSection(name="l", height=18.0, top_radius=6.5, offset=3.0)
    built = _built(bend, loop, StraightSection(name="s", length=10.0))
    line = built.centreline
    for place in (built.sections[1].s0, built.sections[1].s1):
        before, after = line.state([place], from_left=True), line.state([place])
        assert np.abs(before.curve[:, :3] - after.curve[:, :3]).max() < 1e-9
        assert abs(before.twist[0, 0] - after.twist[0, 0]) < 1e-9


@pytest.mark.parametrize(
    ("section", "told"),
    [
        (LoopSection(name="x", height=20.0, top_radius=2.0), "needs a top radius of"),
        (ImmelmannSection(name="x", height=60.0, top_radius=8.0), "change the radius"),
        (CamelbackSection(name="x", entry_speed=10.0, height=40.0), "needs more speed"),
        (
            CamelbackSection(name="x", entry_speed=30.0, height=2.0, transition=8.0),
            "the transitions alone climb",
        ),
        (WingOverSection(name="x", height=60.0, length=50.0), "too short to climb"),
    ],
)
def test_that_an_inversion_that_cannot_be_is_refused(section: e.Element, told: str) -> None:
    with pytest.raises(InputError, match=told) as refused:
        _built(section)
    assert isinstance(refused.value.said, Sentence)
    assert refused.value.said.quantities  # in SI, for who shows other units
    assert refused.value.where.path == ("track", "sections", "x")


def test_that_a_zero_g_roll_wants_a_level_entry() -> None:
    with pytest.raises(InputError, match="has to be entered level"):
        _built(ZeroGRollSection(name="z", pose=POSE.model_copy(update={"cant": 0.3})))
