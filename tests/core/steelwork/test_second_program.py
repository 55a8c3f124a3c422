"""The frame against OpenSees, which has beams, rigid offsets and a solver of its own: the same moves and forces.

Needs the package openseespy and, on Linux, the system's BLAS and LAPACK.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.frame import SteelFrame
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.members import forces_inside
from ridewright.core.structure.beams import Piece
from ridewright.core.track.build import build_track

Load = tuple[float, Array, Array]  # s (m), point (3,) m, force (3,) N


@pytest.fixture
def opensees() -> Any:
    try:
        import openseespy.opensees as ops
    except (ImportError, RuntimeError) as error:  # it turns a library that is missing into the latter
        pytest.skip(f"openseespy: {error}")
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    yield ops
    ops.wipe()


class Model:
    """A frame as OpenSees has it, with a force on a bay that is cut where it stands."""

    def __init__(self, ops: Any, frame: SteelFrame, load: Load, bay: int) -> None:
        self.ops, self.frame, self.count = ops, frame, len(frame.structure.nodes)
        s, point, force = load
        for k, at in enumerate(frame.structure.nodes.tolist()):
            ops.node(k, *at)
        for k, piece in enumerate(frame.pieces):
            i, j = (self.joined(node, at) for node, at in zip(piece.ends, _ends(piece), strict=True))
            if k != bay:
                self.beam(k, piece, i, j)
                continue
            x = (s - frame.stations[k]) / (frame.stations[k + 1] - frame.stations[k])
            cut = piece.start + x * piece.length * piece.axes[:, 0]
            loaded = self.node(cut)
            self.beam(k, piece, i, loaded)
            self.beam(len(frame.pieces), piece, loaded, j)
        for k, stiffness in enumerate(frame.stiffness):
            ops.uniaxialMaterial("Elastic", k + 1, stiffness)
        springs = ("-mat", 1, 2, 3, 4, 5, 6, "-dir", 1, 2, 3, 4, 5, 6)
        for k, foot in enumerate(frame.footings):
            below = self.node(frame.structure.nodes[foot.node])
            ops.fix(below, 1, 1, 1, 1, 1, 1)
            ops.element("zeroLength", len(frame.pieces) + 1 + k, below, foot.node, *springs)
        ops.timeSeries("Constant", 1)
        ops.pattern("Plain", 1, 1)
        ops.load(loaded, *force.tolist(), *np.cross(point - cut, force).tolist())

    def node(self, at: Array) -> int:
        """A new node."""
        self.count += 1
        self.ops.node(self.count, *at.tolist())
        return self.count

    def joined(self, node: int, at: Array) -> int:
        """The node itself, or a new one beside it that it carries rigidly (the offsets of the Timoshenko beam of
        OpenSees 3.7 count for its length alone)."""
        if np.linalg.norm(at - self.frame.structure.nodes[node]) < 1e-12:
            return node
        new = self.node(at)
        self.ops.rigidLink("beam", node, new)
        return new

    def beam(self, tag: int, piece: Piece, i: int, j: int) -> None:
        """A Timoshenko beam between two nodes."""
        section, steel = piece.section, piece.material
        self.ops.geomTransf("Linear", tag, *piece.axes[:, 2].tolist())
        self.ops.element(
            "ElasticTimoshenkoBeam", tag, i, j, steel.E, steel.G, section.area, section.torsion, section.Iy,
            section.Iz, section.shear_y, section.shear_z, tag,
        )  # fmt: skip

    def solved(self) -> tuple[Array, Array]:
        """Moves of the nodes (nodes, 6), and what acts on the ends of the pieces (pieces, 12), in their axes."""
        ops = self.ops
        ops.constraints("Transformation")
        ops.numberer("RCM")
        ops.system("UmfPack")
        ops.algorithm("Linear")
        ops.integrator("LoadControl", 1.0)
        ops.analysis("Static")
        assert ops.analyze(1) == 0
        moves = np.array([ops.nodeDisp(k) for k in range(len(self.frame.structure.nodes))])
        return moves, np.array([ops.eleResponse(k, "localForce") for k in range(len(self.frame.pieces))])


def _ends(piece: Piece) -> tuple[Array, Array]:
    return piece.start, piece.start + piece.length * piece.axes[:, 0]


def test_that_bays_and_columns_move_and_bear_as_in_opensees(opensees: Any) -> None:
    """The whole Looping Star, a force of no direction in particular beside a banked bay between two nodes: moves and
    forces inside to 1e-6 of the largest of their kind, in the bays and in the columns, which are bent."""
    project = load_example("looping_star")
    assert project.track is not None
    frame = steel_frame(build_track(project.track), project.steelwork)
    bay = int(np.argmax([abs(piece.axes[2, 1]) for piece in frame.pieces[: len(frame.stations) - 1]]))
    s = float(frame.stations[bay] + 0.37 * np.diff(frame.stations)[bay])
    point = frame.pieces[bay].start + np.array([0.4, 0.3, 0.9])
    force = np.array([9e3, -2.3e4, -4.1e4])
    moves, ends = Model(opensees, frame, (s, point, force), bay).solved()
    beams, loads = frame.loads(np.array([s]), point[None], force[None])
    q = frame.factor.solve(frame.vector(beams, loads))
    ours = q[frame.structure.unknowns]
    for part in (slice(0, 3), slice(3, 6)):
        assert np.abs(ours[:, part] - moves[:, part]).max() < 1e-6 * np.abs(moves[:, part]).max()
    inside = forces_inside(frame, q[:, None], beams[:, None], loads[:, None])[..., 0]
    theirs = np.stack([-ends[:, :6], ends[:, 6:]], axis=1)
    bays = [k for k in range(len(frame.stations) - 1) if k != bay]
    for which in (bays, list(range(len(frame.stations) - 1, len(frame.pieces)))):
        assert np.abs(theirs[which][..., 4:]).max() > 1e3  # N m: the columns are bent, too
        for part in (slice(0, 3), slice(3, 6)):
            largest = np.abs(theirs[which][..., part]).max()
            assert np.abs(inside[which] - theirs[which])[..., part].max() < 1e-6 * largest
