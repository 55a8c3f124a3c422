"""Railway coupler without the mass of its parts: two sliding blocks, two pinned shanks, one knuckle."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import NonNegative, Positive, described
from ...base.frozen import Frozen, Quat
from ...jit.decorators import inner
from ..laws import INTERNAL, ZD, D, F, Law, V, X, Z
from .base import ElementType, Geometry, Mark, Output, Use
from .ends import TwoPoints
from .gear import HEADER, Gear, gear_borders, gear_force, gear_numbers

NOTHING = 1e-11  # relative size of a stiffness that is none
Rates = Annotated[
    Literal["equilibrium", "differentiated"],
    described(
        "equilibrium", "Rates of the massless parts",
        "From the balance with dashpots, or the static balance differentiated as in Massa et al. 2012.",
        words={"equilibrium": "Dashpots in the balance", "differentiated": "Balance differentiated"},
    ),
]  # fmt: skip


LONGEST = 100.0  # m; no part of a coupler is as long


class CouplerEnd(Gear):
    """One end of a coupler: a block that slides along the car's coupler axis against a gear (its travel is positive
    where the block is pulled out), and a shank pinned to it about the vertical.

    rest_length m from the attachment to the block's centre; shank_length m, shank_stiffness N m/rad and shank_damping
    N m s/rad about the pin, shank_angle rad where it rests.
    """

    rest_length: Annotated[float, Field(ge=0.0, le=LONGEST)] = described(
        0.289, "Rest length", "From the attachment on the car to the centre of the sliding block.", unit="m"
    )
    shank_length: Annotated[float, Field(gt=0.0, le=LONGEST)] = described(
        0.8, "Shank length", "From its pin to the knuckle.", unit="m"
    )
    shank_stiffness: NonNegative = described(
        3e7, "Shank stiffness", "About the pin, towards the car's axis.", unit="N m/rad"
    )
    shank_damping: NonNegative = described(1e5, "Shank damping", "About the pin.", unit="N m s/rad")
    shank_angle: float = described(0.0, "Shank rest angle", "Where its spring is free.", unit="rad")


class CouplerParts(Frozen):
    """Two ends and a knuckle: knuckle_stiffness N/m, knuckle_damping N s/m, knuckle_length m and knuckle_slack m (free
    play either way) between the ends of the shanks; with length 0 it is a spring in all directions.
    """

    end_i: CouplerEnd = described(
        CouplerEnd(), "First end", "Block and shank on the first body.", entry="group"
    )
    end_j: CouplerEnd = described(
        CouplerEnd(), "Second end", "Block and shank on the second body.", entry="group"
    )
    knuckle_stiffness: Positive = described(5e8, "Knuckle stiffness", "Between the shanks.", unit="N/m")
    knuckle_damping: NonNegative = described(5e5, "Knuckle damping", "Between the shanks.", unit="N s/m")
    knuckle_length: Annotated[float, Field(ge=0.0, le=LONGEST)] = described(
        0.204, "Knuckle length", "Between the ends of the shanks, unloaded; 0 makes it a spring in all directions.",
        unit="m",
    )  # fmt: skip
    knuckle_slack: NonNegative = described(
        0.0, "Knuckle slack", "Free play to either side between the heads.", unit="m"
    )

    @property
    def knuckle(self) -> Gear:
        """The knuckle's force over the gap beyond its length."""
        return Gear(stiffness=self.knuckle_stiffness, damping=self.knuckle_damping, slack=self.knuckle_slack)

    @property
    def free_length(self) -> float:
        """Distance of the two attachments (m) at which nothing pulls, the shanks along their cars."""
        return self.knuckle_length + sum(e.rest_length + e.shank_length for e in (self.end_i, self.end_j))


class Coupler(TwoPoints, CouplerParts):
    """Noninertial coupler (Massa et al. 2012, eqs. 24-45): what its parts weigh is left out.

    point_i and point_j: attachments on the cars; `orientation`: of the coupler's axes against the first body, x towards
    the second, z up about which the shanks turn; orientation_j: of the same axes against the second body, or parallel
    to the first as drawn.

    Internal unknowns: travel (m) and angle (rad) of block and shank at the first end, then at the second. `rates`:
    "equilibrium" balances forces and dashpots at every instant, so that first-order rates remain; "differentiated" is
    the paper's way: (41) without velocities, rates by differentiation (43). There the balance no longer holds once
    dampers act, and the paper's (40) gives each car the force of its own end, so that action is not reaction for
    unequal ends. Here loads are reduced by virtual work instead, sum of S^T c S over the rates S the parts have for
    unit rates of the cars, and momentum is kept either way. The moment of the knuckle's force about each attachment is
    that of the true pose, out of the horizontal plane too; shanks turn about the vertical only. A shank without spring,
    dashpot and load stays where it is.
    """

    kind: Literal["coupler"] = "coupler"
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0), "Orientation", "Of the coupler's axes against the first body: yaw, pitch, roll.",
        unit="1",
    )  # fmt: skip
    orientation_j: Quat | None = described(
        None, "Orientation at the second end", "Of the same axes against the second body.", unit="1",
        empty="parallel as drawn", entry="hidden",
    )  # fmt: skip
    rates: Rates = "equilibrium"


# parameters: knuckle's length, 1 for differentiated rates, where borders begin, header of its gear, then for each end
# the numbers below and the header of its gear, then all curves, then borders: an internal unknown or STRETCH, its
# value, what that is of; last the push from which on it is looked at after each step whether it buckles
LENGTH, DIFFERENTIATED, BORDERS, KNUCKLE = range(4)
STRETCH = 4
REST, SHANK, TURN, TURN_C, ANGLE, GEAR_AT = range(6)
ENDS, PER_END = KNUCKLE + HEADER, GEAR_AT + HEADER
HEAD = ENDS + 2 * PER_END


@inner
def _rotation(q, R):
    """Rotation matrix (3, 3) of a rotation vector."""
    angle2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2]
    angle = math.sqrt(angle2)
    if angle < 1e-4:
        a, b = 1.0 - angle2 / 6.0, 0.5 - angle2 / 24.0
    else:
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle2
    for r in range(3):
        for c in range(3):
            R[r, c] = b * q[r] * q[c]
        R[r, r] += 1.0 - b * angle2
    R[0, 1] -= a * q[2]
    R[1, 0] += a * q[2]
    R[0, 2] += a * q[1]
    R[2, 0] -= a * q[1]
    R[1, 2] -= a * q[0]
    R[2, 1] += a * q[0]


@inner
def _knuckle(p, x, v, z, zdot, moves, R, W, B, gap, rate):
    """The gap (3,) from the first shank's end to the second, its rate (3,) and how it follows the unknowns B (3, 4); W
    (3,): from the second attachment to the second shank's end. All in the axes of the first end."""
    _rotation(x[3:6], R)
    for end in range(2):
        at = ENDS + PER_END * end
        reach, arm = p[at + REST] + z[2 * end], p[at + SHANK]
        cosine, sine = arm * math.cos(z[2 * end + 1]), arm * math.sin(z[2 * end + 1])
        for c in range(3):
            ex = R[c, 0] if end == 1 else (1.0 if c == 0 else 0.0)
            ey = R[c, 1] if end == 1 else (1.0 if c == 1 else 0.0)
            B[c, 2 * end] = -ex
            B[c, 2 * end + 1] = sine * ex - cosine * ey
            there = (reach + cosine) * ex + sine * ey
            if end == 0:
                gap[c] = x[c] - there
            else:
                W[c] = -there
                gap[c] += W[c]
    for c in range(3):
        a, b = (c + 1) % 3, (c + 2) % 3
        rate[c] = v[c] + v[3 + a] * W[b] - v[3 + b] * W[a]
        for k in range(4):
            rate[c] += B[c, k] * zdot[k]
        rate[c] *= moves


@inner
def _spring(p, gap, rate, force, KK, CC):
    """Force (3,) of the knuckle, its slopes with gap and rate (3, 3), stored energy and lost power."""
    length = math.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2)
    vector, there = p[LENGTH] == 0.0, max(length, 1e-12)
    closing = 0.0
    for c in range(3):
        closing += gap[c] * rate[c] / there
    pull, damped, k, damping, stored = gear_force(p, KNUCKLE, length - p[LENGTH], 0.0 if vector else closing)
    share = k if length < 1e-9 else (pull + damped) / length  # of a vector spring the stiffness across
    lost = damped * closing
    for r in range(3):
        force[r] = share * gap[r]
        if vector:
            force[r] += damping * rate[r]
            lost += damping * rate[r] * rate[r]
        for c in range(3):
            one = 1.0 if r == c else 0.0
            e = gap[r] * gap[c] / (there * there)
            KK[r, c] = k * e + share * (one - e)
            CC[r, c] = damping * (one if vector else e)
    return stored, lost


@inner
def _coupler(p, x, v, z, zdot, m, s, out):
    # scratch in what of `out` no row of this law uses
    R, KK, CC, B = out[10:13, 0:3], out[10:13, 3:6], out[10:13, 6:9], out[10:13, 10:14]
    W, gap, rate, force = out[13, 0:3], out[13, 3:6], out[13, 6:9], out[13, 9:12]
    moves = 1.0 - p[DIFFERENTIATED]  # the balance knows rates
    _knuckle(p, x, v, z, zdot, moves, R, W, B, gap, rate)
    stored, lost = _spring(p, gap, rate, force, KK, CC)
    for r in range(3):
        out[r, F] = force[r]
        _slopes(out, r, r, 1.0, W, KK, CC, B)
    for r in range(3):  # the moment W x force about the second attachment
        a, b = (r + 1) % 3, (r + 2) % 3
        out[3 + r, D] = W[a] * force[b] - W[b] * force[a]
        _slopes(out, 3 + r, b, W[a], W, KK, CC, B)
        _slopes(out, 3 + r, a, -W[b], W, KK, CC, B)
    for k in range(4):
        row, end = INTERNAL + k, k // 2
        own, damped, slope, damping, energy = _own(p, k, z[k], moves * zdot[k])
        out[row, F] = own + damped
        stored += energy
        lost += damped * zdot[k]
        for c in range(3):
            out[row, F] += B[c, k] * force[c]
            _slopes(out, row, c, B[c, k], W, KK, CC, B)
        out[row, Z + k] += slope
        out[row, ZD + k] += moves * damping
        if k % 2:  # the shank's own turning: d2 gap / d angle2 is the shank, towards its pin or from it
            for c in range(3):
                ex = R[c, 0] if end == 1 else (1.0 if c == 0 else 0.0)
                ey = R[c, 1] if end == 1 else (1.0 if c == 1 else 0.0)
                shank = p[ENDS + PER_END * end + SHANK] * (math.cos(z[k]) * ex + math.sin(z[k]) * ey)
                out[row, Z + k] += force[c] * shank
        if end == 1:  # these directions turn with the second body
            for r in range(3):
                a, b = (r + 1) % 3, (r + 2) % 3
                out[row, X + 3 + r] += B[a, k] * force[b] - B[b, k] * force[a]
    if moves == 0.0:
        lost = _by_virtual_work(p, v, z, zdot, out)
    return stored, lost


@inner
def _own(p, k, x, v):
    """What gear or spring of an internal unknown says: elastic load, load of its dashpot, slopes, stored energy."""
    at = ENDS + PER_END * (k // 2)
    if k % 2:
        stretch = x - p[at + ANGLE]
        elastic = p[at + TURN] * stretch
        return elastic, p[at + TURN_C] * v, p[at + TURN], p[at + TURN_C], 0.5 * elastic * stretch
    return gear_force(p, at + GEAR_AT, x, v)


@inner
def _by_virtual_work(p, v, z, zdot, out):
    """Rates of the unknowns from the static balance, zdot = S v, and the loads of the dashpots reduced by them; returns
    the lost power. `out` holds the static balance and the slopes of the knuckle's dashpot."""
    G = out[10:14, 0:10]
    for k in range(4):
        for c in range(4):
            G[k, c] = out[INTERNAL + k, Z + c]
        for c in range(6):
            G[k, 4 + c] = -out[INTERNAL + k, X + c]
    _solved(G)
    for k in range(4):
        zdot[k] = 0.0
        for c in range(6):
            zdot[k] += G[k, 4 + c] * v[c]
    lost = 0.0
    for k in range(4):  # what the dashpots say of the unknowns, in the column of the rates of the first
        damped, damping = _own(p, k, z[k], zdot[k])[1:4:2]
        out[INTERNAL + k, ZD + k] += damping
        out[10 + k, 29] = damped - damping * zdot[k]
        for c in range(6):
            out[10 + k, 29] += out[INTERNAL + k, V + c] * v[c]
        for c in range(4):
            out[10 + k, 29] += out[INTERNAL + k, ZD + c] * zdot[c]
        lost += out[10 + k, 29] * zdot[k]
    for r in range(6):
        load = 0.0
        for c in range(6):
            load += out[r, V + c] * v[c]
        for k in range(4):
            load += out[r, ZD + k] * zdot[k]
        lost += load * v[r]
        for k in range(4):
            load += G[k, 4 + r] * out[10 + k, 29]
        out[r, F if r < 3 else D] += load
    for r in range(6):  # slopes C + C_xz S + S^T (C_zx + C_zz S)
        for c in range(6):
            for k in range(4):
                out[r, V + c] += out[r, ZD + k] * G[k, 4 + c] + G[k, 4 + r] * out[INTERNAL + k, V + c]
                for e in range(4):
                    out[r, V + c] += G[k, 4 + r] * out[INTERNAL + k, ZD + e] * G[e, 4 + c]
    for k in range(4):
        for c in range(6):
            out[INTERNAL + k, V + c] = out[c, ZD + k] = 0.0
        for c in range(4):
            out[INTERNAL + k, ZD + c] = 0.0
    return lost


@inner
def _solved(G):
    """Solve in place for the columns of G behind its first four; what nothing holds stays where it is."""
    size = 0.0
    for k in range(4):
        size = max(size, abs(G[k, k]))
    for k in range(4):
        best = k
        for r in range(k + 1, 4):
            if abs(G[r, k]) > abs(G[best, k]):
                best = r
        if abs(G[best, k]) <= NOTHING * size:
            for c in range(10):
                G[k, c] = 1.0 if c == k else 0.0
            best = k
        for c in range(10):
            G[k, c], G[best, c] = G[best, c], G[k, c]
        for r in range(4):
            if r != k:
                share = G[r, k] / G[k, k]
                for c in range(k, 10):
                    G[r, c] -= share * G[k, c]
    for k in range(4):
        for c in range(4, 10):
            G[k, c] /= G[k, k]


@inner
def _slopes(out, row, c, share, W, KK, CC, B):
    """Add a share of how component c of the knuckle's force follows displacement, rotation and unknowns to a row."""
    for e in range(3):
        a, b = (e + 1) % 3, (e + 2) % 3
        out[row, X + e] += share * KK[c, e]
        out[row, V + e] += share * CC[c, e]
        out[row, X + 3 + e] += share * (KK[c, b] * W[a] - KK[c, a] * W[b])
        out[row, V + 3 + e] += share * (CC[c, b] * W[a] - CC[c, a] * W[b])
    for k in range(4):
        for e in range(3):
            out[row, Z + k] += share * KK[c, e] * B[e, k]
            out[row, ZD + k] += share * CC[c, e] * B[e, k]


@inner
def _border(p, x, v, z, zdot, k, G):
    at = int(p[BORDERS]) + 3 * k
    which, value, what = int(p[at]), p[at + 1], int(p[at + 2])
    if which != STRETCH:
        return z[which], zdot[which], value, what
    gap, rate, length, closing = G[3, 0:3], G[3, 3:6], 0.0, 0.0
    _knuckle(p, x, v, z, zdot, 1.0, G[0:3, 0:3], G[3, 6:9], G[0:3, 3:7], gap, rate)
    for c in range(3):
        length += gap[c] * gap[c]
        closing += gap[c] * rate[c]
    length = math.sqrt(length)
    return length - p[LENGTH], closing / max(length, 1e-12), value, what


def _at_rest(coupler: Coupler, x: Sequence[float]) -> Sequence[float]:
    """Travel shared by the gears as their stiffness says, shanks at their rest angles: Newton's method then stays on
    this side of the knuckle, whose ends would otherwise pass through one another."""
    soft = [1.0 / end.stiffness if end.stiffness else 1e-6 for end in (coupler.end_i, coupler.end_j)]
    share = (math.hypot(*x[:3]) - coupler.free_length) / (sum(soft) + 1.0 / coupler.knuckle_stiffness)
    return soft[0] * share, coupler.end_i.shank_angle, soft[1] * share, coupler.end_j.shank_angle


def buckling_push(coupler: CouplerParts) -> float:
    """The push (N) from which on a coupler has no stable balance with its shanks straight, its cars held.

    Of the angles of the shanks (lengths l, springs k at their pins) the second derivatives of the energy are
    k - N l - g l^2 on the diagonal and g l_i l_j beside it: N shortens the shanks, and g = N/L turns the knuckle, L its
    length without slack and what N presses it together. A knuckle without length holds the shanks' ends to one another,
    g = -k of it. Of equal ends and a stiff knuckle: N l (1 + 2 l / L) = k.
    """
    (k1, l1), (k2, l2) = ((end.shank_stiffness, end.shank_length) for end in (coupler.end_i, coupler.end_j))
    length, stiffness = coupler.knuckle_length, coupler.knuckle_stiffness

    def holds(push: float) -> bool:
        left = length - coupler.knuckle_slack - push / stiffness
        if length > 0.0 and left <= 0.0:
            return False
        turned = push / left if length > 0.0 else -stiffness
        first, second = k1 - push * l1 - turned * l1 * l1, k2 - push * l2 - turned * l2 * l2
        return first > 0.0 and first * second > (turned * l1 * l2) ** 2

    low, high = (
        0.0,
        (k1 / l1**2 + k2 / l2**2) / (1.0 / l1 + 1.0 / l2),
    )  # both tips to one side: not the knuckle
    for _ in range(60):
        push = 0.5 * (low + high)
        low, high = (push, high) if holds(push) else (low, push)
    return low


COUPLER = Law("coupler", _coupler, wide=True, internal=4, border=_border)


def law(coupler: Coupler, geometry: Geometry) -> Use:
    """Four internal unknowns: travel and angle at both ends."""
    differentiated = coupler.rates == "differentiated"
    header, curves = gear_numbers(coupler.knuckle, HEAD)
    numbers = list(header)
    borders: list[float] = []
    for which, gear in ((0, coupler.end_i), (2, coupler.end_j), (STRETCH, coupler.knuckle)):
        for border in gear_borders(gear):
            borders += [which, *border]
    for end in (coupler.end_i, coupler.end_j):
        header, more = gear_numbers(end, HEAD + len(curves))
        turning = [end.shank_stiffness, end.shank_damping, end.shank_angle]
        numbers += [end.rest_length, end.shank_length, *turning, *header]
        curves += more
    numbers = [coupler.knuckle_length, float(differentiated), HEAD + len(curves), *numbers]
    # without any dashpot no rates occur
    dampers = [
        x for end in (coupler.end_i, coupler.end_j) for x in (end.damping, end.shank_damping, *end.dashpot)
    ]
    branches = coupler.end_i.unloading or coupler.end_j.unloading
    static = not (any(dampers) or branches or coupler.knuckle_damping)
    bears = buckling_push(coupler)
    safe = 0.5 * bears  # leaves room for shanks that stand askew
    return Use(
        COUPLER, (*numbers, *curves, *borders, safe), algebraic=differentiated or static, safe=safe,
        bears=bears, guess=partial(_at_rest, coupler), levels=len(borders) // 3,
    )  # fmt: skip


TYPE = ElementType(
    Coupler, "coupler", "frames", law, "force-coupler", Mark("damper"),
    (Output("displacement or rotation", "m or rad"), Output("force or moment", "N or N m")),
)  # fmt: skip
