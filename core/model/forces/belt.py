"""Belt that runs from anchor to anchor over points of bodies, pulls only, and slips there against friction."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import model_validator

from ...base.errors import InputError
from ...base.fields import AXES, DIMENSIONLESS, NonNegative, Positive, described
from ...base.frozen import Frozen, Vec3
from ...base.sentence import say
from ...jit.decorators import inner
from ..laws import COORDINATES, INTERNAL, OF_COORDINATE, ZD, F, Law, V, X, Z
from .base import LENGTH, ElementType, Geometry, Mark, Sizing, Use
from .ends import TwoPoints

SKIN = 1e-3  # strain over which the damping comes in, so that the force does not jump where a belt goes taut
SHORTEST = 1e-4  # m, that is left of a segment whose webbing has slipped away


class BeltPoint(Frozen):
    """A place where a belt lies on a body, in the axes of that body (m), with the coefficient of friction there."""

    body: str = described(..., "Body", "What the belt lies on here.", refers_to="body")
    point: Vec3 = described(
        (0.0, 0.0, 0.0), "Place", "In the axes of the body, from its centre of mass.", unit="m", axes=AXES
    )
    friction: NonNegative = described(
        0.3, "Friction", "Coefficient of sliding; none: it runs over as over a roller.", unit=DIMENSIONLESS
    )


class Belt(TwoPoints):
    """Webbing from one anchor over `over`, in this order, to the other: it pulls only, and slips over its points.

    Each segment pulls with stiffness * strain + damping * rate of strain, never less than nothing; stiffness in N,
    that is force at the strain 1, damping in N s. Without load it is as long as the way over its points as drawn plus
    `slack` (m). Webbing slips over a point where the pulls on its two sides differ by more than exp(friction * angle),
    with the angle by which it turns there, and then as fast as `slip_resistance` (N s/m) lets it.
    """

    REFERRING: ClassVar = ("over",)

    kind: Literal["belt"] = "belt"
    over: tuple[BeltPoint, ...] = described(
        (), "Lies over", "Places of bodies between its anchors, in their order.", row="point",
        max_length=COORDINATES - 1,
    )  # fmt: skip
    stiffness: Positive = described(
        1e5,
        "Stiffness",
        "Force at which it would be twice as long; a tenth of it stretches it by 10 %.",
        unit="N",
    )
    damping: NonNegative = described(
        0.0, "Damping", "Force for a strain of 1 in each second, while it is taut.", unit="N s"
    )
    slack: float = described(
        0.0,
        "Slack",
        "What it is longer than its way as drawn; less than nothing: it is drawn tight.",
        unit="m",
    )
    slip_resistance: Positive = described(
        50.0,
        "Resistance to slip",
        "Force beyond friction for each metre a second of webbing that slips over a point.",
        unit="N s/m",
    )

    @model_validator(mode="after")
    def _runs(self) -> Belt:
        for before, after in pairwise(self.places):
            if before == after:
                raise ValueError(f"two points of belt '{self.name}' are one; take one of them out")
        return self

    @property
    def places(self) -> tuple[tuple[str, Vec3], ...]:
        """Body and place on it of every point, anchors first and last."""
        between = [(at.body, at.point) for at in self.over]
        return ((self.body_i, self.point_i), *between, (self.body_j, self.point_j))


# parameters of both laws: stiffness, damping, then at START lengths without load (m) of the segments
STIFFNESS, DAMPING, RESISTANCE, START = range(4)


@inner
def _pull(p, strain, rate):
    """Pull (N) at a strain and its rate, its slopes with both."""
    if strain <= 0.0:
        return 0.0, 0.0, 0.0
    share = min(1.0, strain / SKIN)
    pull = p[STIFFNESS] * strain + share * p[DAMPING] * rate
    if pull <= 0.0:
        return 0.0, 0.0, 0.0
    slope = p[STIFFNESS] + (p[DAMPING] * rate / SKIN if strain < SKIN else 0.0)
    return pull, slope, share * p[DAMPING]


@inner
def _smooth(p, x, v, z, zdot, m, s, out):
    length = now = rate = 0.0
    n = x.shape[0]
    for k in range(n):
        length += p[START + k]
        now += x[k]
        rate += v[k]
    strain = (now - length) / length
    pull, slope, damping = _pull(p, strain, rate / length)
    for k in range(n):
        out[k, F] = pull
        for c in range(n):
            out[k, X + c], out[k, V + c] = slope / length, damping / length
    elastic = p[STIFFNESS] * max(strain, 0.0)
    return 0.5 * elastic * strain * length if strain > 0.0 else 0.0, (pull - elastic) * rate


@inner
def _segment(p, x, v, z, zdot, k):
    """Length without load (m) of a segment, what slip makes of it in a second, its strain and the rate of that."""
    last = x.shape[0] - 1
    free, change = p[START + k], 0.0
    if k < last:
        free, change = free + z[k], change + zdot[k]
    if k > 0:
        free, change = free - z[k - 1], change - zdot[k - 1]
    free = max(free, SHORTEST)
    return free, change, x[k] / free - 1.0, (v[k] - change * x[k] / free) / free


@inner
def _slipping(p, x, v, z, zdot, m, s, out):
    n = x.shape[0]
    stored = lost = 0.0
    for k in range(n):
        free, change, strain, rate = _segment(p, x, v, z, zdot, k)
        pull, slope, damping = _pull(p, strain, rate)
        # with x, v, the length without load and its change
        by_x = slope / free - damping * change / free**2
        by_v = damping / free
        by_free = -slope * x[k] / free**2 + damping * (2.0 * change * x[k] / free - v[k]) / free**2
        by_change = -damping * x[k] / free**2
        out[k, F], out[k, X + k], out[k, V + k] = pull, by_x, by_v
        for side in range(2):
            at, sign = k - side, 1.0 - 2.0 * side
            if 0 <= at < n - 1:
                out[k, Z + at], out[k, ZD + at] = sign * by_free, sign * by_change
        if strain > 0.0:
            energy = p[STIFFNESS] * strain
            stored += 0.5 * energy * strain * free
            lost += pull * v[k] - energy * (0.5 * strain * change + free * rate)
    for k in range(n - 1):
        grip = math.exp(p[START + n + k] * m[k])
        left, right, row = out[k, F], out[k + 1, F], INTERNAL + k
        a = b = 0.0
        if left > right * grip:
            a, b = 1.0, -grip
        elif right > left * grip:
            a, b = grip, -1.0
        out[row, F] = a * left + b * right - p[RESISTANCE] * zdot[k]
        for c in range(n):
            out[row, X + c] = a * out[k, X + c] + b * out[k + 1, X + c]
            out[row, V + c] = a * out[k, V + c] + b * out[k + 1, V + c]
        for c in range(n - 1):
            out[row, Z + c] = a * out[k, Z + c] + b * out[k + 1, Z + c]
            out[row, ZD + c] = a * out[k, ZD + c] + b * out[k + 1, ZD + c]
        out[row, ZD + k] -= p[RESISTANCE]
    return stored, lost


@inner
def _whole_goes_taut(p, x, v, z, zdot, k, G):
    over = rate = 0.0
    for c in range(x.shape[0]):
        over += x[c] - p[START + c] * (1.0 + k * SKIN)
        rate += v[c]
    return over, rate, 0.0, OF_COORDINATE


@inner
def _goes_taut(p, x, v, z, zdot, k, G):
    # first all segments going taut, then all of them where their damping is whole
    n = x.shape[0]
    free, change, _, _ = _segment(p, x, v, z, zdot, k % n)
    share = 1.0 + (k // n) * SKIN
    return x[k % n] - free * share, v[k % n] - change * share, 0.0, OF_COORDINATE


SMOOTH_BELT = Law("belt", _smooth, wide=True, border=_whole_goes_taut)  # numbers as above
SLIPPING_BELT = Law(
    "belt that slips", _slipping, wide=True, internal=COORDINATES - 1, border=_goes_taut
)  # the same, then coefficients of friction at the points


def law(belt: Belt, geometry: Geometry) -> Use:
    """One pull all along where nothing rubs, otherwise one of each segment."""
    numbers, friction = (
        (belt.stiffness, belt.damping, belt.slip_resistance),
        [at.friction for at in belt.over],
    )
    rubs = any(friction)

    def drawn(lengths: Sequence[float]) -> tuple[float, ...]:
        whole = math.fsum(lengths)
        share = 1.0 + belt.slack / whole
        if share * whole < SHORTEST * len(lengths):
            text = say(
                "Belt '{name}' is {whole:.3g m} long as drawn and its slack is {slack:.3g m}: nothing is left of it.",
                name=belt.name,
                whole=whole,
                slack=belt.slack,
            )
            raise InputError(text)
        return (*numbers, *(share * one for one in lengths), *(friction if rubs else ()))

    borders = 2 if belt.damping > 0.0 else 1
    if rubs:
        return Use(SLIPPING_BELT, levels=borders * (len(friction) + 1), internal=len(friction), drawn=drawn)
    return Use(SMOOTH_BELT, levels=borders, drawn=drawn)


def _sized(by: Sizing) -> dict[str, float]:
    """It stretches by 1 % under the weight that it carries."""
    return {"stiffness": by.stiffness(0.01)}


TYPE = ElementType(Belt, "belt", "line", law, "force", Mark("strap"), LENGTH, sized=_sized)
