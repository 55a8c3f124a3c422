"""Sections of lattices beside the lattice itself, node by node: a cantilever bent down and aside, and twisted."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.actions import at_rest, weight
from ridewright.core.steelwork.braces import WAYS, Parts
from ridewright.core.steelwork.framing import _made, steel_frame
from ridewright.core.steelwork.members import forces_inside
from ridewright.core.structure.beams import Beam, Spring, frame
from ridewright.core.structure.sections import Material, tube
from ridewright.core.track.actions import Actions
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


def braces_by_hand(kind: Kind, V: tuple[float, float], torque: float) -> dict[str, float]:
    """Axial forces of the diagonals of three chords under Vy, Vz and a torque about their common centre, by statics:
    the walls' forces are those that balance them."""
    made = _made(RULES, GAUGE, rule_of(kind)).lattice
    assert made is not None
    places = np.array([chord[1:3] for chord in made.chords])
    rows, names = [], []
    for wall in made.walls:
        a, b = places[list(wall.chords)]
        way = (b - a) / np.linalg.norm(b - a)
        rows.append([way[0], way[1], a[0] * way[1] - a[1] * way[0]])
        names.append(wall.name)
    forces = np.linalg.solve(np.array(rows).T, [*V, torque])
    panel, high = rule_of(kind).panel, float(np.hypot(0.5 * GAUGE, RULES.depth))
    return {
        name: one * np.hypot(panel, high) / high
        for name, one in zip(names, forces, strict=True)
        if name != "ties"
    }


def test_that_diagonals_of_three_chords_bear_what_statics_says_and_chords_the_moment() -> None:
    lattice_of = _made(RULES, GAUGE, rule_of("triangle")).lattice
    assert lattice_of is not None
    chords = sum(one.section.torsion for one in lattice_of.chords) / lattice_of.section.torsion
    inside = np.array([-3e4, 9e3, -2e4, 1.1e4, 7e4, 4e4])
    parts = {part.name: part for part in lattice_of.parts()}
    expected = braces_by_hand("triangle", (9e3, -2e4), 1.1e4 * (1.0 - chords))
    for name, force in expected.items():
        assert parts[name].rows[0] @ inside == pytest.approx(force, rel=1e-9)
    axial = {name: float(parts[name].rows[0] @ inside) for name in ("left rail", "right rail", "chord")}
    assert sum(axial.values()) == pytest.approx(-3e4, rel=1e-9)
    rail, own = parts["left rail"], lattice_of.section
    assert axial["left rail"] - axial["right rail"] == pytest.approx(
        -2.0 * rail.section.area * 4e4 * 0.5 * GAUGE / own.Iz, rel=1e-9
    )
    bent = sum(parts[name].rows[1] @ inside for name in axial)
    about = sum(axial[name] * chord.z for name, chord in zip(axial, lattice_of.chords, strict=True))
    assert about + bent == pytest.approx(7e4, rel=1e-9)


@pytest.mark.parametrize("kind", ["triangle", "box"])
def test_that_diagonals_bear_what_those_of_the_lattice_node_by_node_do(kind: Kind) -> None:
    """A cantilever bent down: force of the diagonals of both sides half-way, and of the chords below."""
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import splu

    from ridewright.core.structure.beams import lay_out

    panels, load = 24, 1e4
    nodes, beams, ends = lattice(kind, panels)
    held = [Spring(name, None, (STIFF,) * 6) for name in nodes if name.endswith(" 0")]
    built = frame(nodes, beams, held)
    f = np.zeros(built.size)
    for name in ends:
        f[built.of_frame(name)[2]] = -load / len(ends)
    q = splu(csc_matrix(built.K)).solve(f)
    _, _, pieces = lay_out(nodes, beams)
    axial: dict[tuple[str, str], float] = {}
    for piece in pieces:
        beam = beams[piece.beam]
        at = built.unknowns[list(piece.ends)].ravel()
        axial[beam.start, beam.end] = float((piece.K @ piece.moves @ q[at])[6])
    made = _made(RULES, GAUGE, rule_of(kind)).lattice
    assert made is not None
    k = panels // 2
    inside = np.zeros(6)
    inside[2] = -load  # what the part beyond does to this one
    inside[4] = load * (panels - k - 0.5) * rule_of(kind).panel
    below = "2"
    diagonal = next(
        value for (a, b), value in axial.items()
        if {a.split()[0], b.split()[0]} == {"1", below} and {a.split()[1], b.split()[1]} == {str(k), str(k + 1)}
    )  # fmt: skip
    parts = {part.name: part for part in made.parts()}
    side = parts["right diagonals"]
    assert side.swings
    assert abs(side.rows[0] @ inside) == pytest.approx(abs(diagonal), rel=0.03)
    name = "chord" if kind == "triangle" else "right chord"
    found = float(parts[name].rows[0] @ inside)
    both = [axial[f"{below} {j}", f"{below} {j + 1}"] for j in (k - 1, k, k + 1)]
    assert found == pytest.approx(float(np.mean([0.5 * (both[0] + both[2]), both[1]])), rel=0.03)


def test_that_a_compressed_diagonal_is_used_as_far_as_by_hand_and_ties_bend() -> None:
    track = load_example("straight").track
    assert track is not None
    made = steel_frame(build_track(track), Steelwork(depth=0.9, spines=(rule_of("triangle"),)))
    actions = Actions()
    parts = Parts.of(made, actions)
    inside = np.zeros((len(made.pieces), 2, 6, 1))
    inside[3, 1, 2] = 2e4
    used = parts.used(inside, actions)
    k = parts.names.index("bay 4, left diagonals")
    rule, high = rule_of("triangle"), float(np.hypot(0.5 * track.gauge, RULES.depth))
    brace, length = tube(rule.brace_diameter, rule.brace_wall), float(np.hypot(rule.panel, high))
    N = 0.5 * 2e4 * high / RULES.depth * length / high
    slender = np.sqrt(brace.area * 3.55e8 / (np.pi**2 * 2.1e11 * brace.Iy / length**2))
    phi = 0.5 * (1.0 + 0.49 * (slender - 0.2) + slender**2)
    chi = 1.0 / (phi + np.sqrt(phi**2 - slender**2))
    assert -used.N[k] == pytest.approx(N, rel=1e-9)
    assert used.share[k] == pytest.approx(N / (chi * brace.area * 3.55e8 / 1.1), rel=1e-9)
    assert WAYS[used.by[k]] == "buckling"
    assert used.share[parts.names.index("bay 5, left diagonals")] == 0.0
    flat = steel_frame(build_track(track), Steelwork(depth=0.9, spines=(rule_of("ladder"),)))
    inside[:, :, 2], inside[3, 0, 1] = 0.0, 3e3
    ladder = Parts.of(flat, actions)
    tie, rail = (ladder.names.index(f"bay 4, {name}") for name in ("ties", "left rail"))
    bent = ladder.used(inside, actions)
    assert bent.M[tie] == pytest.approx(3e3 * rule.panel / 2.0, rel=1e-9)
    assert bent.M[rail] == pytest.approx(3e3 * rule.panel / 4.0, rel=1e-9)
    assert bent.stress[tie] == pytest.approx(bent.M[tie] * brace.reach[0] / brace.Iy, rel=1e-9)
