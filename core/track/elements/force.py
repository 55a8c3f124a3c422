"""Force-vector sections: a track drawn by what the riders are to feel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import Field, model_validator

from ...base.fields import described
from ...base.frozen import Frozen
from ..programs.channel import SHAPES, Channel, channel
from ..programs.entry import Entry
from ..programs.forces import Forces, felt, follow_forces, lay_forces
from ..programs.leg import INTEGRAL, NODES, ElementLeg, offset_samples
from .base import (
    EASED,
    GRAVITY,
    CutPlace,
    ElementKind,
    Halves,
    RiddenElement,
    Sized,
    line_entry,
    losing_as,
    tidy,
)

CHANNELS: Final = ("normal_g", "lateral_g", "roll_rate")
MIN_SPEED = 2.0  # m/s, what an element may be entered with
MIN_VALLEY = 12.0  # m, radius of the valley a force section begins with when the ride is slow
QUINTIC: Final = 1.875  # of the mean, the steepest slope of a quintic change
PULL: Final = {"at": 0.6, "value": 3.0, "transition": "quintic"}

Transition = Literal["linear", "cubic", "quartic", "quintic", "sine", "plateau"]


class Key(Frozen):
    """A value a function reaches and how it gets there from the key before; a plateau rises to the value, holds it
    over half the stretch and comes back to where it was."""

    at: Annotated[float, Field(ge=0.0, le=5000.0)] = described(
        ..., "At", "Seconds or metres from the start of the section.", unit="s or m"
    )
    value: Annotated[float, Field(ge=-50.0, le=50.0)] = described(
        ..., "Value", "What the function reaches there: g, or rad/s for the roll rate.", unit="g or rad/s"
    )
    transition: Transition = described(
        "cubic",
        "Transition",
        "How it gets there from the key before; a plateau comes back to where it was.",
        words={
            "linear": "Linear", "cubic": "Cubic", "quartic": "Quartic (soft start)", "quintic": "Quintic",
            "sine": "Sine", "plateau": "Plateau",
        },
    )  # fmt: skip


Keys = Annotated[tuple[Key, ...], Field(max_length=500)]


class ForceSection(RiddenElement):
    """A section prescribed by normal g, lateral g and roll rate over time or distance.

    Keys are in running order; before the first key a function comes from what the track has at the entry, after the
    last one it is held. Without keys it keeps the value at the entry. The g's hold, and speed and distance count,
    along the line of the riders.
    """

    kind: Literal["force"] = "force"
    over: Literal["time", "distance"] = described(
        "time",
        "Prescribed over",
        "What the keys count: seconds, or metres along the line of the riders.",
        words={"time": "Time", "distance": "Distance"},
    )
    extent: Annotated[float, Field(gt=0.0, le=2000.0)] = described(
        2.0,
        "Extent",
        "Duration or length of the section, whatever the keys count.",
        unit="s",
        unit_by=("over", {"distance": "m"}),
    )
    normal_g: Keys = described((), "Normal g", "Keys; positive presses into the seat.")
    lateral_g: Keys = described((), "Lateral g", "Keys; positive is acceleration to the left.")
    roll_rate: Keys = described((), "Roll rate", "Keys; positive lifts the left rail.")

    @model_validator(mode="after")
    def _keys_in_order(self) -> ForceSection:
        for name in ("normal_g", "lateral_g", "roll_rate"):
            keys: tuple[Key, ...] = getattr(self, name)
            for i, key in enumerate(keys):
                if key.at > self.extent * (1.0 + 1e-9):
                    raise ValueError(
                        f"{name}, key {i + 1} lies at {key.at:g}, behind the end at {self.extent:g}"
                    )
                if i and key.at <= keys[i - 1].at:
                    raise ValueError(f"{name}, key {i + 1} does not come after the key before it")
        return self


def keyed(keys: tuple[Key, ...], start: float, extent: float) -> Channel:
    """Channel over [0, extent] from `start` through the keys, held after the last; a key at 0 is a jump to it."""
    at, value = 0.0, start
    pieces: list[tuple[float, float, str]] = []
    for key in keys:
        if key.at <= 0.0:
            start = value = key.value
            continue
        width = min(key.at, extent) - at
        pieces.append((width, key.value, key.transition))
        at += width
        value = value if key.transition == "plateau" else key.value
    if extent - at > 1e-9 * extent or not pieces:
        pieces.append((extent - at, value, "linear"))
    return channel(start, pieces)


def section_forces(section: ForceSection, entry: Entry) -> Forces:
    """What a force-vector section prescribes from an entry on the rail."""
    line = line_entry(section, entry)
    speed = section.entry_speed
    normal, lateral = felt(line, speed)
    forces = Forces(
        keyed(section.normal_g, normal, section.extent),
        keyed(section.lateral_g, lateral, section.extent),
        keyed(section.roll_rate, line.roll_rate * speed, section.extent),
        speed,
        over_time=section.over == "time",
        roll_per_length=False,
    )
    return losing_as(forces, section)


def force_section(section: ForceSection, entry: Entry) -> ElementLeg:
    """Leg of a force-vector section."""
    return lay_forces(section_forces(section, entry), line_entry(section, entry), section.line_height)


def argument_at(section: ForceSection, entry: Entry, run: float) -> float:
    """Time (s) or distance (m) a force-vector section has come to after `run` (m) of rail from its start."""
    line = follow_forces(section_forces(section, entry), line_entry(section, entry))
    rail = offset_samples(line, section.line_height)
    part = (rail.speed * rail.widths[:, None]) @ INTEGRAL.T
    length = part + (np.cumsum(part[:, -1]) - part[:, -1])[:, None]
    begin = np.cumsum(rail.widths) - rail.widths
    argument = begin[:, None] + rail.widths[:, None] * NODES
    return float(np.interp(run, length.ravel(), argument.ravel()))


def _cut(section: ForceSection, position: CutPlace) -> Halves | None:
    entry = position.entry()
    laws = dict(zip(CHANNELS, section_forces(section, entry).laws, strict=True))
    at = _plain_place(list(laws.values()), argument_at(section, entry, position.offset))
    tiny = 1e-6 * section.extent
    if at is None or not tiny < at < section.extent - tiny:
        return None
    before: dict[str, Any] = {"extent": at}
    behind: dict[str, Any] = {"extent": section.extent - at, "pose": None}
    for name, law in laws.items():
        keys: tuple[Key, ...] = getattr(section, name)
        ahead = [key for key in keys if key.at <= at + tiny]
        rest = tuple(key.model_copy(update={"at": key.at - at}) for key in keys if key.at > at + tiny)
        value = float(law.at(at)[0, 0])
        if rest and _changing(law, at):
            ahead.append(Key(at=at, value=value, transition="linear"))
        before[name] = tuple(key.model_copy(update={"at": min(key.at, at)}) for key in ahead)
        behind[name] = rest
    first = section.model_copy(update=before)
    speed = position.lay(first, entry).exit_speed
    if speed is None or speed < MIN_SPEED:
        return None
    return first, section.model_copy(update={**behind, "entry_speed": speed})


def _changing(law: Channel, at: float) -> bool:
    """Whether a function is on its way from one value to another at `at`, and not at a border of its pieces."""
    k = int(np.clip(np.searchsorted(law.edges, at, side="right") - 1, 0, len(law.start) - 1))
    inside = np.abs(law.edges - at).min() > 1e-6 * law.end
    return bool(inside and law.step[k] != 0.0)


def _plain_place(laws: Sequence[Channel], wanted: float) -> float | None:
    """The place nearest to the wanted one at which every function is at a border, holds its value, or changes in a
    straight line; None when there is none inside."""
    edges = np.unique(np.concatenate([law.edges for law in laws]))
    inner = edges[(edges > 1e-6 * edges[-1]) & (edges < (1.0 - 1e-6) * edges[-1])]
    for at in [wanted, *sorted(inner.tolist(), key=lambda edge: abs(edge - wanted))]:
        bent = False
        for law in laws:
            k = int(np.clip(np.searchsorted(law.edges, at, side="right") - 1, 0, len(law.start) - 1))
            bent |= _changing(law, at) and law.kind[k] != SHAPES["linear"]
        if not bent:
            return float(at)
    return None


def _mirrored(section: ForceSection) -> dict[str, Any]:
    return {
        name: tuple(key.model_copy(update={"value": -key.value}) for key in getattr(section, name))
        for name in ("lateral_g", "roll_rate")
    }


def _scaled(v: float) -> dict[str, Any]:
    extent = tidy(0.075 * v, 0.4, 1.5)
    rise = round(0.4 * extent, 2)
    bend = min(EASED * rise * v / QUINTIC, 1.0 / MIN_VALLEY)
    pull = round(min(3.0, 1.0 + bend * v * v / GRAVITY), 2)
    return {"entry_speed": v, "extent": extent, "normal_g": ({**PULL, "at": rise, "value": pull},)}


KIND = ElementKind(
    ForceSection,
    force_section,
    (
        Sized(
            "force",
            "Force section",
            "Forces",
            "Drawn by what the riders feel: normal g, lateral g and roll rate over time or distance.",
            {"extent": 1.5, "normal_g": (PULL,)},
            _scaled,
            rank=1,
        ),
    ),
    goes_on=True,
    about="Drawn by what the riders feel. Edit its curves in the Forces panel.",
    mirrored=_mirrored,
    sized=False,
    cut=_cut,
)
