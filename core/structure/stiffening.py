"""Geometric stiffness of a free structure between its modes, of the stress that loads make in it.

A load that the inertia of the free structure balances makes a stress s; displacements u then have the further energy
1/2 int s_ab du_c/dx_a du_c/dx_b dV, and the work of the load on their second-order displacement is minus that: among
neighbours of u that differ by terms of second order, those that are taken leave no stress of second order behind. In
slender beams only the tension counts, N w'^2.

Nodes that are tied to a frame turn with it as one, which a linear tie has to first order alone: t x p, p from the
frame. The forces f with which the frame holds its nodes do work on 1/2 t x (t x p), too, which adds
sum f . (t_i x (t_j x p)) to the geometric stiffness. An averaging tie has the same term (derived here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from scipy.sparse import csc_matrix

from ..base.arrays import Array
from .beams import Piece
from .model import DIRECTIONS, Structure
from .reduction import factor, with_held
from .solids import Solid, geometric_stiffness
from .ties import Tie, Tied

if TYPE_CHECKING:
    from .floating import Cloud, Floating


class Load(NamedTuple):
    """Forces (points, 3) N on the mass points of a structure, or a unit force (direction 0 to 2) or moment (3 to 5) at
    a node."""

    forces: Array | None = None
    node: int = -1
    direction: int = 0


class Stiffening(Protocol):
    """What knows the stress of a structure."""

    def under(self, loads: Sequence[Load]) -> Array:
        """Geometric stiffness (loads, modes, modes) N/m, or with turns, of loads and what balances them."""
        ...


@dataclass(frozen=True)
class Meshed:
    """A mesh of solids: its structure before and after it was tied, and its ties; carried: which points of its cloud,
    behind those of its nodes, are of a body at the frame of a tie, by its name."""

    solid: Solid
    whole: Structure
    tied: Tied
    ties: tuple[Tie, ...]
    carried: Mapping[str, slice] = field(default_factory=dict)


class BeamStiffening:
    """Geometric stiffness of beams, of the tension in them."""

    def __init__(self, s: Structure, pieces: Sequence[Piece], cloud: Cloud, shapes: Array) -> None:
        self.s, self.pieces, self.cloud, self.modes = s, pieces, cloud, shapes.shape[1]
        self.R = s.rigid_motions()
        rigid = np.asarray(cloud.moves @ self.R).reshape(-1, 3 * DIRECTIONS)
        self.inertia = cloud.moves.T @ (cloud.mass @ rigid).reshape(-1, DIRECTIONS)
        loose = s.loose_turns()
        inside = np.unique(np.concatenate([piece.ends for piece in pieces]))
        firm = [node for node in inside if not loose[s.unknowns[node]].nnz]
        held = s.unknowns[firm[0] if firm else inside[0]]
        self.free = np.setdiff1d(np.arange(s.size), held)
        self.factor = factor(with_held(csc_matrix(s.K[self.free][:, self.free]), loose[self.free]))
        self.own = [s.unknowns[list(piece.ends)].ravel() for piece in pieces]
        self.each = np.array(
            [
                ends.T @ piece.N @ ends
                for piece, own in zip(pieces, self.own, strict=True)
                for ends in [piece.moves @ shapes[own]]
            ]
        )

    def under(self, loads: Sequence[Load]) -> Array:
        """See `Stiffening`."""
        return np.array([self._under(load) for load in loads])

    def _under(self, given: Load) -> Array:
        load: Array = np.zeros(self.s.size)
        if given.forces is not None:
            load += self.cloud.moves.T @ given.forces.ravel()
        else:
            load[self.s.unknowns[given.node, given.direction]] = 1.0
        rigid = np.linalg.solve(self.R.T @ self.inertia, self.R.T @ load)
        q: Array = np.zeros(self.s.size)
        q[self.free] = self.factor.solve((load - self.inertia @ rigid)[self.free])
        out = np.zeros((self.modes, self.modes))
        for piece, own, each in zip(self.pieces, self.own, self.each, strict=True):
            ends = piece.moves @ q[own]
            out += piece.material.E * piece.section.area / piece.length * (ends[6] - ends[0]) * each
        return out


class SolidStiffening:
    """Geometric stiffness of a mesh of solids, of all its stress.

    The free structure answers the loads of interest by its modes alone when they span the unit motions of the frames
    and the static corrections for rigid and centrifugal accelerations, as `craig_bampton(centrifugal=True)` has them:
    nothing has to be solved for.
    """

    def __init__(self, mesh: Meshed, cloud: Cloud, made: Floating, phi: Array) -> None:
        """made: the body without second-order displacement; phi (points, 3, modes): how the points of the cloud, nodes
        first, move with its modes."""
        self.mesh, self.cloud, self.made, self.phi = mesh, cloud, made, phi

    def under(self, loads: Sequence[Load]) -> Array:
        """See `Stiffening`."""
        forces = np.stack([self._balanced(load) for load in loads])
        q = np.stack([self._static(load, f) for load, f in zip(loads, forces, strict=True)], axis=1)
        nodes = self.phi[: len(self.mesh.whole.nodes)]
        out = geometric_stiffness(self.mesh.solid, nodes, q)
        pulled = self.mesh.whole.K @ (nodes.reshape(-1, len(q)) @ q)
        for k, load in enumerate(loads):
            held = -forces[k]
            held[: len(nodes)] += pulled[:, k].reshape(-1, 3)
            out[k] += self._of_ties(load, held)
        return out

    def _place(self, load: Load) -> Array:
        out: Array = self.mesh.tied.structure.nodes[load.node] - self.made.centre
        return out

    def _balanced(self, load: Load) -> Array:
        """Forces (points, 3) on the cloud of a load and of the inertia that balances it."""
        X, made = self.cloud.places - self.made.centre, self.made
        given = np.zeros_like(X) if load.forces is None else load.forces
        force, moment = given.sum(axis=0), np.cross(X, given).sum(axis=0)
        if load.forces is None:
            unit = np.eye(DIRECTIONS)[load.direction]
            force, moment = unit[:3], unit[3:] + np.cross(self._place(load), unit[:3])
        rigid = force / made.mass + np.cross(np.linalg.solve(made.J0, moment), X)
        out: Array = given - self.cloud.mass @ rigid
        return out

    def _static(self, load: Load, forces: Array) -> Array:
        """The modal coordinates at rest under a load."""
        work = np.einsum("xa,xai->i", forces, self.phi)
        if load.forces is None:
            work += self.made.shapes[self.mesh.tied.structure.unknowns[load.node, load.direction]]
        out: Array = work / self.made.stiffness
        return out

    def _of_ties(self, load: Load, forces: Array) -> Array:
        """What the turning of tied nodes adds, and of bodies at the frames; forces (points, 3): those that keep the
        points in balance, of the ties."""
        s, carried = self.mesh.tied.structure, self.mesh.carried
        out = np.zeros((len(self.made.stiffness), len(self.made.stiffness)))
        for one in self.mesh.ties:
            if one.kind == "averaging" and s.frames[one.frame] != load.node and one.frame not in carried:
                continue  # its frame is loaded by nothing else
            at = list(one.nodes)
            if one.frame in carried:
                at += range(*carried[one.frame].indices(len(forces)))
            S = forces[at].T @ (self.cloud.places[at] - np.array(one.place))
            turns = self.made.shapes[s.of_frame(one.frame)[3:]]
            out += turns.T @ (0.5 * (S + S.T) - np.trace(S) * np.eye(3)) @ turns
        return out
