"""A limit table of accelerations as data: curves of g against duration, and the rules that go with them.

One file in resources/limits (or in the user's folder) is one table. Everything that decides a verdict is in the file;
the program holds only the meaning of the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Final, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, field_validator, model_validator

from ...base.arrays import Array
from ...base.errors import LimitTableError
from ...base.evaluation import EvaluationOptions, Restraint
from ...base.frozen import Frozen
from ..filters import FilterName
from ..limits import Confidence, CurveSet, LimitTable
from ..rider_axes import Direction

AxisPair = Literal["GxGy", "GxGz", "GyGz"]
Interpolation = Literal["linear", "semilog", "log-log"]
Positive = Annotated[float, Field(gt=0.0)]

#: Corners put on each piece of a curve that is straight on logarithmic scales; the chords are then within 1e-4 of it.
PIECES = 64


class DurationCurve(Frozen):
    """One limit curve.

    name: unique in the table; directions it limits; series: curves of one direction with different series are judged
    side by side, those of one series are alternatives, of which the first that applies counts; points (duration s, g),
    durations not decreasing (equal ones are a step down), g not increasing; flat beyond the last point; restraints,
    extended, headrest: what it applies to (empty or None: everything); onset_below (g/s): applies while the onset in
    its direction stays below; rule: figure or clause; confidence, reported_by: where they differ from the table's.
    """

    name: str
    directions: tuple[Direction, ...] = Field(min_length=1)
    series: str = ""
    points: tuple[tuple[float, float], ...] = Field(min_length=1)
    interpolation: Interpolation = "linear"
    restraints: tuple[Restraint, ...] = ()
    extended: bool | None = None
    headrest: bool | None = None
    onset_below: Positive | None = None
    rule: str = ""
    confidence: Confidence | None = None
    reported_by: str = ""
    note: str = ""

    @model_validator(mode="after")
    def _can_be_judged(self) -> Self:
        d, g = np.array(self.points).T
        if (d < 0.0).any() or (np.diff(d) < 0.0).any():
            raise ValueError(f"curve {self.name}: durations must not be negative and must not decrease")
        if (g <= 0.0).any() or (np.diff(g) > 0.0).any():
            raise ValueError(f"curve {self.name}: g must be positive and must not rise with the duration")
        if self.interpolation != "linear" and (d <= 0.0).any():
            raise ValueError(f"curve {self.name}: a logarithmic scale needs durations above 0")
        return self

    def corners(self) -> tuple[Array, Array]:
        """The curve as corners (duration (k,) s, g (k,)) with straight lines between them; not to be written to."""
        return self._corners

    @cached_property
    def _corners(self) -> tuple[Array, Array]:
        d, g = np.array(self.points).T
        if self.interpolation == "linear" or d.size == 1:
            return d, g
        position = np.linspace(0.0, d.size - 1.0, (d.size - 1) * PIECES + 1)
        logs = self.interpolation == "log-log"
        fine = np.exp(np.interp(position, np.arange(d.size), np.log(d)))
        at = np.interp(position, np.arange(d.size), np.log(g) if logs else g)
        at = np.exp(at) if logs else at
        # The points of the table themselves, and no rise or step back by the rounding of exp and log.
        fine[::PIECES], at[::PIECES] = d, g
        return np.maximum.accumulate(fine), np.minimum.accumulate(at)

    def limit(self, duration: ArrayLike) -> Array:
        """Limit in g at durations in s, NaN below the first point, flat beyond the last, the lower one at a step."""
        d, g = self.corners()
        wanted = np.asarray(duration, dtype=np.float64)
        k = np.clip(np.searchsorted(d, wanted, side="right"), 1, max(d.size - 1, 1))
        value = np.full(wanted.shape, g[-1])
        if d.size > 1:
            width = np.where(d[k] > d[k - 1], d[k] - d[k - 1], 1.0)
            part = np.clip((wanted - d[k - 1]) / width, 0.0, 1.0)
            value = np.where(wanted < d[-1], g[k - 1] + part * (g[k] - g[k - 1]), value)
        return np.where(wanted >= d[0] * (1.0 - 1e-12), value, np.nan)


class CombinedRule(Frozen):
    """Axis pairs together: both loads over their limits at `at_duration` (s), held for `hold` (s), inside a figure.

    form "ellipse": (a1/l1)^2 + (a2/l2)^2 <= 1; "polygon": the convex polygon through `vertices` (u, v) of the quadrant,
    from (1, 0) to (0, 1). scale multiplies the limits, by edition where editions differ.
    """

    form: Literal["ellipse", "polygon"]
    pairs: tuple[AxisPair, ...] = Field(min_length=1)
    at_duration: Positive
    hold: Positive
    scale: dict[str, Positive] = Field(default_factory=dict)
    vertices: tuple[tuple[float, float], ...] = ()
    rule: str
    note: str = ""

    @model_validator(mode="after")
    def _is_a_figure(self) -> Self:
        if self.form == "ellipse":
            return self
        corners = np.array(self.vertices, dtype=np.float64).reshape(-1, 2)
        if len(corners) < 2 or tuple(corners[0]) != (1.0, 0.0) or tuple(corners[-1]) != (0.0, 1.0):
            raise ValueError("combined: the vertices must go from (1, 0) to (0, 1)")
        edges = np.diff(np.vstack([corners, [-1.0, 0.0]]), axis=0)
        turns = edges[:-1, 0] * edges[1:, 1] - edges[:-1, 1] * edges[1:, 0]
        if (turns <= 0.0).any() or (edges[:-1, 1] < 0.0).any():
            raise ValueError("combined: the vertices must turn left and rise (a convex figure)")
        return self


class ReversalRule(Frozen):
    """Loads of one axis that change sign quickly have lower limits.

    axes; sustained (s): events longer than this count; peak_to_peak (s): time between the peaks of two such events in a
    row below which `factor` multiplies the limits of both; floor (g): events with smaller peaks are no loads.
    """

    axes: tuple[Literal["x", "y", "z"], ...] = Field(min_length=1)
    sustained: Positive
    peak_to_peak: Positive
    factor: Annotated[float, Field(gt=0.0, le=1.0)]
    floor: Positive
    rule: str
    note: str = ""


class VerticalOnsetRule(Frozen):
    """From at most from_g Gz, held for hold (s), to at least to_g Gz: onset below `onset` g/s."""

    from_g: float
    hold: Positive
    to_g: float
    onset: Positive
    rule: str
    note: str = ""


class AfterNegativeRule(Frozen):
    """After -Gz (Gz below 0) for longer than longer_than (s), this curve limits +Gz for `lasts` (s)."""

    longer_than: Positive
    lasts: Positive
    points: tuple[tuple[float, float], ...] = Field(min_length=1)
    rule: str
    note: str = ""

    @model_validator(mode="after")
    def _can_be_judged(self) -> Self:
        self.curve()  # refuses points that are no curve, when the table is read and not when somebody is judged
        return self

    def curve(self) -> DurationCurve:
        """The curve of the rule."""
        return DurationCurve(name="after -Gz", directions=("+Gz",), points=self.points, rule=self.rule)


class OnsetRule(Frozen):
    """Largest steepness of each axis, in g/s.

    short: name in titles in place of the table's, for a rule that stands beside the table and is no part of it.
    """

    axes: tuple[Literal["x", "y", "z"], ...] = Field(min_length=1)
    limit: Positive
    short: str = ""
    rule: str
    source: str
    confidence: Confidence
    reported_by: str = ""
    note: str = ""


#: What a class of restraint may ask for: each a number at least or a yes or no, and how it is said of a restraint.
FEATURES: Final = {
    "devices": "restraint devices for each rider",
    "individual": "a restraint for each rider alone",
    "adjustable": "adjustable to the rider",
    "locks": "locks, each enough by itself",
    "monitored": "its lock monitored",
}
MAX_CLASS: Final = 9


class ZoneBox(Frozen):
    """Part of the plane of Gx and Gz, bounded by all that is given: ranges (None: open), a side of the line
    Gx = slope Gz, half planes (a, b, c) where a Gx + b Gz is above c, and the corners (Gx, Gz) of a polygon."""

    gx: tuple[float | None, float | None] = (None, None)
    gz: tuple[float | None, float | None] = (None, None)
    side: Literal["right", "left"] | None = None
    half_planes: tuple[tuple[float, float, float], ...] = ()
    corners: tuple[tuple[float, float], ...] = ()

    @model_validator(mode="after")
    def _encloses_something(self) -> Self:
        if self.corners and len(self.corners) < 3:
            raise ValueError("corners: a polygon has three at least")
        if any(a == 0.0 and b == 0.0 for a, b, _ in self.half_planes):
            raise ValueError("half_planes: (a, b, c) with a and b 0 bounds nothing")
        return self


class RestraintZone(Frozen):
    """The loads (any of the boxes) that demand a class of restraint; hold (s): for how long, None as the rule says."""

    restraint_class: Annotated[int, Field(ge=1, le=MAX_CLASS)]
    boxes: tuple[ZoneBox, ...] = Field(min_length=1)
    hold: Positive | None = None


class RestraintClass(Frozen):
    """What a class of restraint asks for, by the names of `FEATURES`: true, or a number at least; false and 0 for what
    it does not ask for."""

    restraint_class: Annotated[int, Field(ge=1, le=MAX_CLASS)]
    requires: dict[str, bool | Annotated[int, Field(ge=0, le=9)]] = Field(default_factory=dict)
    note: str = ""

    @field_validator("requires")
    @classmethod
    def _names_are_known(cls, requires: dict[str, bool | int]) -> dict[str, bool | int]:
        unknown = next((name for name in requires if name not in FEATURES), None)
        if unknown is not None:
            raise ValueError(f"a class cannot ask for {unknown!r}; it may ask for {', '.join(FEATURES)}")
        return requires

    def lacks(self, features: Mapping[str, bool | int]) -> tuple[str, ...]:
        """What a restraint does not have of it, in words."""
        return tuple(
            FEATURES[name] if isinstance(wanted, bool) else f"{wanted} {FEATURES[name]}"
            for name, wanted in self.requires.items()
            if features.get(name, 0) < wanted
        )


class ZoneRule(Frozen):
    """Which class of restraint a ride demands: the highest that is demanded for `hold` (s) without a break.

    slope: of the line whose sides boxes may name; remark: said beside every verdict; classes: what classes ask for;
    with them the class built in is the highest of which a restraint has all (none of them: class 1), without them the
    one that is stated.
    """

    hold: Positive
    slope: float | None = None
    zones: tuple[RestraintZone, ...] = Field(min_length=1)
    classes: tuple[RestraintClass, ...] = ()
    confidence: Confidence
    source: str
    reported_by: str = ""
    rule: str
    note: str = ""
    remark: str = ""

    @model_validator(mode="after")
    def _has_its_line(self) -> Self:
        if self.slope is None and any(box.side for zone in self.zones for box in zone.boxes):
            raise ValueError("slope: missing, although a box is on a side of the line Gx = slope Gz")
        numbers = [one.restraint_class for one in self.classes]
        if len(set(numbers)) < len(numbers):
            raise ValueError("classes: one is given twice")
        return self

    def hold_of(self, restraint_class: int) -> float:
        """For how long (s) loads have to last that demand a class."""
        holds = (zone.hold for zone in self.zones if zone.restraint_class == restraint_class and zone.hold)
        return min(holds, default=self.hold)

    def built_in(self, features: Mapping[str, bool | int]) -> int:
        """The class of a restraint by what it has; 1 where it has all of no class."""
        return max((one.restraint_class for one in self.classes if not one.lacks(features)), default=1)


#: Parts of a table that may have another origin than the rest.
Doubtful = DurationCurve | OnsetRule | ZoneRule


class Edition(Frozen):
    """An edition of a standard: its name in words, and what is known of it."""

    title: str
    note: str = ""


class AccelerationTable(LimitTable):
    """A limit table of accelerations.

    short: name in titles; prefix: start of the ids of its results; group: what they are sorted under; edition;
    reported_by: whom the numbers are from; confirmed: whether they were compared with the standard itself; filter of
    the signal; applicability; least_height (m): smallest patron the limits are stated for;
    meant_for: "impacts" for tests of single pulses, which say nothing about a load that lasts; editions: those that can
    be chosen, by the name used for it.
    """

    kind: Literal["acceleration limits"]
    short: str
    prefix: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.]+$")]
    group: str = "user limits"
    edition: str = ""
    reported_by: str = ""
    confirmed: bool = False
    filter: FilterName = "none"
    applicability: str = ""
    least_height: Positive | None = None
    meant_for: Literal["", "impacts"] = ""
    editions: dict[str, Edition] = Field(default_factory=dict)
    curves: tuple[DurationCurve, ...] = ()
    combined: CombinedRule | None = None
    reversal: ReversalRule | None = None
    vertical_onset: VerticalOnsetRule | None = None
    after_negative: AfterNegativeRule | None = None
    onset: OnsetRule | None = None
    zones: ZoneRule | None = None

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        names = [curve.name for curve in self.curves]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"curves: the name {twice!r} is given twice")
        if not self.confirmed and not self.reported_by:
            raise ValueError("reported_by: say whom the numbers are from, or set confirmed")
        return self

    def chosen_edition(self, options: EvaluationOptions) -> Edition:
        """The edition the options name. Raises LimitTableError for one the table does not have."""
        found = self.editions.get(options.f2291_edition)
        if found is None:
            raise LimitTableError(
                f"{self.short} has no edition {options.f2291_edition!r}; there are {', '.join(self.editions)}."
            )
        return found

    def doubt(self, part: Doubtful | None = None) -> str:
        """What a title adds to a name, so that an unconfirmed limit is not taken for the standard.

        part: the curve or rule, whose confidence and origin come before the table's.
        """
        if self.confirmed:
            return ""
        confidence = (None if part is None else part.confidence) or self.confidence
        by = ("" if part is None else part.reported_by) or self.reported_by
        return " (as transcribed)" if confidence == "high" else f" (as reported by {by}, not confirmed)"

    def status(self, part: Doubtful | None = None) -> str:
        """Whether a limit is that of the standard itself, in words for verdicts; part as for `doubt`."""
        by = ("" if part is None else part.reported_by) or self.reported_by
        return "" if self.confirmed else f"as reported by {by}, not confirmed by the source itself"

    @property
    def shown_title(self) -> str:
        """Title that never presents an unconfirmed table as the standard."""
        return self.title if self.confirmed else f"{self.title} ({self.status()})"

    def series(self) -> tuple[tuple[Direction, str], ...]:
        """Direction and series of everything judged by curves, in the order of the file."""
        return tuple(dict.fromkeys((d, curve.series) for curve in self.curves for d in curve.directions))

    def alternatives(
        self, direction: Direction, series: str, options: EvaluationOptions
    ) -> tuple[DurationCurve, ...]:
        """Curves of a direction and series that fit the rider, in the order in which they count."""

        def fits(curve: DurationCurve) -> bool:
            return (
                direction in curve.directions
                and curve.series == series
                and (not curve.restraints or options.restraint in curve.restraints)
                and curve.extended in (None, options.extended_negative_gz)
                and curve.headrest in (None, options.headrest)
            )

        return tuple(curve for curve in self.curves if fits(curve))


def table_of_curve_set(curves: CurveSet, short: str, prefix: str, reported_by: str) -> AccelerationTable:
    """A curve set as an acceleration table; a set is flat below its first point, from 0.01 s on."""
    return AccelerationTable(
        title=curves.title,
        source=curves.source,
        confidence=curves.confidence,
        note=curves.note,
        kind="acceleration limits",
        short=short,
        prefix=prefix,
        group="sustained",
        reported_by=reported_by,
        curves=tuple(
            DurationCurve(
                name=f"{direction}",
                directions=(direction,),
                points=((0.01, points[0][1]), *points) if points[0][0] > 0.01 else points,
                interpolation=curves.interpolation,
            )
            for direction, points in curves.curves.items()
        ),
    )
