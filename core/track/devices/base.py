"""What every kind of device declares; each has one file in this folder.

A device drives or slows a train along the track. It sits on a stretch of a named section, counted in metres from where
the section starts, so that it moves with its section when the track is edited. Forces are given over the mass of the
train (m/s^2): on a level track without losses that is its acceleration.

A kind's file holds its description (a pydantic class whose fields say their title, unit, help and limits), its law (see
`core.track.devices.law`) and KIND, a `DeviceKind`. Everything else - file format, menus, inspector, both rides, marks,
plots, checks - follows from these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from ...base.fields import described
from ...base.frozen import Frozen, Name
from ...base.sentence import say
from .law import CATCHES, HOLD, LAW, OWN, PASSES, RELEASE, SPEED, WIDTH

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


class Device(Frozen):
    """What every device has: a name and a stretch of a section; `kind` is a literal of every kind."""

    if TYPE_CHECKING:
        kind: str

    name: Name = described(..., "Name", "What the device is called.")
    section: Name = described(
        ..., "Section", "The section it lies on; it moves with it.", refers_to="section"
    )
    start: Distance = described(0.0, "From", "Where it begins, from the start of the section.", unit="m")
    end_section: Name | None = described(
        None,
        "Ends on",
        "A section behind its own that it runs on to.",
        refers_to="section",
        empty="its own section",
    )
    end: Distance | None = described(
        None,
        "To",
        "Where it ends, from the start of the section it ends on.",
        unit="m",
        empty="the end of the section",
    )
    cars: Literal["all", "first", "last"] | tuple[Name, ...] = described(
        "all", "Acts on", "The cars that have what it takes hold of: dogs, fins, rails for tyres. Its force"
        " stays over the mass of all cars that are coupled.", entry="cars",
        words={"all": "All cars", "first": "The first car", "last": "The last car"},
    )  # fmt: skip

    @model_validator(mode="after")
    def _runs_forward(self) -> Device:
        if self.cars == ():
            raise ValueError('cars names no car; name one, or choose "all", "first" or "last"')
        if self.end_section == self.section:
            raise ValueError(f"end_section names its own section '{self.section}'; leave it empty")
        if self.end_section is not None and self.end == 0.0:
            raise ValueError(
                "end (0 m) must lie behind the start of end_section; let it end on the section before"
            )
        if self.end_section is None and self.end is not None and self.end <= self.start:
            raise ValueError(
                say("end ({end:g m}) must lie behind start ({start:g m})", end=self.end, start=self.start)
            )
        return self

    def numbers_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Which of coupled cars with these names, from the front, it acts on; their force is that over the mass of all
        of them."""
        every = tuple(range(len(names)))
        if isinstance(self.cars, str):
            return {"all": every, "first": every[:1], "last": every[-1:]}[self.cars]
        return tuple(k for k in every if names[k] in self.cars)


@dataclass(frozen=True)
class Row:
    """The numbers of a device for its law: wanted speed (m/s; None: it has none), what the law needs of its own, how
    long a stopped train is held (s; FOREVER, or PASSES), the speed an opened one wants (m/s), whether it catches a
    train that rolls back."""

    speed: float | None
    own: tuple[float, ...] = ()
    hold: float = PASSES
    release: float = 0.0
    catches: bool = False

    def numbers(self, law: int) -> list[float]:
        """The row (WIDTH,) with the number of the law."""
        row = [0.0] * WIDTH
        row[LAW], row[HOLD], row[RELEASE] = float(law), self.hold, self.release
        row[SPEED], row[CATCHES] = -1.0 if self.speed is None else self.speed, float(self.catches)
        row[OWN : OWN + len(self.own)] = self.own
        return row


@dataclass(frozen=True)
class DeviceKind:
    """A kind of device.

    model: its description; law: the kernel, see `core.track.devices.law`; row: (device, mass of the train in kg) -> the
    numbers of the law; title, line: of the menu, with one sentence; stem: what a new one is called ("lift 1"); tone:
    the colour it is marked with, a number of the theme's series (4 is near that of what is selected, 6 that of what
    exceeds a limit); icon: name of a picture of resources/icons, or the text of an SVG, "device-<kind>" unless given;
    rank: its place in the menu.
    gives: the speed (m/s) that a train has which begins its ride on it; None where it gives none. drives: it gives a
    train its speed, whatever it comes with. waits: a train waits on it for its ride. stuck: what to do about a train
    that comes to rest on it and goes no further.
    """

    model: type[Device]
    law: Any
    row: Callable[[Any, float], Row]
    title: str
    line: str
    stem: str
    tone: int
    gives: Callable[[Any], float | None]
    drives: bool = True
    waits: bool = False
    icon: str = ""
    rank: int = 100
    stuck: str = "Give it more push, or come to it faster."

    @property
    def kind(self) -> str:
        """The literal that stands for the kind in files."""
        return str(self.model.model_fields["kind"].default)

    @property
    def word(self) -> str:
        """What it is called: "chain lift"."""
        return self.title.lower()

    @property
    def picture(self) -> str:
        """Its icon."""
        return self.icon or f"device-{self.kind}".replace("_", "-")
