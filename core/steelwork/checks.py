"""What the steel bears of actions in combination: utilisation of members, buckling, deflection, footings.

Strength: von Mises in the outermost fibre, weight, wind and the rest added to the forces that the train makes at the
instants at which a fibre of the section is stressed most or least, at most f_y / gamma_M0 (EN 1993-1-1:2005, 6.2.1(5)).
Columns besides by 6.3.3 with the factors of annex B for sections of class 3, as of a round tube bent one way by the
resultant of both moments: N / (chi A f_y / gamma_M1) + k M / (W f_y / gamma_M1), k = 1 + 0.6 n min(lambda, 1),
C_m 1; so are chords and braces of lattices between their joints (`braces`). The whole frame: the smallest factor of its
loads at which it buckles; below 10 moments of second order count (5.2.1(3)).
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..track.actions import Actions, Combination
from ..track.steelwork import Steelwork
from .actions import AtRest, cases, of_weight
from .braces import WAYS, Parts
from .buckling import critical, euler, interaction, reduction
from .frame import SteelFrame
from .members import von_mises
from .rails import RailBending
from .ride import SteelRide

SECOND_ORDER = 10.0
FOOTING_COLUMNS = ("x_N", "y_N", "down_N", "about_x_Nm", "about_y_Nm", "about_z_Nm")
DIRECTED = ("wind_in", "wind_out", "earthquake", "temperature")


class MemberCheck(NamedTuple):
    """How far a member is used: 1 is all. by: "stress", "buckling" or "joint"; combination; stress (Pa); N, T, M: axial
    force (N, tension positive), torsion and resultant bending moment (N m) there; s (m) of its place on the track."""

    name: str
    share: float
    by: str
    combination: str
    stress: float
    N: float
    T: float
    M: float
    s: float


class CombinationCheck(NamedTuple):
    """One combination: the member used most by it and how far ("" where only deflection counts); critical: factor of
    the loads at which the frame buckles; deflection (m) of the track at most, where (s, m), what part of the allowed
    one it is; least and most (footings, 6): what the footings press on the ground with, downwards positive."""

    combination: Combination
    member: str
    share: float
    critical: float
    deflection: float
    s: float
    deflection_share: float
    least: Array
    most: Array


class SteelChecks(NamedTuple):
    """All combinations in their order, and members, the one used most first; about: where the figures of the actions
    are from, and how sure they are."""

    combinations: tuple[CombinationCheck, ...]
    members: tuple[MemberCheck, ...]
    about: str = ""

    @property
    def share(self) -> float:
        """Of the member used most."""
        return max((one.share for one in self.members), default=0.0)


@dataclass(frozen=True, eq=False)
class _Columns:
    """Of the pieces that are of columns: which (k,), and of these area, modulus of bending, chi, slenderness (k,)."""

    which: Integers
    area: Array
    modulus: Array
    chi: Array
    slenderness: Array

    @classmethod
    def of(cls, frame: SteelFrame, actions: Actions) -> _Columns:
        which: Integers = np.flatnonzero(
            [piece.beam >= len(frame.stations) - 1 for piece in frame.pieces]
        ).astype(np.int64)
        pieces = [frame.pieces[k] for k in which]
        beams = np.array([piece.beam for piece in pieces], dtype=np.int64)
        lengths = np.zeros(len(frame.members))
        np.add.at(lengths, beams, [piece.length for piece in pieces])
        area = np.array([piece.section.area for piece in pieces])
        I = np.array([piece.section.Iy for piece in pieces])
        radius = np.array([piece.section.reach[0] for piece in pieces])
        E = np.array([piece.material.E for piece in pieces])
        N_cr = euler(E, I, actions.buckling_length * lengths[beams])
        slenderness = np.sqrt(area * actions.yield_strength / N_cr)
        return cls(which, area, I / radius, reduction(slenderness, actions.imperfection), slenderness)

    def used(self, inside: Array, actions: Actions) -> Array:
        """6.3.3 (k, 2, n) of forces inside (pieces, 2, 6, n); 0 in tension, where strength counts."""
        own = inside[self.which]
        stands = actions.yield_strength / actions.buckling_factor
        area, W, chi, slender = (
            one[:, None, None] for one in (self.area, self.modulus, self.chi, self.slenderness)
        )
        m = np.hypot(own[:, :, 4], own[:, :, 5]) / (W * stands)
        return interaction(-own[:, :, 0] / (chi * area * stands), m, slender)


def checked(
    frame: SteelFrame, ride: SteelRide, rules: Steelwork, bending: RailBending | None = None
) -> SteelChecks:
    """The combinations of the rules over a frame and a ride with its `extremes`; bending: what its wheels bend of the
    rails."""
    actions, found = rules.actions, cases(frame, rules.actions)
    columns, parts = _Columns.of(frame, actions), Parts.of(frame, actions, bending)
    assert ride.extremes is not None
    train = ride.extremes.forces - found["weight"].inside[0][:, :, None, None]
    states = np.moveaxis(train.reshape(*train.shape[:2], -1, 6), -1, 2)  # (pieces, 2, 6, states)
    best: dict[str, MemberCheck] = {}
    combinations = []
    for one in actions.combinations:
        rest = list(_static(one, found))
        member, share, least_factor = "", 0.0, np.inf
        if one.limit == "strength":
            member, share = max(
                _strength(frame, actions, one, rest, states, columns, best),
                _braced(frame, actions, one, rest, states, parts, best),
                key=lambda most: most[1],
            )
            least_factor = min(critical(frame, _tension(case, one, actions, states)) for case in rest)
        deflection, s, part = _deflection(frame, rules, one, rest, ride)
        least, most = _on_footings(one, actions, rest, ride)
        combinations.append(
            CombinationCheck(one, member, share, least_factor, deflection, s, part, least, most)
        )
    members = sorted(best.values(), key=lambda one: -one.share)
    return SteelChecks(tuple(combinations), tuple(members), actions.about)


def _static(one: Combination, found: dict[str, AtRest]) -> list[AtRest]:
    """The actions that do not move, multiplied and added, for every direction of those that have one, warmer and
    colder."""
    directed = [name for name in DIRECTED if getattr(one, name) > 0.0]
    out = []
    for chosen in product(*(range(len(found[name].q)) for name in directed)):
        parts = [("weight", 0), ("ice", 0), *zip(directed, chosen, strict=True)]
        fields = (
            np.sum([getattr(one, name) * found[name][field][k] for name, k in parts], axis=0)
            for field in range(len(AtRest._fields))
        )
        out.append(AtRest(*fields))
    return out


def _train(one: Combination, actions: Actions) -> float:
    return one.train * actions.impact


def _strength(
    frame: SteelFrame,
    actions: Actions,
    one: Combination,
    rest: list[AtRest],
    states: Array,
    columns: _Columns,
    best: dict[str, MemberCheck],
) -> tuple[str, float]:
    """The member used most by a combination and how far; `best` is told of those that are used more than before."""
    stands, beams = (
        actions.yield_strength / actions.section_factor,
        np.array([piece.beam for piece in frame.pieces]),
    )
    of_all = "", 0.0
    for case in rest:
        inside = case.inside[..., None] + _moving(one, actions, states)
        stress = von_mises(frame, inside)
        used = {"stress": stress / stands, "buckling": np.zeros_like(stress)}
        used["buckling"][columns.which] = columns.used(inside, actions)
        for by, share in used.items():
            largest = share.reshape(len(share), -1).max(axis=1)
            for beam in np.unique(beams):
                own = np.flatnonzero(beams == beam)
                piece, name = int(own[np.argmax(largest[own])]), frame.members[beam]
                if largest[piece] > of_all[1]:
                    of_all = name, float(largest[piece])
                if name in best and largest[piece] <= best[name].share:
                    continue
                end, k = np.unravel_index(int(np.argmax(share[piece])), share[piece].shape)
                N, _, _, T, My, Mz = inside[piece, end, :, k].tolist()
                s = frame.place(int(beam), int(end))
                best[name] = MemberCheck(
                    name, float(largest[piece]), by, one.name, float(stress[piece, end, k]), N, T,
                    float(np.hypot(My, Mz)), s,
                )  # fmt: skip
    return of_all


def _moving(one: Combination, actions: Actions, states: Array) -> Array:
    """What the train adds to the forces inside (pieces, 2, 6, n)."""
    factor = _train(one, actions)
    out: Array = factor * (states if factor > 0.0 else states[..., :1])
    return out


def _braced(
    frame: SteelFrame,
    actions: Actions,
    one: Combination,
    rest: list[AtRest],
    states: Array,
    parts: Parts,
    best: dict[str, MemberCheck],
) -> tuple[str, float]:
    """`_strength` of chords and braces of lattices."""
    of_all = "", 0.0
    for case in rest if parts.names else ():
        inside = case.inside[..., None] + _moving(one, actions, states)
        used = parts.used(inside, actions, _train(one, actions))
        for k, name in enumerate(parts.names):
            share = float(used.share[k])
            if share > of_all[1]:
                of_all = name, share
            if name in best and share <= best[name].share:
                continue
            s = frame.place(frame.pieces[parts.which[k]].beam, int(used.end[k]))
            by, stress, N, M = WAYS[used.by[k]], float(used.stress[k]), float(used.N[k]), float(used.M[k])
            best[name] = MemberCheck(name, share, by, one.name, stress, N, 0.0, M, s)
    return of_all


def _tension(case: AtRest, one: Combination, actions: Actions, states: Array) -> Array:
    """Axial force (pieces,) N, of the train the lowest anywhere at any time."""
    out: Array = case.inside[:, :, 0].mean(axis=1)
    if _train(one, actions) > 0.0:
        out = out + _train(one, actions) * states[:, :, 0].min(axis=(1, 2))
    return out


def _deflection(
    frame: SteelFrame, rules: Steelwork, one: Combination, rest: list[AtRest], ride: SteelRide
) -> tuple[float, float, float]:
    """Deflection (m) that takes most of what is allowed, where (m) and what part of it that is; that of the weight
    alone is built in."""
    bays = frame.pieces[: len(frame.stations) - 1]
    nodes = np.array([bays[0].ends[0], *(piece.ends[1] for piece in bays)])
    ground = min((foot.place[2] for foot in frame.footings), default=0.0)
    allowed = rules.actions.deflection * np.maximum(frame.structure.nodes[nodes, 2] - ground, rules.spacing)
    built_in = one.weight * of_weight(frame).q[frame.structure.unknowns[nodes, :3]]
    moving = one.train * ride.deflection if one.train > 0.0 else np.zeros((1, len(nodes), 3))
    best = 0.0, 0.0, 0.0
    for case in rest:
        moved = np.linalg.norm(moving + case.q[frame.structure.unknowns[nodes, :3]] - built_in, axis=2).max(
            axis=0
        )
        k = int(np.argmax(moved / allowed))
        if moved[k] / allowed[k] > best[2]:
            best = float(moved[k]), float(frame.stations[k]), float(moved[k] / allowed[k])
    return best


def _on_footings(
    one: Combination, actions: Actions, rest: list[AtRest], ride: SteelRide
) -> tuple[Array, Array]:
    """Least and most (footings, 6) that the footings press on the ground with, downwards positive."""
    signs = np.array([1.0, 1.0, -1.0, 1.0, 1.0, 1.0])
    still = np.array([case.reactions for case in rest]) * signs
    least, most = still.min(axis=0), still.max(axis=0)
    if _train(one, actions) > 0.0:
        moving = (ride.reactions - ride.dead) * signs
        least = least + _train(one, actions) * moving.min(axis=0)
        most = most + _train(one, actions) * moving.max(axis=0)
    return least, most


def reactions_csv(frame: SteelFrame, checks: SteelChecks) -> str:
    """Least and most load of every footing in every combination, for who designs the concrete."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    heads = [f"{kind}_{name}" for kind in ("least", "most") for name in FOOTING_COLUMNS]
    write.writerow(["footing", "x_m", "y_m", "z_m", "combination", "judged_by", *heads])
    for k, foot in enumerate(frame.footings):
        for one in checks.combinations:
            values = (f"{value:.1f}" for row in (one.least[k], one.most[k]) for value in row)
            place = (f"{value:.3f}" for value in foot.place)
            write.writerow([foot.name, *place, one.combination.name, one.combination.limit, *values])
    return out.getvalue()
