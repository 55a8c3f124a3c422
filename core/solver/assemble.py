"""From the pose as drawn to a state that satisfies all constraints, and what the constraints leave free."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frames import conjugate, multiply, rotation_matrix, rotation_vector
from ..base.sentence import say
from ..model.forces import ForceElement
from ..multibody.arrays import (
    BODY,
    E_DISTANCE,
    E_FRAME,
    GCOL,
    GROW,
    PAIR,
    PAIR_AT,
    PHI,
    PHIDOT,
    I,
    J,
    Work,
    int_line,
    ints,
    reals,
)
from ..multibody.compile import RowGroup, State, System
from ..multibody.constraint_kernels import constraints, velocity_residual
from ..multibody.flatten import Seated
from ..multibody.force_kernels import AT_REST, forces
from ..multibody.tangent_kernels import tangent
from ..results.results import ModelSize
from .kkt import dense_jacobian, move
from .ldl import EPSILON, Factor, factorise, scatter, solve_parts
from .rank import rank_of


def seated_poses(system: System, r: Array, p: Array) -> tuple[Array, Array]:
    """Positions (nb + 1, 3) and Euler parameters (nb + 1, 4) with every rider of a car drawn where its seat now is."""
    start, r, p = system.start, r.copy(), p.copy()
    for seated in system.seated:
        seat, own = seated.seat, slice(*seated.bodies)
        turn = multiply(p[seat], conjugate(start.p[seat]))
        r[own] = r[seat] + (start.r[own] - start.r[seat]) @ rotation_matrix(turn).T
        p[own] = multiply(turn, start.p[own])
    return r, p


def seated_velocities(system: System, state: State, u: Array) -> Array:
    """Velocities u in the pose of a state, with those of every rider as its own against its seat at the start are, and
    as u has them of the body that carries the seat."""
    start, slots, out = system.start, system.layout.rigid, u.copy()
    before, now = rotation_matrix(start.p), rotation_matrix(state.p)
    for seated in system.seated:
        seat, own = seated.seat, np.arange(*seated.bodies)
        turn = now[seat] @ before[seat].T
        own_motion = _of_seat(start.u[slots[seat]], before, start.r, seated)
        moves = start.u[slots[own, :3]] - own_motion[0]
        spins = np.einsum("bij,bj->bi", before[own], start.u[slots[own, 3:]]) - own_motion[1]
        velocity, spin = _of_seat(u[slots[seat]], now, state.r, seated)
        out[slots[own, :3]] = velocity + moves @ turn.T
        out[slots[own, 3:]] = np.einsum("bji,bj->bi", now[own], spin + spins @ turn.T)
    return out


def _of_seat(u: Array, A: Array, r: Array, seated: Seated) -> tuple[Array, Array]:
    """Velocities (k, 3) of a rider's bodies and spin (3,), world axes, as parts of the body that carries its seat and
    has the velocities u (6,)."""
    spin = A[seated.seat] @ u[3:]
    return u[:3] + np.cross(spin, r[slice(*seated.bodies)] - r[seated.seat]), spin


IN_PLAY = 1e6  # N/m, about that of a draft gear
TINY = 1e-9  # m
TABLES = {"distance": E_DISTANCE, "frame": E_FRAME}


def hold_in_play(system: System, W: Work, stiffness: float) -> None:
    """Add a stiffness (N/m times that of the others) along each coupling that has play to W.Hd and W.Ho.

    Within its play nothing else holds a car to the one ahead, and the smallest change would drive it off along the
    track to spare its own springs.
    """
    cars = [range(*car.bodies) for car in system.cars]
    seen: Counter[str] = Counter()
    for one in system.connectors:
        table, e = TABLES.get(one.geometry), seen[one.geometry]
        seen[one.geometry] += 1
        if table is None or not _has_play(one.element) or any({*one.bodies} <= {*own} for own in cars):
            continue
        row, points = ints(system.arrays, table)[e], reals(system.arrays, table)[e, :6].reshape(2, 3)
        i, j = int(row[I]), int(row[J])
        way = W.r[i] + W.A[i] @ points[0] - W.r[j] - W.A[j] @ points[1]
        way /= max(float(np.linalg.norm(way)), TINY)
        at: list[Array] = [
            np.concatenate([way, np.cross(point, W.A[b].T @ way)])
            for b, point in zip((i, j), points, strict=True)
        ]
        for b, g in zip((i, j), at, strict=True):
            W.Hd[b, :6, :6] += stiffness * np.outer(g, g)
        W.Ho[row[PAIR_AT], :6, :6] -= stiffness * np.outer(*(at if i > j else at[::-1]))


def _has_play(element: ForceElement) -> bool:
    ends = (element, getattr(element, "end_i", None), getattr(element, "end_j", None))
    within = getattr(element, "knuckle_slack", 0.0) > 0.0
    return within or any(getattr(end, "slack", 0.0) > 0.0 for end in ends)


ITERATIONS = 60
LARGEST_STEP = 0.3  # m or rad, so that far-off drawings turn towards a solution instead of jumping over it
HUNG = (
    100.0  # s^2, by which stiffness counts beside mass: what swings slower than in a minute follows its mass
)
HOLD = 1e7  # 1/s^2 times the mass of a train: how stiffly it is held along its path where it is
RESOLVED, CLOSED = 1e-12, 1e-9
SLID = 1e-3  # m; a car that is as near to its place as drawn is not told


@dataclass(frozen=True)
class AssemblyReport:
    """How far assembling moved things: largest translation (m) and turn (rad) with their bodies, iterations,
    largest constraint violation before and after (m or rad), change of velocity (m/s, rad/s); slid: how far cars
    were slid along the track (m, ahead positive) from where they are drawn until their couplings close and, where the
    start is settled, bear the loads of their motion; unsettled: why a moving train that was to start at rest against
    its motion found no rest; "" where it did."""

    iterations: int
    violation_before: float
    violation_after: float
    worst_before: str
    translation: float
    translated: str
    rotation: float
    rotated: str
    velocity_change: float
    velocity_changed: str
    slid: dict[str, float] = field(default_factory=dict)
    unsettled: str = ""


def _worst(groups: tuple[RowGroup, ...], phi: Array) -> tuple[str, float]:
    best = max(groups, key=lambda g: float(np.max(np.abs(phi[list(g.rows)]), initial=0.0)), default=None)
    if best is None:
        return "", 0.0
    return f"{best.what} '{best.name}'", float(np.max(np.abs(phi[list(best.rows)]), initial=0.0))


def change_factor(system: System, W: Work, X: Factor, state: State) -> None:
    """Factorise [H -G^T; -G -E] at the pose of the last `constraints` call: H the mass and, where a train rides, the
    stiffness of what is hung on springs, so that this goes with what carries it."""
    S, layout = system.arrays, system.layout
    Hs, E, still, none = (
        np.zeros(len(system.guides)),
        np.zeros(system.rows),
        layout.line(),
        np.zeros(system.rows),
    )
    hung = HUNG if any(car.riding is not None for car in system.cars) else 0.0
    if hung:
        W.z_step[0] = AT_REST
        forces(S, W, still, none)
    ahead = leading_guides(system)
    for share in (hung, 0.0):
        tangent(S, W, still, none, 1.0, 0.0, share, Hs)
        hold_in_play(system, W, share * IN_PLAY)
        Hs[ahead] = HOLD * float(reals(S, BODY)[:, 0].sum())  # a train goes on as fast, whatever that strains
        scatter(X, int_line(S, GROW), int_line(S, GCOL), W.gx, W.Hd, W.Ho, Hs, E, EPSILON)
        if factorise(X):
            return
    raise InputError(
        "The model cannot be assembled: its constraints leave no solvable system; check its joints."
    )


def leading_guides(system: System) -> Integers:
    """The first guide of each row of coupled cars."""
    first: dict[int, int] = {}
    for car in system.cars:
        if car.riding is not None and car.guides[1] > car.guides[0]:
            first.setdefault(car.riding.consist, car.guides[0])
    return np.array(sorted(first.values()), dtype=np.int64)


def _times(system: System, W: Work, x: Array) -> Array:
    """H x of a line, with the blocks of the last `change_factor`."""
    layout, out = system.layout, system.layout.line()
    at = layout.slots[:, None] + np.arange(layout.widest)
    there = np.arange(layout.widest) < layout.sizes[:, None]
    at = np.where(there, at, 0)
    own = np.where(there, x[at], 0.0)
    lower = np.tril(W.Hd)
    product = np.einsum("bij,bj->bi", lower + np.tril(lower, -1).swapaxes(1, 2), own)
    pairs = ints(system.arrays, PAIR)
    i, j = pairs[:, 0], pairs[:, 1]
    np.add.at(product, i, np.einsum("kij,kj->ki", W.Ho[: len(pairs)], own[j]))
    np.add.at(product, j, np.einsum("kij,ki->kj", W.Ho[: len(pairs)], own[i]))
    np.add.at(out, at[there], product[there])
    ahead = layout.paths.start + leading_guides(system)
    out[ahead] = HOLD * float(reals(system.arrays, BODY)[:, 0].sum()) * x[ahead]
    return out


def smallest_change(system: System, W: Work, X: Factor, violation: Array) -> Array:
    """The change d (width,) of smallest size d.H d, of `change_factor`, with G d = -violation (rows)."""
    nu, m, layout = system.coordinates, system.rows, system.layout
    total, dv = layout.line(), layout.line()
    lam, dl = np.zeros(m), np.zeros(m)
    g_row, g_col = int_line(system.arrays, GROW), int_line(system.arrays, GCOL)
    row = np.repeat(np.arange(m), np.diff(g_row))
    for _ in range(3):  # proximal sweeps remove what the regularisation of implied rows leaves over
        f = np.bincount(g_col, W.gx * lam[row], layout.width)[:nu] - _times(system, W, total)[:nu]
        solve_parts(X, nu, f, violation + np.bincount(row, W.gx * total[g_col], m), dv, dl)
        total += dv
        lam += dl
    total[nu:] = 0.0
    return total


def assemble(system: System, X: Factor) -> tuple[State, AssemblyReport]:
    """Move the drawn pose as little as possible (weighted by mass and inertia; in a train so that springs give as
    little as possible) until every constraint holds, then change the velocities likewise until they fit the
    constraints. Riders of cars go with their seats.

    Newton steps d minimise d.H d, of `change_factor`, under G d = -Phi. Raises InputError naming the joint that cannot
    be closed, or the joint whose velocities contradict the others.
    """
    W, drawn = system.new_work(), system.start
    r, p, path = drawn.r.copy(), drawn.p.copy(), drawn.path.copy()
    constraints(system.arrays, W, drawn.time, r, p, path)
    worst_before, before = _worst(system.groups, _drawn_open(system, W.row[PHI]))
    r, p, path, after, used = _closed(system, W, X, r, p, path)
    if used and system.seated and after <= CLOSED:
        r, p, path, after, more = _closed(system, W, X, *seated_poses(system, r, p), path)
        used += more
    if not after <= CLOSED:
        raise InputError(_open_bar(system, W.row[PHI], path) or _open_joint(system, W.row[PHI]))
    begun = State(drawn.time, r, p, path, drawn.u)
    u = _consistent_velocity(system, W, X, begun)
    if system.seated:
        u = _consistent_velocity(system, W, X, replace(begun, u=seated_velocities(system, begun, u)))
    report = replace(
        _report(system, r, p, u, used, before, worst_before, after), slid=slides(system, path - drawn.path)
    )
    return State(drawn.time, r, p, path, u), report


def _closed(
    system: System, W: Work, X: Factor, r: Array, p: Array, path: Array
) -> tuple[Array, Array, Array, float, int]:
    """Newton steps from a pose until every constraint holds: the pose, the largest violation left, the steps."""
    S, drawn = system.arrays, system.start
    r, p, path, after, used = r.copy(), p.copy(), path.copy(), np.inf, 0
    constraints(S, W, drawn.time, r, p, path)
    for used in range(ITERATIONS + 1):
        after = float(np.max(np.abs(W.row[PHI]), initial=0.0))
        if not np.isfinite(after) or after <= RESOLVED or used == ITERATIONS:
            break
        change_factor(system, W, X, drawn)
        d = smallest_change(system, W, X, W.row[PHI])
        size = float(np.max(np.abs(system.layout.rigid_of(d)), initial=0.0))
        if size > LARGEST_STEP:
            d *= LARGEST_STEP / size
        move(S, r, p, path, d, r, p, path)
        constraints(S, W, drawn.time, r, p, path)
    return r, p, path, after, used


def _drawn_open(system: System, phi: Array) -> Array:
    """How far each constraint is drawn open (m or rad), from the violations of a pose as drawn. Cars are drawn on
    straight track: that the wheels of one do not lie in a plane where the track twists is for its mechanism to follow.
    """
    out, first = phi.copy(), system.layout.first_row["guides"]
    for car in system.cars:
        if car.riding is not None:
            for k, gap in enumerate(car.riding.open, car.guides[0]):
                out[first + 3 * k : first + 3 * k + 3] = 0.0, 0.0, gap
    return out


def _open_joint(system: System, phi: Array) -> str:
    name, gap = _worst(system.groups, phi)
    return (
        f"The model cannot be assembled: {name} stays open by {gap:.3g} (m or rad); check its points and axes"
        " and those of its neighbours."
    )


def _open_bar(system: System, phi: Array, path: Array) -> str:
    """A sentence on the bar between cars that fits worst, with one of its cars and the place of that; "" for none."""
    single = {g.name: float(phi[g.rows[0]]) for g in system.groups if g.what == "joint" and len(g.rows) == 1}
    bars = [joint for joint in system.joints if "/" not in joint.name and joint.name in single]
    if not system.cars or not bars:
        return ""
    worst = max(bars, key=lambda joint: abs(single[joint.name]))
    gap, car = single[worst.name], system.names[worst.body].partition("/")[0]
    if not abs(gap) > 1e-6:
        return ""
    places = [
        path[k] for k, guide in enumerate(system.guides) if system.names[guide.body].startswith(f"{car}/")
    ]
    where = say(" at s = {s:.1f m}", s=np.mean(places)) if places else ""
    way = "short" if gap > 0.0 else "long"
    return say(
        "Bar '{bar}' is {gap:.3g m} too {way} for where '{car}'{where} and its neighbour can stand on this track;"
        " change its length, or the points it is fixed to.",
        bar=worst.name, gap=abs(gap), way=way, car=car, where=where,
    )  # fmt: skip


def _consistent_velocity(system: System, W: Work, X: Factor, state: State) -> Array:
    S = system.arrays
    change_factor(system, W, X, state)
    u = state.u.copy()
    for _ in range(2):
        velocity_residual(S, W, u, W.row[PHIDOT])
        u += smallest_change(system, W, X, W.row[PHIDOT])
    velocity_residual(S, W, u, W.row[PHIDOT])
    scale = 1.0 + float(np.max(np.abs(u), initial=0.0))
    if float(np.max(np.abs(W.row[PHIDOT]), initial=0.0)) > 1e-8 * scale:
        name, gap = _worst(system.groups, W.row[PHIDOT])
        raise InputError(
            f"No start velocity fits the constraints: {name} is left with {gap:.3g} m/s (or rad/s); a driver asks for"
            " a motion that the joints exclude."
        )
    return u


def _report(
    system: System, r: Array, p: Array, u: Array, used: int, before: float, worst: str, after: float
) -> AssemblyReport:
    start, nb = system.start, system.bodies
    shift = np.linalg.norm(r[:nb] - start.r[:nb], axis=1)
    turn = np.linalg.norm(rotation_vector(multiply(conjugate(start.p[:nb]), p[:nb])), axis=1)
    change = np.abs(system.layout.rigid_of(u - start.u)).max(axis=1)

    def most(values: Array) -> tuple[float, str]:
        k = int(np.argmax(values))
        return float(values[k]), system.names[k]

    return AssemblyReport(used, before, after, worst, *most(shift), *most(turn), *most(change))


def slides(system: System, moved: Array) -> dict[str, float]:
    """How far each coupled car stands ahead of where it is drawn (m); moved (ng,) m: how far its guides were."""
    found = {}
    for car in system.cars:
        first, end = car.guides
        if car.slid is not None and end > first:
            slid = car.slid + float(np.mean(moved[first:end]))
            if abs(slid) > SLID:
                found[car.name] = slid
    return found


def model_size(system: System, state: State) -> ModelSize:
    """Rank, degrees of freedom and implied rows of the constraint Jacobian at a state.

    Rows are scaled to unit length; a row counts as implied when what is left of it after removing its part
    along the rows before it is below 1e-8.

    Parameters
    ----------
    system, state
        Whose Jacobian, and where.

    Returns
    -------
    The counts, with the names of implied rows.
    """
    S, W = system.arrays, system.new_work()
    constraints(S, W, state.time, state.r, state.p, state.path)
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    rank = rank_of(g_row, g_col, W.gx, system.layout) if system.rows else 0
    redundant: list[str] = []
    if rank < system.rows:
        G = dense_jacobian(system, W)
        norms = np.linalg.norm(G, axis=1)
        redundant = _implied_rows(system, G / np.where(norms > 0.0, norms, 1.0)[:, None])
    return ModelSize(
        bodies=system.bodies,
        coordinates=system.coordinates,
        rows=system.rows,
        rank=rank,
        degrees_of_freedom=system.coordinates - rank,
        redundant=tuple(redundant),
    )


def _implied_rows(system: System, G: Array) -> list[str]:
    owner = {row: (g.name, q + 1, len(g.rows)) for g in system.groups for q, row in enumerate(g.rows)}
    basis, rank = np.empty_like(G), 0
    names = []
    for group in system.groups:
        for row in group.rows:
            v = G[row].copy()
            for _ in range(2):
                v -= (basis[:rank] @ v) @ basis[:rank]
            size = float(np.linalg.norm(v))
            if size > 1e-8:
                basis[rank] = v / size
                rank += 1
            else:
                name, q, of = owner[row]
                names.append(f"{name} (row {q} of {of})")
    return names
