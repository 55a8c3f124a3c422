"""Arcs, transitions, turns, helices and the railway curve against their closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import fresnel

from ridewright.core.base.errors import InputError
from ridewright.core.track import elements as e
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.banked_turn import BankedTurnSection
from ridewright.core.track.elements.helix import HelixSection
from ridewright.core.track.elements.railway_curve import RailwayCurveSection
from ridewright.core.track.elements.transition import TransitionSection

POSE = e.StartPose(position=(3.0, -2.0, 11.0), heading=0.7, pitch=0.0, cant=0.0)
SLOPING = e.StartPose(position=(3.0, -2.0, 11.0), heading=-2.1, pitch=-0.23, cant=0.12)


def _built(*sections: object, **fields: object) -> BuiltTrack:
    return build_track(Track.model_validate({"name": "t", "sections": sections, **fields}), ride=False)


def _local(points: np.ndarray, heading: float) -> np.ndarray:
    """Offsets from the start along the heading, to the left of it and upwards."""
    offset = points - np.array(POSE.position)
    c, s = np.cos(heading), np.sin(heading)
    return offset @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _headings(built: BuiltTrack, s: np.ndarray) -> np.ndarray:
    t = built.centreline.state(s).tangent
    return np.unwrap(np.arctan2(t[:, 1], t[:, 0]))


@pytest.mark.parametrize(("direction", "sign"), [("left", 1.0), ("right", -1.0)])
def test_that_an_arc_in_plan_has_its_radius_and_its_angle(direction: str, sign: float) -> None:
    arc = ArcSection(
        name="a",
        pose=POSE,
        direction=direction,
        radius=17.0,
        angle=2.2,
        transition_in=0.0,
        transition_out=0.0,
    )
    built = _built(arc)
    assert built.length == pytest.approx(17.0 * 2.2, abs=1e-8)
    a = np.linspace(0.0, 2.2, 60)
    there = _local(built.centreline.position(17.0 * a), 0.7)
    circle = np.stack([17.0 * np.sin(a), sign * 17.0 * (1.0 - np.cos(a)), 0.0 * a], axis=1)
    assert np.abs(there - circle).max() < 1e-8


def test_that_an_eased_arc_turns_by_its_whole_angle_and_keeps_the_slope() -> None:
    arc = ArcSection(
        name="a",
        pose=SLOPING,
        radius=19.0,
        angle=1.9,
        transition_in=6.0,
        transition_out=9.0,
        smoothness="quintic",
    )
    built = _built(arc)
    heading = _headings(built, np.linspace(0.0, built.length, 200))
    assert heading[-1] - heading[0] == pytest.approx(1.9, abs=1e-9)
    tangent = built.centreline.state(np.linspace(0.0, built.length, 50)).tangent
    assert np.abs(np.arcsin(tangent[:, 2]) + 0.23).max() < 5e-9
    middle = built.centreline.derivatives(0.5 * built.length)[0, 2]
    assert np.hypot(middle[0], middle[1]) / np.cos(0.23) ** 2 == pytest.approx(1.0 / 19.0, rel=1e-7)
    assert np.abs(built.centreline.state([0.0, built.length]).curve[:, 2]).max() < 1e-9


def test_that_an_arc_upwards_stays_in_its_vertical_plane() -> None:
    pose = POSE.model_copy(update={"cant": 0.3})
    arc = ArcSection(
        name="a", pose=pose, direction="up", radius=12.0, angle=1.1, transition_in=0, transition_out=0
    )
    built = _built(arc)
    a = np.linspace(0.0, 1.1, 40)
    there = _local(built.centreline.position(12.0 * a), 0.7)
    circle = np.stack([12.0 * np.sin(a), 0.0 * a, 12.0 * (1.0 - np.cos(a))], axis=1)
    assert np.abs(there - circle).max() < 1e-8
    assert np.abs(built.centreline.cant(12.0 * a) - 0.3).max() < 1e-9


def test_that_a_clothoid_ends_where_the_fresnel_integrals_say() -> None:
    length, curvature = 24.0, 0.045
    part = TransitionSection(name="a", pose=POSE, length=length, curvature=curvature, smoothness="linear")
    built = _built(part)
    scale = np.sqrt(np.pi * length / curvature)
    s = np.linspace(0.0, length, 50)
    sine, cosine = fresnel(s / scale)
    expected = scale * np.stack([cosine, sine, np.zeros(50)], axis=1)
    assert np.abs(_local(built.centreline.position(s), 0.7) - expected).max() < 1e-8
    assert np.linalg.norm(built.centreline.derivatives(length)[0, 2]) == pytest.approx(curvature, abs=1e-9)


@pytest.mark.parametrize("smoothness", ["linear", "cubic", "quintic", "sine"])
def test_that_every_transition_turns_by_half_its_length_times_its_curvature(smoothness: str) -> None:
    part = TransitionSection(name="a", pose=POSE, length=20.0, curvature=-0.06, smoothness=smoothness)
    heading = _headings(_built(part), np.linspace(0.0, 20.0, 100))
    assert heading[-1] - heading[0] == pytest.approx(-0.6, abs=1e-9)


def test_that_a_transition_goes_on_from_the_curvature_the_track_has() -> None:
    first = TransitionSection(name="a", pose=POSE, length=12.0, curvature=0.05)
    second = TransitionSection(name="b", length=8.0, curvature=-0.02, smoothness="cubic")
    line = _built(first, second).centreline
    heading = _headings(_built(first, second), np.linspace(0.0, 20.0, 100))
    assert heading[-1] - heading[0] == pytest.approx(0.5 * 12.0 * 0.05 + 0.5 * 8.0 * (0.05 - 0.02), abs=1e-9)
    before, after = line.state([12.0], from_left=True), line.state([12.0])
    assert np.abs(before.curve[:, :3] - after.curve[:, :3]).max() < 1e-9


def test_that_a_helix_has_its_radius_and_pitch() -> None:
    helix = HelixSection(
        name="h", pose=POSE, direction="right", radius=14.0, turns=3.0, pitch=5.0, bank=0.8, transition=10.0
    )
    built = _built(helix)
    slope = np.arctan2(5.0, 2.0 * np.pi * 14.0)
    one_turn = 2.0 * np.pi * 14.0 / np.cos(slope)
    middle = 0.5 * built.length
    state = built.centreline.state([middle - 0.5 * one_turn, middle + 0.5 * one_turn])
    rise = state.curve[1, 0] - state.curve[0, 0]
    assert rise == pytest.approx([0.0, 0.0, 5.0], abs=1e-7)
    assert np.abs(state.cant - 0.8).max() < 1e-9
    inner = built.centreline.derivatives(np.linspace(20.0, built.length - 20.0, 30))
    plan = (inner[:, 1, 0] * inner[:, 2, 1] - inner[:, 1, 1] * inner[:, 2, 0]) / np.hypot(
        *inner[:, 1, :2].T
    ) ** 3
    assert np.abs(plan + 1.0 / 14.0).max() < 1e-8
    assert np.abs(np.diff(_headings(built, np.linspace(0, built.length, 500)))).sum() == pytest.approx(
        6.0 * np.pi
    )


def test_that_a_banked_turn_leans_as_its_curvature_comes() -> None:
    turn = BankedTurnSection(name="t", pose=POSE, radius=22.0, angle=1.7, bank=0.9, transition=14.0)
    built = _built(turn)
    state = built.centreline.state(np.linspace(0.0, built.length, 300))
    curvature = np.linalg.norm(state.curve[:, 2], axis=1)
    assert np.abs(state.cant + 0.9 * 22.0 * curvature).max() < 2e-6
    assert np.abs(state.twist[[0, -1], 0]).max() < 1e-9


def test_that_a_railway_curve_follows_from_its_degree() -> None:
    """Radius 5729.58 ft over the degree of curve by arc; offset and angle of the spiral from its power series,
    angle L/(2R) and offset L^2/(6R) (1 - L^2/(56 R^2) + ..)."""
    degrees, foot = 3.0, 0.3048
    curve = RailwayCurveSection(
        name="c", pose=POSE, curve_radius=None, degree=np.radians(degrees), curve_length=91.44, spiral=91.44,
        superelevation=0.0762, tangent_in=60.96, tangent_out=121.92, smoothness="linear",
    )  # fmt: skip
    built = _built(curve, gauge=1.5)
    radius = 5729.58 * foot / degrees
    assert built.length == pytest.approx(60.96 + 91.44 * 3 + 121.92, abs=1e-8)
    at = 60.96 + 91.44
    there = _local(built.centreline.position(at), 0.7)[0]
    angle = 91.44 / (2.0 * radius)
    assert there[1] == pytest.approx(91.44**2 / (6.0 * radius) * (1.0 - angle**2 / 14.0), abs=1e-4)
    assert _headings(built, np.array([0.0, at]))[1] - 0.7 == pytest.approx(angle, abs=1e-6)
    middle = built.centreline.state([at + 45.0])
    assert 1.0 / np.linalg.norm(middle.curve[0, 2]) == pytest.approx(radius, rel=1e-6)
    assert middle.cant[0] == pytest.approx(-np.arcsin(0.0762 / 1.5), abs=1e-9)
    assert np.abs(built.centreline.state([0.0, built.length]).cant).max() < 1e-9


def test_that_a_straight_by_length_goes_on_exactly() -> None:
    turn = ArcSection(name="a", pose=SLOPING, radius=19.0, angle=1.1)
    built = _built(turn, StraightSection(name="s", length=37.5))
    span = built.sections[1]
    state = built.centreline.state(np.linspace(span.s0, span.s1, 9))
    chord = state.curve[-1, 0] - state.curve[0, 0]
    assert np.linalg.norm(chord) == pytest.approx(37.5, abs=1e-9)
    assert np.abs(state.curve[:, 2]).max() < 1e-12
    before = built.centreline.state([span.s0], from_left=True)
    assert np.abs(before.tangent[0] - chord / 37.5).max() < 1e-12


def test_that_what_cannot_be_is_refused_with_its_section() -> None:
    with pytest.raises(InputError, match="Section 'a': the transitions alone turn by more than"):
        _built(ArcSection(name="a", radius=20.0, angle=0.1))
    with pytest.raises(InputError, match="Section 'a': the cant changes and needs a transition"):
        _built(ArcSection(name="a", transition_in=0.0, cant=0.4))
    with pytest.raises(
        InputError, match=r"Section 'c': a superelevation of 0.4 m is too much for a gauge of 0.43 m"
    ):
        _built(RailwayCurveSection(name="c", superelevation=0.4), gauge=0.43)
    vertical = ArcSection(name="up", direction="up", radius=10.0, angle=np.pi / 2, transition_out=0.0)
    with pytest.raises(InputError, match="Section 'a': the track is vertical here"):
        _built(vertical, ArcSection(name="a"))
    with pytest.raises(InputError, match=r"Section 'b' starts 1.000 m from where the track has come to"):
        _built(
            TransitionSection(name="a", curvature=0.0, pose=POSE),
            TransitionSection(name="b", pose=POSE.model_copy(update={"position": _beyond()})),
        )


def _beyond() -> tuple[float, float, float]:
    x, y, z = np.array(POSE.position) + 11.0 * np.array([np.cos(0.7), np.sin(0.7), 0.0])
    return float(x), float(y), float(z)


@pytest.mark.parametrize(
    "fields",
    [
        {"radius": 0.0},
        {"radius": float("nan")},
        {"angle": -1.0},
        {"angle": float("inf")},
        {"transition_in": -0.1},
    ],
)
def test_that_absurd_numbers_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="1 validation error"):
        ArcSection(name="a", **fields)


def test_that_a_railway_curve_wants_one_size() -> None:
    with pytest.raises(ValueError, match="give either curve_radius or degree"):
        RailwayCurveSection(name="c", curve_radius=300.0, degree=0.05)
    with pytest.raises(ValueError, match="give either end or length"):
        StraightSection(name="s")
