"""Railway coupler without the mass of its parts: two sliding blocks, two pinned shanks, one knuckle."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Literal

from core.base.fields import NonNegative, Positive, described
from core.base.frozen import Frozen, Quat
from core.jit.decorators import inner
from core.model.forces.base import ElementType, Geometry, Mark, Output, Use
from core.model.forces.ends import TwoPoints
from core.model.forces.spring import Points
from core.model.laws import INTERNAL, ZD, D, F, Law, V, X, Z, on_curve, pieces


class CouplerEnd(Frozen):
    """One end of a coupler: a block that slides along the car's coupler axis, and a shank pinned to it, vertically.

    rest_length m from the attachment to the block's centre, stiffness N/m and damping N s/m of the draft gear or
    end-of-car device, or `curve` of pairs (travel m, force N), travel and force positive where the block is pulled out;
    shank_length m, shank_stiffness N m/rad and shank_damping N m s/rad about the pin, shank_angle rad where it rests.
    """

    rest_length: NonNegative = described(
        0.289, "Rest length", "From the attachment on the car to the centre of the sliding block.", unit="m"
    )
    stiffness: NonNegative = described(3e7, "Stiffness", "Of the draft gear along the car.", unit="N/m")
    damping: NonNegative = described(2.5e5, "Damping", "Of the draft gear along the car.", unit="N s/m")
    curve: Points = described(
        (), "Force curve", "Replaces the stiffness: force over travel, both positive where the block is pulled out.",
        entry="rows", columns=(("Travel", "m"), ("Force", "N")),
    )  # fmt: skip
    shank_length: Positive = described(0.8, "Shank length", "From its pin to the knuckle.", unit="m")
    shank_stiffness: NonNegative = described(
        3e7, "Shank stiffness", "About the pin, towards the car's axis.", unit="N m/rad"
    )
    shank_damping: Positive = described(1e5, "Shank damping", "About the pin.", unit="N m s/rad")
    shank_angle: float = described(0.0, "Shank rest angle", "Where its spring is free.", unit="rad")


class Coupler(TwoPoints):
    """Noninertial coupler (Massa et al. 2012, eqs. 24-45): what its parts weigh is left out, their dashpots are kept.

    point_i and point_j: attachments on the cars; `orientation`: of the coupler's axes against the first body, x towards
    the second, z up about which the shanks turn. knuckle_stiffness N/m, knuckle_damping N s/m and knuckle_length m
    between the ends of the shanks; with length 0 it is a spring in all directions.

    Internal unknowns: travel (m) and angle (rad) of block and shank at the first end, then at the second. They are
    found from the balance of forces and dashpots at every instant, so that first-order rates remain (the paper's (41)
    leaves velocities out and differentiates: then the balance no longer holds once dampers act). Loads are the gradient
    of one potential and one dissipation function of all coordinates, so action is reaction also for unequal ends, where
    the paper's (40) gives each car the force of its own end. The moment of the knuckle's force about each attachment is
    that of the true pose, out of the horizontal plane too; shanks turn about the vertical only.
    """

    kind: Literal["coupler"] = "coupler"
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0), "Orientation", "Of the coupler's axes against the first body: yaw, pitch, roll.",
        unit="rad", entry="angles",
    )  # fmt: skip
    end_i: CouplerEnd = described(
        CouplerEnd(), "First end", "Block and shank on the first body.", entry="group"
    )
    end_j: CouplerEnd = described(
        CouplerEnd(), "Second end", "Block and shank on the second body.", entry="group"
    )
    knuckle_stiffness: Positive = described(5e8, "Knuckle stiffness", "Between the shanks.", unit="N/m")
    knuckle_damping: NonNegative = described(5e5, "Knuckle damping", "Between the shanks.", unit="N s/m")
    knuckle_length: NonNegative = described(
        0.204, "Knuckle length", "Between the ends of the shanks, unloaded; 0 makes it a spring in all directions.",
        unit="m",
    )  # fmt: skip


# parameters: knuckle (stiffness, damping, length), then for each end the numbers below, then first and end place of
# each end's curve, then the curves
K, C, LENGTH = range(3)
REST, DRAFT, DRAFT_C, SHANK, TURN, TURN_C, ANGLE = range(7)
ENDS, PER_END = 3, 7
SPANS = ENDS + 2 * PER_END
HEAD = SPANS + 4


@inner
def _draft(p, end, d):
    """Force, slope and energy of the draft gear of an end at travel d."""
    first, last = int(p[SPANS + 2 * end]), int(p[SPANS + 2 * end + 1])
    if last > first:
        return on_curve(p, first, last, d)
    k = p[ENDS + PER_END * end + DRAFT]
    return k * d, k, 0.5 * k * d * d


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
def _knuckle(p, x, v, z, zdot, R, W, B, gap, rate):
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
        rate[c] = v[c]
        for k in range(4):
            rate[c] += B[c, k] * zdot[k]
    rate[0] += v[4] * W[2] - v[5] * W[1]
    rate[1] += v[5] * W[0] - v[3] * W[2]
    rate[2] += v[3] * W[1] - v[4] * W[0]


@inner
def _spring(p, gap, rate, force, KK, CC):
    """Force (3,) of the knuckle, its slopes with gap and rate (3, 3), stored energy and lost power."""
    length = math.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2)
    vector = p[LENGTH] == 0.0
    along = pull = closing = 0.0
    if not vector:
        for c in range(3):
            closing += gap[c] * rate[c] / length
        pull = p[K] * (length - p[LENGTH])
        along = pull + p[C] * closing
    lost = 0.0
    for r in range(3):
        for c in range(3):
            one = 1.0 if r == c else 0.0
            e = one if vector else gap[r] * gap[c] / (length * length)
            KK[r, c] = p[K] * e + (0.0 if vector else along / length * (one - e))
            CC[r, c] = p[C] * e
        force[r] = p[K] * gap[r] + p[C] * rate[r] if vector else along * gap[r] / length
        lost += p[C] * rate[r] * rate[r]
    if vector:
        return 0.5 * p[K] * length * length, lost
    return 0.5 * p[K] * (length - p[LENGTH]) ** 2, p[C] * closing * closing


@inner
def _coupler(p, x, v, z, zdot, m, s, out):
    # scratch in what of `out` no row of this law uses
    R, KK, CC, B = out[10:13, 0:3], out[10:13, 3:6], out[10:13, 6:9], out[10:13, 10:14]
    W, gap, rate, force = out[13, 0:3], out[13, 3:6], out[13, 6:9], out[13, 9:12]
    _knuckle(p, x, v, z, zdot, R, W, B, gap, rate)
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
        row, end, turns = INTERNAL + k, k // 2, k % 2
        at = ENDS + PER_END * end
        if turns:
            stretch = z[k] - p[at + ANGLE]
            own, slope, energy = p[at + TURN] * stretch, p[at + TURN], 0.5 * p[at + TURN] * stretch * stretch
            damping = p[at + TURN_C]
        else:
            own, slope, energy = _draft(p, end, z[k])
            damping = p[at + DRAFT_C]
        out[row, F] = own + damping * zdot[k]
        stored += energy
        lost += damping * zdot[k] * zdot[k]
        for c in range(3):
            out[row, F] += B[c, k] * force[c]
            _slopes(out, row, c, B[c, k], W, KK, CC, B)
        out[row, Z + k] += slope
        out[row, ZD + k] += damping
        if turns:  # the shank's own turning: d2 gap / d angle2 is the shank, towards its pin or from it
            for c in range(3):
                ex = R[c, 0] if end == 1 else (1.0 if c == 0 else 0.0)
                ey = R[c, 1] if end == 1 else (1.0 if c == 1 else 0.0)
                shank = p[at + SHANK] * (math.cos(z[k]) * ex + math.sin(z[k]) * ey)
                out[row, Z + k] += force[c] * shank
        if end == 1:  # these directions turn with the second body
            for r in range(3):
                a, b = (r + 1) % 3, (r + 2) % 3
                out[row, X + 3 + r] += B[a, k] * force[b] - B[b, k] * force[a]
    return stored, lost


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


COUPLER = Law("coupler", _coupler, wide=True, internal=4)


def law(coupler: Coupler, geometry: Geometry) -> Use:
    """Four internal unknowns: travel and angle at both ends."""
    numbers = [coupler.knuckle_stiffness, coupler.knuckle_damping, coupler.knuckle_length]
    spans: list[float] = []
    curves: list[float] = []
    for end in (coupler.end_i, coupler.end_j):
        numbers += [
            end.rest_length, end.stiffness, end.damping, end.shank_length, end.shank_stiffness, end.shank_damping,
            end.shank_angle,
        ]  # fmt: skip
        first = HEAD + len(curves)
        curves += pieces(end.curve, smooth=False) if end.curve else ()
        spans += [first, HEAD + len(curves)]
    return Use(COUPLER, (*numbers, *spans, *curves))


TYPE = ElementType(
    Coupler, "coupler", "frames", law, "spring", Mark("damper"),
    (Output("displacement or rotation", "m or rad"), Output("force or moment", "N or N m")),
)  # fmt: skip
