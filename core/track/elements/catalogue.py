"""The list of elements a person can insert: for menus, with defaults that fit the speed of the ride."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .common import Element
from .force import ForceSection
from .loops import (
    DiveLoopSection,
    ImmelmannSection,
    LoopSection,
    WingOverSection,
)
from .plane import (
    ArcSection,
    BankedTurnSection,
    HelixSection,
    TransitionSection,
)
from .railway import RailwayCurveSection
from .rolls import (
    CamelbackSection,
    CobraRollSection,
    CorkscrewSection,
    InlineRollSection,
    ZeroGRollSection,
)

GRAVITY = 9.81  # m/s^2
CRAWL = 5.0  # m/s, below which nothing gets smaller
EASED = 0.045  # 1/m within 1 m; a tenth below what the checks of the track warn of
MIN_VALLEY = 12.0  # m, radius of the valley a force section begins with when the ride is slow
GENTLE = (
    0.028  # 1/m^2, from the valley to the crest of a hill: what changes the curvature by EASED within 1 m
)
QUINTIC = 1.875  # of the mean, the steepest slope of a quintic change
PULL: Final = {"at": 0.6, "value": 3.0, "transition": "quintic"}


@dataclass(frozen=True)
class ElementEntry:
    """An element as a menu shows it.

    id; title; group; icon: name of its picture; line: one sentence; model: the description it makes; fields: what
    differs from the model's defaults; scaled: fields that fit a speed (m/s); called: what a section is named by its
    direction, where the title does not say it; slowest: the speed (m/s) that a ride needs for it, below which it would
    be tighter than the checks of the track allow.
    """

    id: str
    title: str
    group: str
    line: str
    model: type[Element]
    fields: Mapping[str, Any] = field(default_factory=dict)
    scaled: Callable[[float], dict[str, Any]] | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    slowest: float = 0.0

    @property
    def icon(self) -> str:
        return f"element-{self.id}".replace("_", "-")

    def make(self, name: str, speed: float | None = None) -> Element:
        """The element under a name, sized for a ride that enters it at speed (m/s), at `slowest` for a slower one; None
        takes the defaults."""
        fields = dict(self.fields)
        if speed is not None and self.scaled is not None:
            fields |= self.scaled(min(max(speed, CRAWL, self.slowest), 60.0))
        return self.model.model_validate({"name": name, **fields})


def _tidy(value: float, low: float, high: float) -> float:
    return round(min(max(value, low), high), 1)


def _degrees(angle: int) -> float:
    """A whole number of degrees, as people write angles, in rad."""
    return math.radians(angle)


def _head(v: float) -> float:
    """Height a ride at speed v climbs (m)."""
    return v * v / (2.0 * GRAVITY)


def _turn(v: float, g: float) -> tuple[float, float]:
    """Radius (m) and bank (rad) of a level turn in which the riders feel g and nothing sideways."""
    radius = _tidy(v * v / (GRAVITY * math.sqrt(g * g - 1.0)), 6.0, 200.0)
    return radius, _degrees(round(math.degrees(math.atan(v * v / (GRAVITY * radius)))))


def _ramp(radius: float, length: float, longest: float) -> float:
    """Length (m) of a transition to a radius (m), at least so long that the curvature changes by EASED within 1 m at
    its steepest (a cubic one: 3/2 of the mean)."""
    return _tidy(max(length, math.ceil(15.0 / (radius * EASED)) / 10.0), 1.0, longest)


def _arc(v: float) -> dict[str, Any]:
    return {"radius": _tidy(v * v / (0.8 * GRAVITY), 8.0, 300.0)}


def _hill_arc(v: float) -> dict[str, Any]:
    radius = _tidy(v * v / (2.0 * GRAVITY), 10.0, 300.0)
    ramp = _ramp(radius, 0.2 * radius, 20.0)
    return {"radius": radius, "transition_in": ramp, "transition_out": ramp}


def _banked(v: float) -> dict[str, Any]:
    radius, bank = _turn(v, 2.5)
    return {"radius": radius, "bank": bank, "transition": _ramp(radius, max(0.7 * v, 6.4), 40.0)}


def _helix(v: float) -> dict[str, Any]:
    radius, bank = _turn(v, 2.8)
    return {
        "radius": radius,
        "bank": bank,
        "transition": _ramp(radius, max(0.8 * v, 6.4), 40.0),
        "pitch": -_tidy(0.4 * radius, 3, 20),
    }


def _loop(v: float) -> dict[str, Any]:
    height = _tidy(0.62 * _head(v), 6.0, 60.0)
    return {"height": height, "top_radius": _tidy(0.375 * height, 2.0, 30.0)}


def _half_loop(v: float) -> dict[str, Any]:
    height = _tidy(0.62 * _head(v), 3.5, 60.0)
    return {
        "height": height,
        "top_radius": _tidy(0.41 * height, 1.0, 30.0),
        "run_out": _tidy(0.54 * height, 1.0, 60.0),
        "roll_length": _tidy(1.2 * v, 12.0, 60.0),
        "overlap": _tidy(0.4 * height, 1.0, 12.0),
    }


def _dive(v: float) -> dict[str, Any]:
    return {"height": 18.0, "top_radius": 7.5, "roll_length": _tidy(1.2 * v, 20.0, 60.0)}


def _wing(v: float) -> dict[str, Any]:
    height = _tidy(0.5 * _head(v), 5.0, 60.0)
    return {"height": height, "length": _tidy(max(5.0 * height, 3.2 * v), 30.0, 400.0)}


def _corkscrew(v: float) -> dict[str, Any]:
    return {"height": _tidy(0.4 * _head(v), 5.0, 40.0)}


def _cobra(v: float) -> dict[str, Any]:
    return {"height": _tidy(0.6 * _head(v), 4.0, 60.0)}


def _hill(v: float) -> dict[str, Any]:
    # the changes of g take a part of the way that does not depend on the speed, so that there is a hill between them
    return {
        "entry_speed": v,
        "height": _tidy(0.5 * _head(v), 1.0, 100.0),
        "transition": _tidy(0.32 * _head(v), 1.0, 60.0),
    }


def _camelback(v: float) -> dict[str, Any]:
    """A slow ride feels less in the valleys and more on the hill, so that the curvature changes gently."""
    fields = _hill(v)
    change = fields["transition"] = max(fields["transition"], 4.0)
    crest = v * v - 2.0 * GRAVITY * fields["height"]
    bends = GENTLE * change / GRAVITY  # s^2/m^2, over both
    pull = round(min(3.0, 1.0 + 0.42 * bends * v * v), 2)
    return {**fields, "pull_up": pull, "gz": round(max(0.0, 1.0 - 0.58 * bends * crest), 2)}


def _force(v: float) -> dict[str, Any]:
    extent = _tidy(0.075 * v, 0.4, 1.5)
    rise = round(0.4 * extent, 2)
    bend = min(EASED * rise * v / QUINTIC, 1.0 / MIN_VALLEY)
    pull = round(min(3.0, 1.0 + bend * v * v / GRAVITY), 2)
    return {"entry_speed": v, "extent": extent, "normal_g": ({**PULL, "at": rise, "value": pull},)}


def _roll(v: float) -> dict[str, Any]:
    return {"length": _tidy(2.0 * v, 32.0, 120.0)}  # a roll in less has a cant rate to warn of


def _sided(what: str) -> dict[str, str]:
    return {"left": f"Left {what}", "right": f"Right {what}"}


_ARCS: Final = {**_sided("turn"), "up": "Valley", "down": "Crest"}

ELEMENTS: tuple[ElementEntry, ...] = (
    ElementEntry(
        "arc", "Arc", "Curves", "A circular arc left or right with eased ends.", ArcSection, {}, _arc, _ARCS
    ),
    ElementEntry(
        "vertical_arc",
        "Valley or crest",
        "Curves",
        "A circular arc up or down in the vertical plane.",
        ArcSection,
        {"direction": "up", "angle": _degrees(30)},
        _hill_arc,
        _ARCS,
    ),
    ElementEntry(
        "transition",
        "Transition",
        "Curves",
        "From the curvature the track has to a given one: a clothoid, or smoother.",
        TransitionSection,
    ),
    ElementEntry(
        "banked_turn", "Banked turn", "Curves", "A turn in which cant and curvature come together.",
        BankedTurnSection, {"bank": _degrees(45)}, _banked, _sided("banked turn"),
    ),
    ElementEntry(
        "helix", "Helix", "Curves", "Banked turns on a steady slope.", HelixSection, {"bank": _degrees(50)}, _helix,
        _sided("helix"),
    ),
    ElementEntry(
        "railway_curve",
        "Railway curve",
        "Curves",
        "Tangent, spiral, circular curve and spiral with superelevation.",
        RailwayCurveSection,
        called=_sided("railway curve"),
    ),
    ElementEntry(
        "camelback", "Camelback", "Hills", "A hill of one g at the speed of the ride.", CamelbackSection, {},
        _camelback, slowest=6.0,
    ),
    ElementEntry(
        "loop", "Vertical loop", "Inversions", "Clothoid, arc and clothoid, set off sideways.", LoopSection, {}, _loop,
        slowest=20.0,
    ),
    ElementEntry(
        "inclined_loop",
        "Inclined loop",
        "Inversions",
        "A loop in a plane that leans to one side.",
        LoopSection,
        {"inclination": _degrees(40), "offset": 6.0},
        _loop,
        slowest=20.0,
    ),
    ElementEntry(
        "immelmann", "Immelmann", "Inversions", "Half a loop up, then half a roll: back the way it came, higher up.",
        ImmelmannSection, {}, _half_loop, slowest=18.0,
    ),
    ElementEntry(
        "dive_loop", "Dive loop", "Inversions", "Half a roll, then half a loop down.", DiveLoopSection, {}, _dive
    ),
    ElementEntry(
        "corkscrew", "Corkscrew", "Inversions", "Pull up and roll over at once, out to one side.",
        CorkscrewSection, {}, _corkscrew, slowest=18.0,
    ),
    ElementEntry(
        "cobra_roll",
        "Cobra roll",
        "Inversions",
        "Half a loop and half a corkscrew, and their mirror image: two inversions, back the way it came.",
        CobraRollSection,
        {},
        _cobra,
        slowest=20.0,
    ),
    ElementEntry(
        "zero_g_roll", "Zero-g roll", "Inversions", "A roll about the riders' line over a hill at 0 g.",
        ZeroGRollSection, {}, _hill, slowest=22.0,
    ),
    ElementEntry(
        "inline_roll", "In-line roll", "Inversions", "A roll about a straight line above the rails.",
        InlineRollSection, {}, _roll,
    ),
    ElementEntry(
        "wing_over", "Wing-over", "Inversions", "A climbing turn that leans beyond the vertical at its top.",
        WingOverSection, {"bank": _degrees(115)}, _wing, slowest=10.0,
    ),
    ElementEntry(
        "force",
        "Force section",
        "Forces",
        "Drawn by what the riders feel: normal g, lateral g and roll rate over time or distance.",
        ForceSection,
        {"extent": 1.5, "normal_g": (PULL,)},
        _force,
    ),
)  # fmt: skip


def element_entry(id: str) -> ElementEntry:
    """The entry of the catalogue called `id`; KeyError when there is none."""
    for entry in ELEMENTS:
        if entry.id == id:
            return entry
    raise KeyError(id)


def name_by_direction(section: Element, title: str = "") -> str:
    """What a section is called by what it is and where it goes: "Left turn", "Crest"; the title where its kind has no
    such names, "" without one."""
    called = next((e.called for e in ELEMENTS if e.model is type(section)), {})
    return called.get(str(getattr(section, "direction", "")), title)
