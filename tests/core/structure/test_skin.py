"""The outside of beams: closed, of the right size, moving and stressed as the beam."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.structure.beams import Beam, frame, lay_out, lines
from ridewright.core.structure.sections import Material, box, tube
from ridewright.core.structure.skin import Skin, skin_at_rest, skin_of
from ridewright.core.structure.stress import held_under_loads, superposition

STEEL = Material()
NODES = {"root": (0.1, 0.2, 0.3), "tip": (2.1, 0.9, 1.2)}
LENGTH = math.dist(*NODES.values())


def _made(section: object, rounded: bool) -> tuple[Skin, object]:
    beams = [Beam("root", "tip", section, STEEL, up=(0.1, 0.3, 1.0), elements=5)]  # type: ignore[arg-type]
    structure, pieces = frame(NODES, beams), lay_out(NODES, beams)[2]
    shapes = held_under_loads(structure, "tip", "root")
    return skin_of(structure, pieces, shapes, [rounded]), superposition(structure, pieces, shapes)


@pytest.mark.parametrize(
    ("section", "rounded", "area"),
    [
        (box(0.12, 0.08, 0.004), False, 0.12 * 0.08),
        (tube(0.1, 0.006), True, 8.0 * math.sin(math.pi / 8.0) * 0.0025),
    ],
)
def test_that_it_is_closed_looks_outward_and_holds_the_beam(
    section: object, rounded: bool, area: float
) -> None:
    skin, _ = _made(section, rounded)
    a, b, c = (skin.points[skin.faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    inside = np.array(list(NODES.values())).mean(axis=0)
    volume = np.sum((a - inside) * areas) / 6.0
    assert volume == pytest.approx(area * LENGTH, rel=1e-9)
    assert np.sum(areas, axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    real = np.linalg.norm(areas, axis=1) > 1e-12
    assert np.all(np.sum(areas * skin.normals[skin.faces[:, 0]], axis=1)[real] > 0.0)


def test_that_a_loaded_beam_moves_and_is_stressed_as_its_closed_form() -> None:
    section = box(0.12, 0.08, 0.004)
    skin, stress = _made(section, False)
    pull = np.array([*(1e5 * (np.array(NODES["tip"]) - NODES["root"]) / LENGTH), 0.0, 0.0, 0.0])
    assert skin.von_mises(pull) == pytest.approx(np.full(len(skin.points), 1e5 / section.area), rel=1e-9)
    along = (skin.moved(pull) - skin.points) @ pull[:3] / 1e5
    places = (skin.points - NODES["root"]) @ pull[:3] / 1e5
    assert along == pytest.approx(1e5 * places / (STEEL.E * section.area), rel=1e-9, abs=1e-15)
    some = np.array([300.0, -200.0, 500.0, 80.0, -40.0, 60.0])
    known = stress.at  # type: ignore[attr-defined]
    worst = max(known(k, some[None])[1][0] for k in range(len(stress.spots)))  # type: ignore[attr-defined]
    assert skin.von_mises(some).max() == pytest.approx(worst, rel=1e-12)


def test_that_a_twisted_tube_turns_about_its_axis() -> None:
    section = tube(0.1, 0.006)
    skin, _ = _made(section, True)
    axis = (np.array(NODES["tip"]) - NODES["root"]) / LENGTH
    moment = np.array([0.0, 0.0, 0.0, *(1000.0 * axis)])
    gone = skin.moved(moment) - skin.points
    places = (skin.points - NODES["root"]) @ axis
    arms = skin.points - NODES["root"] - places[:, None] * axis
    turn = 1000.0 * places / (STEEL.G * section.torsion)
    assert gone == pytest.approx(turn[:, None] * np.cross(axis, arms), abs=1e-12)
    assert skin.von_mises(moment) == pytest.approx(
        np.full(len(places), math.sqrt(3.0) * 1000.0 / section.twist), rel=1e-9
    )
    assert skin.moved(moment, 50.0) - skin.points == pytest.approx(50.0 * gone)


def test_that_beams_at_rest_look_like_those_that_bend_and_know_which_they_are() -> None:
    nodes = NODES | {"end": (3.0, -1.0, 0.4)}
    beams = [
        Beam("root", "tip", tube(0.1, 0.006), STEEL, elements=3),
        Beam("tip", "end", box(0.12, 0.08, 0.004), STEEL, offset_i=(0.1, 0.2, -0.1), elements=2),
    ]
    structure, pieces = frame(nodes, beams), lay_out(nodes, beams)[2]
    bent = skin_of(structure, pieces, np.zeros((structure.size, 4)), [True, False])
    rest = skin_at_rest(lines(nodes, beams), [True, False])
    for name in ("points", "normals", "faces", "beams"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(bent, name))
    np.testing.assert_array_equal(rest.moved(np.zeros(0)), rest.points)
    # the second beam begins at the end of its arm, apart from all of the first
    far = np.array(nodes["tip"]) + beams[1].offset_i
    away = [np.linalg.norm(rest.points[rest.beams == k] - far, axis=1).min() for k in (0, 1)]
    assert away[1] == pytest.approx(0.5 * math.hypot(0.12, 0.08))
    assert away[0] > away[1]
