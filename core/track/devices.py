"""What drives and slows a train along the track: chain lift, launch, brakes, tyres, station.

A device sits on a stretch of a named section, counted in metres from where the section starts, so that it moves with
its section when the track is edited. Forces are given over the mass of the train (m/s^2): on a level track without
losses that is its acceleration. What a device does in numbers is in `core.track.device_law`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal, Protocol

from pydantic import Field, model_validator

from core.base.errors import InputError
from core.base.frozen import Frozen, Name

Distance = Annotated[float, Field(ge=0.0, le=20_000.0)]
Speed = Annotated[float, Field(gt=0.0, le=150.0)]
SpeedOrStop = Annotated[float, Field(ge=0.0, le=150.0)]
Pull = Annotated[float, Field(gt=0.0, le=60.0)]
Pause = Annotated[float, Field(ge=0.0, le=600.0)]
SAME_PLACE = 1e-6  # m, devices may touch within this


class _Placed(Frozen):
    """A name and a stretch: start and end (m) from the start of a section; end None is the end of the section."""

    name: Name
    section: Name
    start: Distance = 0.0
    end: Distance | None = None

    @model_validator(mode="after")
    def _runs_forward(self) -> _Placed:
        if self.end is not None and self.end <= self.start:
            raise ValueError(f"end ({self.end:g} m) must lie behind start ({self.start:g} m)")
        return self


class Station(_Placed):
    """Transport tyres of a platform: they bring the train to `speed` (m/s) and keep it there.

    acceleration (m/s^2): the most they push or hold back, over the mass of the train.
    """

    kind: Literal["station"] = "station"
    speed: Speed = 1.5
    acceleration: Pull = 1.5


class ChainLift(_Placed):
    """A chain that takes a slower train along at `speed` (m/s); a faster one runs ahead of it freely.

    acceleration (m/s^2): how fast the chain brings a slower train to its own speed. grip (m/s^2): the most it pulls,
    over the mass of the train; None: as much as it takes. anti_rollback: a train that comes rolling backwards, or that
    the chain cannot pull, is caught and held.
    """

    kind: Literal["chain_lift"] = "chain_lift"
    speed: Speed = 2.5
    acceleration: Pull = 3.0
    grip: Pull | None = None
    anti_rollback: bool = True


class Launch(_Placed):
    """A launch up to `top_speed` (m/s).

    mode "acceleration": value is the acceleration along the track (m/s^2) the controller holds, whatever the slope;
    "force": the thrust (N); "power": the power (W), with a thrust of at most `grip` (m/s^2) over the mass of the train
    and no more than it has at 0.05 m/s.
    """

    kind: Literal["launch"] = "launch"
    mode: Literal["acceleration", "force", "power"] = "acceleration"
    value: Annotated[float, Field(gt=0.0, le=1e9)] = 6.0
    top_speed: Speed = 30.0
    grip: Pull = 12.0


class TrimBrake(_Placed):
    """A brake that slows a train faster than `speed` (m/s) with a force of `deceleration` (m/s^2) over its mass."""

    kind: Literal["trim_brake"] = "trim_brake"
    speed: Speed = 15.0
    deceleration: Pull = 3.0


class BlockBrake(_Placed):
    """A brake that slows a train to `speed` (m/s), 0 to stop it, with `deceleration` (m/s^2) over its mass.

    A train that stops is held for `hold` (s); then the brake opens and tyres take the train on at `release_speed`
    (m/s), or it rolls off by itself when that is 0. hold None: it stays, and the ride ends there.
    """

    kind: Literal["block_brake"] = "block_brake"
    speed: SpeedOrStop = 0.0
    deceleration: Pull = 5.0
    hold: Pause | None = 5.0
    release_speed: SpeedOrStop = 2.0


class DriveTyres(_Placed):
    """Tyres that bring a train to `speed` (m/s), faster or slower.

    acceleration (m/s^2): the most they push or hold back, over the mass of the train.
    """

    kind: Literal["drive_tyres"] = "drive_tyres"
    speed: Speed = 3.0
    acceleration: Pull = 2.0


Device = Annotated[
    Station | ChainLift | Launch | TrimBrake | BlockBrake | DriveTyres, Field(discriminator="kind")
]


@dataclass(frozen=True)
class DeviceSpan:
    """A device and the arc lengths s0 < s1 (m) of the centreline between which it acts."""

    device: Device
    s0: float
    s1: float


class Span(Protocol):
    """A named stretch of the centreline (m), as `core.track.build.SectionSpan`."""

    @property
    def name(self) -> str: ...
    @property
    def s0(self) -> float: ...
    @property
    def s1(self) -> float: ...


def section_span(sections: Sequence[Span], name: str, what: str) -> Span:
    """The stretch of a section by its name. Raises InputError naming `what` and the section when there is none."""
    for span in sections:
        if span.name == name:
            return span
    raise InputError(
        f"{what} is placed on section '{name}', which the track does not have; choose one of"
        f" {', '.join(repr(s.name) for s in sections[:8])}{' ...' if len(sections) > 8 else ''}."
    )


def device_spans(devices: Sequence[Device], sections: Sequence[Span]) -> tuple[DeviceSpan, ...]:
    """Where devices lie on a built track, in the order of the track.

    devices: as described; sections: the spans of the built track (m). An end behind that of the section is cut there.
    Raises InputError naming the device when its section is missing, when it starts behind the end of its section, or
    when it overlaps another device.
    """
    spans = []
    for device in devices:
        what = f"Device '{device.name}'"
        section = section_span(sections, device.section, what)
        length = section.s1 - section.s0
        if device.start >= length - SAME_PLACE:
            raise InputError(
                f"{what} starts {device.start:g} m into section '{section.name}', which is {length:.2f} m long;"
                " move it forward or to another section."
            )
        end = length if device.end is None else min(device.end, length)
        spans.append(DeviceSpan(device, section.s0 + device.start, section.s0 + end))
    spans.sort(key=lambda span: span.s0)
    for before, after in pairwise(spans):
        if after.s0 < before.s1 - SAME_PLACE:
            raise InputError(
                f"Devices '{before.device.name}' and '{after.device.name}' overlap from s = {after.s0:.2f} m to"
                f" {min(before.s1, after.s1):.2f} m; move one of them."
            )
    return tuple(spans)
