"""Sections of lattices beside the lattice itself, node by node: a cantilever bent down and aside, and twisted."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.actions import at_rest, weight
from ridewright.core.steelwork.framing import _made, steel_frame
from ridewright.core.steelwork.members import forces_inside
from ridewright.core.structure.beams import Beam, Spring, frame
from ridewright.core.structure.sections import Material, tube
from ridewright.core.track.build import build_track
from ridewright.core.track.steelwork import SpineRule, Steelwork

GAUGE, STIFF = 1.1, 1e12
RULES = Steelwork(depth=0.9)
Kind = Literal["ladder", "triangle", "box"]


def rule_of(kind: Kind) -> SpineRule:
    return SpineRule(kind=kind, diameter=0.1683, wall=0.01, panel=0.8)


def lattice(kind: Kind, panels: int) -> tuple[dict[str, tuple[float, float, float]], list[Beam], list[str]]:
    """Nodes, beams and the nodes of the last frame of a lattice as the rule describes it; ends are closed by stiff
    frames, as what they join is."""
    rule = rule_of(kind)
    below = {"ladder": (), "triangle": (0.0,), "box": (-0.5 * GAUGE, 0.5 * GAUGE)}[kind]
    places = [(0.5 * GAUGE, 0.0), (-0.5 * GAUGE, 0.0), *((y, -RULES.depth) for y in below)]
    rail, chord = tube(RULES.rail_diameter, RULES.rail_wall), tube(rule.diameter, rule.wall)
    brace, plate = tube(rule.brace_diameter, rule.brace_wall), tube(0.4, 0.04)
    nodes = {f"{c} {k}": (k * rule.panel, y, z) for k in range(panels + 1) for c, (y, z) in enumerate(places)}
    beams = []
    around = [(a, (a + 1) % len(places)) for a in range(1, len(places))] if below else []
    for k in range(panels + 1):
        last = k in (0, panels)
        pairs = [(0, 1), *(around if last else ())]
        for a, b in pairs:
            beams.append(
                Beam(f"{a} {k}", f"{b} {k}", plate if last else brace, up=(1.0, 0.0, 0.0), elements=1)
            )
        if k == panels:
            continue
        for c in range(len(places)):
            beams.append(Beam(f"{c} {k}", f"{c} {k + 1}", rail if c < 2 else chord, elements=1))
        for a, b in around:
            first, second = (a, b) if k % 2 == 0 else (b, a)
            beams.append(
                Beam(
                    f"{first} {k}", f"{second} {k + 1}", brace, up=(0.3, 0.2, 1.0), hinges_i="yz", hinges_j="yz",
                    elements=1,
                )
            )  # fmt: skip
    return nodes, beams, [f"{c} {panels}" for c in range(len(places))]


def gives(kind: Kind, panels: int, force: tuple[float, float, float], twisted: bool) -> float:
    """How far the end of the lattice moves along the force (m), or turns by a pair of them at the rails (rad)."""
    nodes, beams, ends = lattice(kind, panels)
    held = [Spring(name, None, (STIFF,) * 6) for name in nodes if name.endswith(" 0")]
    if force[1]:  # aside without a twist, as what it is borne by is not at the middle of its height
        held.append(Spring(ends[0], None, (0.0, 0.0, 0.0, STIFF, 0.0, 0.0)))
    built = frame(nodes, beams, held)
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    f = np.zeros(built.size)
    if twisted:
        for name, sign in ((ends[0], 1.0), (ends[1], -1.0)):
            f[built.of_frame(name)[2]] = sign / GAUGE
    else:
        for name in ends:
            f[built.of_frame(name)[:3]] = np.array(force) / len(ends)
    q = splu(csc_matrix(built.K)).solve(f)
    if twisted:
        return float(q[built.of_frame(ends[0])[2]] - q[built.of_frame(ends[1])[2]]) / GAUGE
    return float(np.mean([q[built.of_frame(name)[:3]] @ np.array(force) for name in ends]))


def expected(kind: Kind, panels: int, way: str) -> float:
    made, steel = _made(RULES, GAUGE, rule_of(kind)).section, Material()
    L = panels * rule_of(kind).panel
    if way == "twist":
        return L / (steel.G * made.torsion)
    I, shear = (made.Iy, made.shear_z) if way == "down" else (made.Iz, made.shear_y)
    return L**3 / (3.0 * steel.E * I) + L / (steel.G * shear)


@pytest.mark.parametrize(
    ("kind", "way"),
    [("ladder", "down"), ("ladder", "aside"), ("triangle", "down"), ("triangle", "aside"), ("triangle", "twist"),
     ("box", "down"), ("box", "aside"), ("box", "twist")],
)  # fmt: skip
def test_that_a_lattice_gives_as_the_beam_that_stands_for_it(kind: Kind, way: str) -> None:
    force = (0.0, 1.0, 0.0) if way == "aside" else (0.0, 0.0, 1.0)
    panels = 120 if way == "twist" else 24  # what is held at the ends cannot warp there
    found = gives(kind, panels, force, way == "twist")
    assert expected(kind, panels, way) == pytest.approx(found, rel=0.002 if way == "down" else 0.05)


def test_that_lattices_stand_in_a_frame_with_their_braces_and_chords() -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    single = steel_frame(built, Steelwork(depth=0.9))
    for kind, chords in (("ladder", 2), ("triangle", 3), ("box", 4)):
        rules = Steelwork(depth=0.9, spines=(rule_of(kind),))
        made = steel_frame(built, rules)
        assert len(np.unique(made.tubes[0], axis=0)) == chords
        line = _made(rules, track.gauge, rule_of(kind))
        assert line.steel > 1.05
        pressed = at_rest(made, weight(made)).reactions[:, 2].sum()
        assert pressed == pytest.approx(-made.mass * 9.81, rel=1e-6)
        assert made.mass != pytest.approx(single.mass, rel=1e-3)


def test_that_an_expansion_joint_bears_nothing_along_the_track_and_bends_on() -> None:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    force = np.array([[3e4, 0.0, -2e4]])
    found = {}
    for every in (0.0, 30.0):
        made = steel_frame(built, Steelwork(expansion=every))
        bay = next(k for k in range(len(made.beams)) if made.stations[k + 1] > 29.0)
        s = made.stations[bay] - 1.0
        beams, ends = made.loads(np.array([s]), built.centreline.position(np.array([s])), force)
        q = made.factor.solve(made.vector(beams, ends))
        found[every] = made, forces_inside(made, q[:, None], beams[:, None], ends[:, None])[..., 0]
    with_joints, inside = found[30.0]
    k = int(np.flatnonzero(np.isclose(with_joints.stations, with_joints.joints[0]))[0]) - 1
    plain = found[0.0][1]
    assert abs(with_joints.joints[0] - 30.0) < 1.0 + 1e-9
    assert np.abs(inside[k, 1, 0]) < 1e-6 * np.abs(inside[..., 0]).max()
    assert np.abs(plain[k, 1, 0]) > 0.01 * np.abs(plain[..., 0]).max()
    assert inside[k, 1, 4] == pytest.approx(inside[k + 1, 0, 4], rel=0.02)
    assert np.abs(inside[k, 1, 4]) > 1e-3 * np.abs(inside[..., 4]).max()
    assert found[0.0][0].joints == ()
