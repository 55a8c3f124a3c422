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

from ..base.errors import InputError, located
from ..base.fields import described
from ..base.frozen import Frozen, Name
from ..base.sentence import say
from ..base.where import Where

Distance = Annotated[float, Field(ge=0.0, le=20_000.0)]
Speed = Annotated[float, Field(gt=0.0, le=150.0)]
SpeedOrStop = Annotated[float, Field(ge=0.0, le=150.0)]
Pull = Annotated[float, Field(gt=0.0, le=60.0)]
Pause = Annotated[float, Field(ge=0.0, le=600.0)]
DriveLimit = Annotated[
    Pull,
    described(
        ...,
        "Maximum acceleration",
        "The most the tyres push or hold back, over the mass of the train.",
        unit="m/s^2",
    ),
]
BrakeForce = Annotated[
    Pull,
    described(
        ...,
        "Deceleration",
        "Brake force over the mass of the train; on a level track it slows by this.",
        unit="m/s^2",
    ),
]
SAME_PLACE = 1e-6  # m, devices may touch within this


class _Placed(Frozen):
    """A name and a stretch of a section."""

    name: Name = described(..., "Name", "What the device is called.")
    section: Name = described(
        ..., "Section", "The section it lies on; it moves with it.", refers_to="section"
    )
    start: Distance = described(0.0, "From", "Where it begins, from the start of the section.", unit="m")
    end: Distance | None = described(
        None,
        "To",
        "Where it ends, from the start of the section.",
        unit="m",
        empty="the end of the section",
    )

    cars: Literal["all", "first", "last"] | tuple[Name, ...] = described(
        "all", "Acts on", "The cars that have what it takes hold of: dogs, fins, rails for tyres. Its force"
        " stays over the mass of all cars that are coupled.", entry="cars",
        words={"all": "All cars", "first": "The first car", "last": "The last car"},
    )  # fmt: skip

    @model_validator(mode="after")
    def _runs_forward(self) -> _Placed:
        if self.cars == ():
            raise ValueError('cars names no car; name one, or choose "all", "first" or "last"')
        if self.end is not None and self.end <= self.start:
            raise ValueError(f"end ({self.end:g} m) must lie behind start ({self.start:g} m)")
        return self


class Station(_Placed):
    """Transport tyres of a platform: they bring the train to `speed` and keep it there."""

    kind: Literal["station"] = "station"
    speed: Speed = described(
        1.5, "Transport speed", "Speed the tyres of the platform bring the train to.", unit="m/s"
    )
    acceleration: DriveLimit = 1.5


class ChainLift(_Placed):
    """A chain that takes a slower train along; a faster one runs ahead of it freely."""

    kind: Literal["chain_lift"] = "chain_lift"
    speed: Speed = described(
        2.5, "Chain speed", "A slower train is taken along; a faster one runs ahead freely.", unit="m/s"
    )
    acceleration: Pull = described(
        3.0,
        "Pick-up acceleration",
        "How fast the chain brings a slower train to its own speed.",
        unit="m/s^2",
    )
    grip: Pull | None = described(
        None,
        "Maximum pull",
        "The most the chain pulls, over the mass of the train.",
        unit="m/s^2",
        empty="as much as it takes",
    )
    anti_rollback: bool = described(
        True,
        "Anti-rollback",
        "A train that comes rolling backwards, or that the chain cannot pull, is caught and held.",
    )


class Launch(_Placed):
    """A launch up to `top_speed`.

    mode "acceleration": the controller holds the acceleration along the track, whatever the slope; "force": the
    thrust; "power": the power, with a thrust of at most `grip` over the mass of the train and no more than it has at
    0.05 m/s.
    """

    kind: Literal["launch"] = "launch"
    mode: Literal["acceleration", "force", "power"] = described(
        "acceleration",
        "Controlled quantity",
        "What the launch keeps constant.",
        words={"acceleration": "Acceleration", "force": "Force", "power": "Power"},
    )
    value: Annotated[float, Field(gt=0.0, le=1e9)] = described(
        6.0,
        "Value",
        "Acceleration along the track, thrust or power, as chosen.",
        unit="m/s^2",
        unit_by=("mode", {"force": "N", "power": "W"}),
    )
    top_speed: Speed = described(30.0, "Top speed", "No faster train is pushed.", unit="m/s")
    grip: Pull = described(
        12.0,
        "Maximum thrust",
        "With constant power: the most it pushes at low speed, over the mass of the train.",
        unit="m/s^2",
        when={"mode": ("power",)},
    )


class TrimBrake(_Placed):
    """A brake that slows a train faster than `speed`."""

    kind: Literal["trim_brake"] = "trim_brake"
    speed: Speed = described(15.0, "Target speed", "A train that is not faster is not braked.", unit="m/s")
    deceleration: BrakeForce = 3.0


class BlockBrake(_Placed):
    """A brake that slows a train to `speed`, 0 to stop it.

    A train that stops is held for `hold`; then the brake opens and tyres take the train on at `release_speed`, or it
    rolls off by itself when that is 0. hold None: it stays, and the ride ends there.
    """

    kind: Literal["block_brake"] = "block_brake"
    speed: SpeedOrStop = described(0.0, "Target speed", "0 stops the train.", unit="m/s")
    deceleration: BrakeForce = 5.0
    hold: Pause | None = described(
        5.0,
        "Hold time",
        "How long a stopped train is held; empty ends the ride there.",
        unit="s",
        empty="for good",
    )
    release_speed: SpeedOrStop = described(
        2.0,
        "Release speed",
        "Speed of the tyres that drive the released train; 0 lets it roll off by itself.",
        unit="m/s",
    )


class DriveTyres(_Placed):
    """Tyres that bring a train to `speed`, faster or slower.

    mode "force": with at most `acceleration` times the mass; "acceleration": the controller lets the speed change by
    `acceleration`, whatever the slope, as a drive that follows a profile of speed does.
    """

    kind: Literal["drive_tyres"] = "drive_tyres"
    speed: Speed = described(
        3.0, "Speed", "Speed the tyres bring the train to, faster or slower.", unit="m/s"
    )
    mode: Literal["force", "acceleration"] = described(
        "force",
        "Controlled quantity",
        "The force has a bound; or the speed changes by the acceleration, whatever the slope.",
        words={"force": "Force", "acceleration": "Acceleration"},
    )
    acceleration: DriveLimit = 2.0


Device = Annotated[
    Station | ChainLift | Launch | TrimBrake | BlockBrake | DriveTyres, Field(discriminator="kind")
]


@dataclass(frozen=True)
class DeviceSpan:
    """A device and the arc lengths s0 < s1 (m) of the centreline between which it acts."""

    device: Device
    s0: float
    s1: float


def first_drive(
    spans: Sequence[DeviceSpan], start: float, length: float, closed: bool
) -> tuple[DeviceSpan, float] | None:
    """The first device ahead that gives the train its speed, whatever it comes with, and how far ahead it begins (m).

    start: of the ride (m), off the devices; length (m) of the track; closed: round the circuit, too. A trim brake only
    takes speed, and does not count. None without any.
    """
    ahead = [
        (span.s0 - start + (length if span.s0 < start else 0.0), span)
        for span in spans
        if not isinstance(span.device, TrimBrake) and (span.s0 >= start or closed)
    ]
    if not ahead:
        return None
    away, span = min(ahead, key=lambda one: one[0])
    return span, away


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


def device_where(name: str) -> Where:
    """Where in a project a device of the track is."""
    return Where(("track", "devices", name))


def device_spans(devices: Sequence[Device], sections: Sequence[Span]) -> tuple[DeviceSpan, ...]:
    """Where devices lie on a built track, in the order of the track.

    devices: as described; sections: the spans of the built track (m). An end behind that of the section is cut there.
    Raises InputError naming the device when its section is missing, when it starts behind the end of its section, or
    when it overlaps another device.
    """
    spans = []
    for device in devices:
        what = f"Device '{device.name}'"
        with located(device_where(device.name)):
            section = section_span(sections, device.section, what)
        length = section.s1 - section.s0
        if device.start >= length - SAME_PLACE:
            raise InputError(
                say(
                    "{what} starts {start:g m} into section '{section}', which is {length:.2f m} long; move it forward"
                    " or to another section.",
                    what=what, start=device.start, section=section.name, length=length,
                ),
                device_where(device.name),
            )  # fmt: skip
        end = length if device.end is None else min(device.end, length)
        spans.append(DeviceSpan(device, section.s0 + device.start, section.s0 + end))
    spans.sort(key=lambda span: span.s0)
    for before, after in pairwise(spans):
        if after.s0 < before.s1 - SAME_PLACE:
            raise InputError(
                say(
                    "Devices '{before}' and '{after}' overlap from s = {begin:.2f m} to {end:.2f m}; move one of them.",
                    before=before.device.name, after=after.device.name, begin=after.s0, end=min(before.s1, after.s1),
                ),
                device_where(after.device.name).filled(Where(s=after.s0)),
            )  # fmt: skip
    return tuple(spans)
