"""Bodies of a finished frame that are no beams: matrices of another program, and meshes of solids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.exchange.frame_file import frame_csv
from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.actions import cases, of_weight
from ridewright.core.steelwork.finished import as_finished
from ridewright.core.steelwork.frame import SteelFrame
from ridewright.core.steelwork.loads import loads_of_points
from ridewright.core.steelwork.ride import lowest, ride_over
from ridewright.core.structure.beams import Beam, frame
from ridewright.core.structure.reduction import craig_bampton
from ridewright.core.structure.sections import Material, Section, tube
from ridewright.core.track.actions import Actions
from tests.core.steelwork.frames_in_text import of_text, straight
from tests.core.steelwork.test_finished_frame import BY_HAND

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
meshio = pytest.importorskip("meshio", reason="reads meshes (extra 'structure')")
from tests.core.structure.test_solids import brick  # noqa: E402 - which asks for both

POST = "member, post, b, foot, chord, steel, 1, 0, 0, 0, 0, 0, 0, 0, 0, 6\n"
ROWS = "".join(f"{kind}, post, 0, 0, 0, 0, 0, 0\n" for kind in ("stiffness", "mass") for _ in range(6))
G = 9.81


def by_hand(z: float, post: str) -> str:
    plain = "member, post, b, foot, chord, steel, 1, 0, 0\n"
    text = BY_HAND.format(z=z, low=z - 5.0)
    assert plain in text
    return text.replace("1e3, 1e3, 1e3, 1e3, 1e3, 1e3", "1e9, 1e9, 1e9, 1e9, 1e9, 1e9").replace(plain, post)


def pushed_aside(made: SteelFrame) -> np.ndarray:
    """How far the head of the post moves along x and y (m) under 10 kN along each."""
    load, at = np.zeros((made.structure.size, 2)), made.structure.of_frame("b")[:2]
    load[at, [0, 1]] = 1e4
    return made.moves(load)[at, [0, 1]]


def test_that_a_post_as_matrices_bears_and_swings_as_the_beams_that_they_are_of(tmp_path: Path) -> None:
    built, z = straight()
    beams = [Beam("b", "foot", tube(0.5, 0.02), Material(2.1e11, 8.076923e10), (1.0, 0.0, 0.0), elements=6)]
    own = craig_bampton(frame({"b": (10.0, 0.0, z), "foot": (10.0, 0.0, z - 5.0)}, beams), ["b", "foot"], 6)
    lines = ["body, post, b, foot"]
    for kind, matrix in (("stiffness", own.K), ("mass", own.M)):
        lines += [f"{kind}, post, " + ", ".join(f"{value:.17g}" for value in row) for row in matrix]
    plain, made = of_text(by_hand(z, POST), tmp_path), of_text(by_hand(z, "\n".join(lines) + "\n"), tmp_path)
    assert made.mass == pytest.approx(plain.mass, rel=1e-9)
    assert lowest(made)[0][:3] == pytest.approx(lowest(plain)[0][:3], rel=1e-4)
    assert of_weight(made).reactions == pytest.approx(of_weight(plain).reactions, rel=1e-6, abs=1.0)
    quakes = [cases(one, Actions(earthquake=0.3))["earthquake"].reactions for one in (plain, made)]
    assert quakes[1] == pytest.approx(quakes[0], rel=1e-6, abs=1e-3 * np.abs(quakes[0]).max())
    loads = loads_of_points(load_example("straight"), built)
    loads = loads.at(np.linspace(0.0, 2.0, 200))
    rides = [ride_over(one, loads, 100.0) for one in (plain, made)]
    assert rides[1].balance < 1e-6 * made.mass * G
    pressed = np.abs(rides[0].reactions).max()
    assert np.abs(rides[1].reactions - rides[0].reactions).max() < 1e-3 * pressed
    again = of_text(frame_csv(as_finished(made)), tmp_path)
    assert again.bodies == made.bodies
    assert lowest(again)[0] == pytest.approx(lowest(made)[0], rel=1e-9)


def test_that_a_mesh_of_solids_stands_in_the_place_of_a_post(tmp_path: Path) -> None:
    """A square bar of 0.3 m, against the beam with its section; tied at its ends, whose faces stay plane."""
    _, z = straight()
    side, high = 0.3, 5.0
    solid = brick("hexahedron20", (1, 1, 8), (side, side, high))
    places = solid.nodes + np.array([10.0 - 0.5 * side, -0.5 * side, z - high])
    meshio.write(tmp_path / "post.vtu", meshio.Mesh(places, [("hexahedron20", solid.cells["hexahedron20"])]))
    records = "mesh, post, post.vtu, 2.1e11, 0.3, 7850\ntie, post, b, 0.22\ntie, post, foot, 0.22\n"
    made = of_text(by_hand(z, records), tmp_path)
    I = side**4 / 12.0
    bar = Section(side**2, I, I, 0.1406 * side**4, side**2 / 1.2, side**2 / 1.2)
    figures = ", ".join(
        f"{getattr(bar, one):.9g}" for one in ("area", "Iy", "Iz", "torsion", "shear_y", "shear_z")
    )
    plain = of_text(by_hand(z, f"section, bar, {figures}\n{POST.replace('chord', 'bar')}"), tmp_path)
    assert made.mass == pytest.approx(plain.mass, rel=1e-6)
    assert of_weight(made).reactions[:, 2] == pytest.approx(of_weight(plain).reactions[:, 2], rel=1e-3)
    assert pushed_aside(made) == pytest.approx(pushed_aside(plain), rel=0.02)
    assert lowest(made)[0][0] == pytest.approx(lowest(plain)[0][0], rel=0.01)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("mesh, post, none.vtu\ntie, post, b, 0.2\n", "none.vtu"),
        ("mesh, post, none.vtu\n", "the mesh 'post' is tied to nothing"),
        ("tie, post, b, 0.2\n", "There is no mesh or body 'post'"),
        ("body, post, b, foot\n", "'post' has 0 rows of stiffness and 0 of mass; it has 12 of each"),
        ("body, post, nowhere\n" + ROWS, "joined to the node 'nowhere'"),
        ("body, post\n", "a body has a name and more behind it"),
        ("mesh, post, x.vtu, 2.1e11, z\n", "'z' is no number"),
    ],
)  # fmt: skip
def test_that_a_body_that_is_none_is_refused(tmp_path: Path, records: str, said: str) -> None:
    _, z = straight()
    with pytest.raises(InputError, match=said):
        of_text(by_hand(z, records), tmp_path)


def test_that_a_body_whose_stiffness_is_not_symmetric_is_refused(tmp_path: Path) -> None:
    _, z = straight()
    rows = np.eye(6)
    rows[0, 3] = 0.5
    text = "body, post, b\n" + "".join(
        f"{kind}, post, {', '.join(map(str, row))}\n"
        for kind, some in (("stiffness", rows), ("mass", np.eye(6)))
        for row in some
    )
    with pytest.raises(InputError, match="the stiffness of 'post' is not symmetric in row 4, column 1"):
        of_text(by_hand(z, text), tmp_path)
