"""A KexEdit project laid out again: its sections in running order, each as a row of states of the train.

KexEdit defines its geometry by steps of 1/100 s: from each state the direction is turned so that the rider at the
heartline feels the prescribed normal and lateral g (force sections), or by the prescribed pitch and yaw (geometric
sections); the train moves on along the mean of old and new direction; the track is rolled about the heartline;
the speed follows from the energy E = v^2/2 + g (y + mu s), dE/dt = -R v^3, with the centre of mass at 0.9 of the
height of the heartline. The same steps are taken here in double precision. With a higher rate they converge
(first order) to the continuous course; at 100 a second they give the track that KexEdit shows.
Source: behaviour read from the MIT-licensed source of KexEdit (IndividualKex, 2025).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array, Integers
from ...base.errors import InputError
from . import kernels
from .file import CURVES, KexFile, KexNode, KexPoint

RATE = 100.0  # steps a second of KexEdit
LAID = {"force": kernels.FORCE, "geometric": kernels.GEOMETRIC, "curved": kernels.CURVED}
BRIDGE_HANDLE = 0.3  # of the distance, how far the handles of a bridge reach
LONGEST = 3600.0  # s or, divided by 100, km: no section is longer


@dataclass(frozen=True)
class KexSection:
    """A laid section. name; node it comes from; states (n, STATE) as in `kernels`, from its start to its end."""

    name: str
    node: KexNode
    states: Array

    @property
    def heart(self) -> Array:
        """Positions (n, 3) m of the heartline, in the axes of the file."""
        return self.states[:, 0:3]

    @property
    def rail(self) -> Array:
        """Positions (n, 3) m of the rail centreline, in the axes of the file."""
        rail: Array = self.states[:, 0:3] + self.states[:, kernels.HEART, None] * self.states[:, 9:12]
        return rail


@dataclass(frozen=True)
class KexCourse:
    """Sections in running order; left_out: nodes that are not laid; closed: the course ends where it began."""

    sections: tuple[KexSection, ...]
    left_out: tuple[KexNode, ...]
    closed: bool


def state_of(point: KexPoint, rate: float = RATE) -> Array:
    """The state (STATE,) of an anchor, its last step converted to a rate (1/s)."""
    state = np.zeros(kernels.STATE)
    state[0:12] = (*point.position, *point.direction, *point.lateral, *point.normal)
    state[12:21] = (
        point.velocity, point.energy, point.heart_step * RATE / rate, point.rail_run, point.heart_run,
        point.friction_from, point.heart, point.friction, point.resistance,
    )  # fmt: skip
    return state


def rated(state: Array, rate: float) -> Array:
    """A state (STATE,) as steps at a rate (1/s) begin with it: its last step converted, its run in the section none."""
    begun = state.copy()
    begun[kernels.HEART_STEP] *= RATE / rate
    begun[kernels.PLACE] = 0.0
    return begun


def curve_arrays(node: KexNode) -> tuple[Array, Integers]:
    """Keyframes of a node as the kernels take them: keys (k, 8) and spans (9, 2), see `kernels.curve_value`."""
    rows: list[tuple[float, ...]] = []
    spans = np.zeros((9, 2), dtype=np.int64)
    for k, name in enumerate(CURVES[:9]):
        spans[k, 0] = len(rows)
        for key in node.curves.get(name, ()):
            rows.append(
                (key.time, key.value, key.kind_in, key.kind_out, key.slope_in, key.slope_out, key.weight_in,
                 key.weight_out)
            )  # fmt: skip
        spans[k, 1] = len(rows)
    return np.array(rows, dtype=float).reshape(-1, 8), spans


def prescribed(node: KexNode, name: str, positions: Array, default: float) -> Array:
    """Values (n,) of a prescribed curve of a node at positions (n,) s or m."""
    keys, spans = curve_arrays(node)
    first, last = spans[CURVES.index(name)]
    return np.array([kernels.curve_value(keys, first, last, float(at), default) for at in positions])


def lay_section(node: KexNode, start: Array, where: str, rate: float) -> Array:
    """States (n, STATE) of a section laid from a state by steps at a rate (1/s).

    Raises InputError naming the node that cannot be laid.
    """
    duration = node.duration
    if node.kind != "curved" and not 0.0 < duration <= LONGEST:
        raise InputError(
            f"{where}: {node.label} lasts {duration:g}, which is out of range; set its duration."
        )
    arc = np.ones(5)
    if node.kind == "curved":
        radius, *angles = node.curve if node.curve else (10.0, 90.0, 0.0, 0.0, 0.0)
        arc = np.array([radius, *np.radians(angles)])
        if not (0.1 <= radius <= 1e4 and 0.0 < arc[1] <= 20.0 * np.pi):
            raise InputError(
                f"{where}: {node.label} has the radius {radius:g} m and arc {angles[0]:g} deg; mend them."
            )
    keys, spans = curve_arrays(node)
    slowest = 0.05  # m/s, for sizing the room of sections measured by length
    seconds = duration if node.kind != "curved" and not node.by_distance else LONGEST
    if node.by_distance:
        seconds = min(LONGEST, duration / slowest)
    out = np.empty((int(seconds * rate) + 2, kernels.STATE))
    n = kernels.lay(
        LAID[node.kind],
        start,
        duration,
        node.by_distance,
        node.driven,
        node.steering,
        arc,
        keys,
        spans,
        rate,
        out,
    )
    states = out[:n].copy()
    if n < 2:
        raise InputError(f"{where}: the train stops at the start of {node.label}; give it speed.")
    if not np.isfinite(states).all():
        raise InputError(f"{where}: {node.label} leads nowhere (the speed or the forces are out of range).")
    return states


def _lay_bridge(node: KexNode, start: Array, target: Array, rate: float) -> Array:
    """States along the cubic curve that leads from one anchor to another, the roll eased by smoothstep.

    The speed is the one prescribed, or that of the start when none is.
    """
    gap = target[0:3] - start[0:3]
    reach = float(np.linalg.norm(gap)) * BRIDGE_HANDLE
    handles = np.stack(
        [start[0:3], start[0:3] + reach * start[3:6], target[0:3] - reach * target[3:6], target[0:3]]
    )
    count = max(10, int(np.ceil(4.0 * np.linalg.norm(gap) * rate / RATE)))
    u = np.linspace(0.0, 1.0, count + 1)
    v = 1.0 - u
    weights = np.stack([v**3, 3 * v * v * u, 3 * v * u * u, u**3], axis=-1)
    slopes = 3.0 * np.stack([-v * v, v * v - 2 * v * u, 2 * v * u - u * u, u * u], axis=-1)
    d = slopes @ handles
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    rolls = [np.arctan2(state[7], -state[10]) for state in (start, target)]
    step = (rolls[1] - rolls[0] + np.pi) % (2.0 * np.pi) - np.pi
    roll = (rolls[0] + step * u * u * (3.0 - 2.0 * u))[:, None]
    level = np.cross(d, [0.0, 1.0, 0.0])
    level /= np.maximum(np.linalg.norm(level, axis=1, keepdims=True), 1e-9)
    lateral = level * np.cos(roll) - np.cross(d, level) * np.sin(roll)
    states = np.tile(start, (count + 1, 1))
    states[:, 0:3], states[:, 3:6], states[:, 6:9] = weights @ handles, d, lateral
    states[:, 9:12] = np.cross(d, lateral)
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(states[:, 0:3], axis=0), axis=1))])
    states[:, kernels.HEART_RUN] += run
    states[:, kernels.RAIL_RUN] += run
    if node.driven:
        time = np.arange(0.0, LONGEST / 60.0, 1.0 / rate)
        speed = np.maximum(prescribed(node, "velocity", time, float(start[kernels.SPEED])), kernels.SLOWEST)
        states[1:, kernels.SPEED] = np.interp(run[1:], np.cumsum(speed) / rate, speed)
    return states


def _followers(file: KexFile) -> tuple[dict[int, list[tuple[KexNode, int]]], dict[int, KexNode]]:
    """Nodes and input numbers that every output port leads to, and the node every output port belongs to."""
    inputs = {port.id: (node, k) for node in file.nodes for k, port in enumerate(node.inputs)}
    owners = {port.id: node for node in file.nodes for port in node.outputs}
    leads: dict[int, list[tuple[KexNode, int]]] = {}
    for source, target in file.edges:
        if target in inputs:
            leads.setdefault(source, []).append(inputs[target])
    return leads, owners


def _source(file: KexFile, owners: dict[int, KexNode], port: int) -> KexNode | None:
    found = [owners[a] for a, b in file.edges if b == port and a in owners]
    return found[0] if found else None


def _chain(file: KexFile, leads: dict[int, list[tuple[KexNode, int]]], first: KexNode) -> list[KexNode]:
    """The sections that follow one another from `first`; of several the one with the highest priority."""
    chain = [first]
    while True:
        ports = [port.id for port in chain[-1].outputs if port.kind == "anchor"]
        ahead = [node for port in ports for node, k in leads.get(port, ()) if k == 0]
        ahead = [n for n in ahead if n.kind in (*LAID, "bridge") and all(n.index != c.index for c in chain)]
        if not ahead:
            return chain
        chain.append(max(ahead, key=lambda node: (node.priority, -node.index)))


def lay_course(file: KexFile, where: str, *, rate: float = RATE, anchored: bool = False) -> KexCourse:
    """Lay the longest row of sections of a project that begins at an anchor.

    rate (1/s): steps a second; anchored: begin every section at the anchor stored in the file instead of where the
    one before has come to. where: name used in messages. Copied, reversed and attached pieces are left out.
    Raises InputError naming the node that cannot be laid, or when there is no section at an anchor.
    """
    leads, owners = _followers(file)
    starts = []
    for node in file.nodes:
        if node.kind in LAID and node.inputs:
            source = _source(file, owners, node.inputs[0].id)
            if source is None or source.kind == "anchor":
                starts.append((node, source))
    if not starts:
        raise InputError(f"{where}: no section begins at an anchor; there is no track to import.")
    chains = [(_chain(file, leads, node), source) for node, source in starts]
    chain, source = max(chains, key=lambda pair: len(pair[0]))
    begin = state_of(source.point if source is not None else chain[0].point, rate)
    state, counts, sections = begin, dict.fromkeys((*LAID, "bridge"), 0), []
    closed = False
    for node in chain:
        if anchored:
            state = state_of(node.point, rate)
        counts[node.kind] += 1
        if node.kind == "bridge":
            goal = _source(file, owners, node.inputs[1].id) if len(node.inputs) > 1 else None
            if goal is None:
                raise InputError(f"{where}: {node.label} has no target; connect it to an anchor.")
            target = state_of(goal.point, rate)
            states = _lay_bridge(node, state, target, rate)
            closed = bool(np.linalg.norm(target[0:3] - begin[0:3]) < 1e-3)
        else:
            states = lay_section(node, state, where, rate)
        sections.append(KexSection(f"{node.kind} {counts[node.kind]}", node, states))
        state = states[-1].copy()
        state[kernels.PLACE] = 0.0
    used = {node.index for node in chain}
    left_out = tuple(
        n for n in file.nodes if n.index not in used and n.kind not in ("anchor", "reverse path")
    )
    return KexCourse(tuple(sections), left_out, closed)
