"""Ties of nodes to interface frames: rigid (the nodes move with the frame) and averaging (the frame with their mean).

Both are linear constraints; the unknowns they fix are eliminated, q_all = T q, so that K and M of what is left are
T^T K T and T^T M T: exact, no penalty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import qr
from scipy.sparse import coo_matrix, csc_matrix, identity

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from .model import DIRECTIONS, NONE, Structure

FARTHEST_TIE = 0.7  # of the diagonal of a structure


@dataclass(frozen=True)
class Tie:
    """A frame at a place (3,) m that nodes are tied to. kind: "rigid" holds the nodes together like a flange (RBE2);
    "averaging" leaves them free against one another, the frame moves with their mean (RBE3); weights: of the nodes in
    it, none where they count alike."""

    frame: str
    place: tuple[float, float, float]
    nodes: tuple[int, ...]
    kind: Literal["rigid", "averaging"] = "rigid"
    weights: tuple[float, ...] = ()


@dataclass(frozen=True)
class Tied:
    """A structure with its frames; T (unknowns before and frames, unknowns left): what all unknowns are."""

    structure: Structure
    T: csc_matrix


def tie(structure: Structure, ties: Sequence[Tie]) -> Tied:
    """Add a frame of six unknowns for every tie and eliminate what it fixes.

    Parameters
    ----------
    structure
        As it is without them.
    ties
        Frames and the nodes that are tied to each.

    Returns
    -------
    The structure with its frames.

    Raises
    ------
    InputError
        When a tie has no nodes, or those of an averaging one lie on a line, a node is not there, belongs to two rigid
        ties, or is too far away for one.
    """
    _check(structure, ties)
    n, size = len(structure.nodes), structure.size
    nodes = np.vstack([structure.nodes, *([t.place] for t in ties)])
    extra = size + np.arange(DIRECTIONS * len(ties)).reshape(-1, DIRECTIONS)
    unknowns = np.vstack([structure.unknowns, extra])
    fixed: list[int] = []
    rows: list[tuple[int, int, float]] = []  # of the fixed unknowns: which, from which, how much
    for k, one in enumerate(ties):
        depends = _rigid if one.kind == "rigid" else _averaging
        for unknown, sources, shares in depends(structure, one, extra[k]):
            fixed.append(unknown)
            rows += [(unknown, source, share) for source, share in zip(sources, shares, strict=True)]
    kept = np.setdiff1d(np.arange(size + extra.size), fixed)
    number = np.full(size + extra.size, NONE, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    which, sources, shares = (np.array([r[k] for r in rows]) for k in range(3))
    values = coo_matrix((shares, (which, number[sources])), shape=(size + extra.size, len(kept)))
    T = csc_matrix(identity(size + extra.size, format="csc")[:, kept] + values)
    K, M = (csc_matrix(T[:size].T @ matrix @ T[:size]) for matrix in (structure.K, structure.M))
    left = np.where(unknowns == NONE, NONE, number[unknowns])
    frames = {**structure.frames, **{t.frame: n + k for k, t in enumerate(ties)}}
    return Tied(Structure(nodes, left, K, M, frames), T)


def _check(structure: Structure, ties: Sequence[Tie]) -> None:
    held: dict[int, str] = {}
    for one in ties:
        again = next((k for k, node in enumerate(one.nodes) if node in one.nodes[:k]), None)
        if again is not None:
            raise InputError(f"Frame '{one.frame}' names node {one.nodes[again]} twice; keep one.")
        if not one.nodes:
            raise InputError(f"Frame '{one.frame}' is tied to no node; choose the nodes it is to move with.")
        outside = [k for k in one.nodes if not 0 <= k < len(structure.nodes)]
        if outside:
            raise InputError(
                f"Frame '{one.frame}' is tied to node {outside[0]}, but the nodes are 0 to {len(structure.nodes) - 1}."
            )
        if one.kind == "rigid":
            _check_reach(structure.nodes, one)
            twice = next((k for k in one.nodes if k in held), None)
            if twice is not None:
                raise InputError(
                    f"Node {twice} is tied rigidly to '{held[twice]}' and to '{one.frame}'; it can follow only one."
                )
            held.update(dict.fromkeys(one.nodes, one.frame))
    for one in ties:
        shared = next((k for k in one.nodes if one.kind == "averaging" and k in held), None)
        if shared is not None:
            raise InputError(
                f"Node {shared} follows '{held[shared]}' rigidly; leave it out of the mean of '{one.frame}'."
            )


def _check_reach(nodes: Array, one: Tie) -> None:
    """Refuse a rigid tie that makes half of a structure of these nodes (n, 3) rigid."""
    size = float(np.linalg.norm(np.ptp(nodes, axis=0)))
    away = np.linalg.norm(nodes[list(one.nodes)] - np.array(one.place), axis=1)
    if away.max() > FARTHEST_TIE * size:
        node = one.nodes[int(away.argmax())]
        where = ", ".join(f"{x:.4g}" for x in nodes[node])
        raise InputError(
            say(
                "Frame '{frame}' is tied to node {node} at ({where}) m, {max:.4g m} away in a structure of"
                " {size:.4g m}; tie it to the nodes of its own flange or hub.",
                frame=one.frame,
                node=node,
                where=where,
                max=away.max(),
                size=size,
            )
        )


def _levers(structure: Structure, one: Tie) -> Array:
    """How the translations of the nodes move with the frame (nodes, 3, 6)."""
    arms = structure.nodes[list(one.nodes)] - np.array(one.place)
    out = np.zeros((len(arms), 3, DIRECTIONS))
    out[:, range(3), range(3)] = 1.0
    out[:, 0, 4], out[:, 0, 5] = arms[:, 2], -arms[:, 1]
    out[:, 1, 3], out[:, 1, 5] = -arms[:, 2], arms[:, 0]
    out[:, 2, 3], out[:, 2, 4] = arms[:, 1], -arms[:, 0]
    return out


def _rigid(structure: Structure, one: Tie, frame: Integers) -> list[tuple[int, Integers, Array]]:
    out = []
    for node, lever in zip(one.nodes, _levers(structure, one), strict=True):
        own = structure.unknowns[node]
        out += [(int(own[c]), frame, lever[c]) for c in range(3) if own[c] != NONE]
        out += [(int(own[3 + c]), frame[3 + c : 4 + c], np.ones(1)) for c in range(3) if own[3 + c] != NONE]
    return out


def _averaging(structure: Structure, one: Tie, frame: Integers) -> list[tuple[int, Integers, Array]]:
    """The frame's motion is the one that fits the nodes' translations best: W u = w. The six nodal unknowns that the
    frame can best replace are eliminated, so that the frame keeps its own."""
    lever = _levers(structure, one).reshape(-1, DIRECTIONS)
    own = structure.unknowns[list(one.nodes), :3].ravel()
    scale = np.linalg.norm(lever, axis=0)
    if len(one.nodes) < 3 or np.linalg.matrix_rank(lever / scale, tol=1e-8) < DIRECTIONS:
        raise InputError(
            f"Frame '{one.frame}' averages {len(one.nodes)} nodes on a line; take at least three that span a plane."
        )
    root = np.sqrt(np.repeat(one.weights or np.ones(len(one.nodes)), 3))
    W = np.linalg.lstsq(lever * root[:, None], np.diag(root), rcond=None)[0]
    pivots = qr(W, pivoting=True, mode="r")[1][:DIRECTIONS]
    rest = np.setdiff1d(np.arange(len(own)), pivots)
    inverse = np.linalg.inv(W[:, pivots])
    shares = np.hstack([inverse, -inverse @ W[:, rest]])
    sources = np.concatenate([frame, own[rest]])
    return [(int(own[p]), sources, shares[k]) for k, p in enumerate(pivots)]
