"""How the train is thought of when it is ridden as points on a line: speed, friction, drag, train."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, model_validator

from ..base.fields import described
from ..base.frozen import Frozen

# what each choice of where numbers come from is about
POINTS: Final = ("mass", "train_length", "masses")
LOSSES: Final = ("friction", "mu", "drag")
START: Final = ("start", "speed", "top_speed")
CHOICES: Final = {"points_from": POINTS, "losses_from": LOSSES, "start_from": START}

Part = Annotated[float, Field(ge=0.0, le=1.0)]


class PointRideSettings(Frozen):
    """The ride of a train as points along the heartline or the rails.

    Heights and distances of the energy balance are those of the line the points follow. Friction "constant":
    E = v^2/2 + g (y + mu s), the same on every slope; "load": mu times the force on the wheels. Drag R:
    dE/dt = -R v^3 per mass. The masses move as one: those of the train at their places
    (`RiddenSettings`), or typed ones, which are equal, at the middle of equal parts of its length.
    points_from "vehicle": mass, train_length and masses are those of the project's train
    (`core.project.point_train`) where it has one; losses_from "vehicle": friction, mu and drag are; start_from
    "scenario": start, speed and top_speed are those of the ride. "given": they hold as typed. speed None: as `Ride`.
    """

    start_from: Literal["scenario", "given"] = described(
        "scenario",
        "Start",
        "Where the run starts, and as fast as it; or as typed below.",
        words={"scenario": "That of the run", "given": "The numbers below"},
    )

    start: Annotated[float, Field(ge=-1e5, le=1e5)] = described(
        0.0, "Start position", "Where the middle of the train starts, along the track.", unit="m"
    )
    speed: Annotated[float, Field(ge=-150.0, le=150.0)] | None = described(
        3.0,
        "Start speed",
        "Negative rolls backwards; empty takes that of the device, or the one that leads over the highest point.",
        unit="m/s",
        empty="of the device, or over the top",
    )
    top_speed: Annotated[float, Field(gt=0.0, le=1000.0)] = described(
        2.0,
        "Speed over the top",
        "Used when the start speed is left empty: of the train where the middle of its masses is highest.",
        unit="m/s",
    )
    line: Literal["heartline", "rail"] = described(
        "heartline",
        "Line",
        "The curve whose heights and lengths count for the energy.",
        words={"heartline": "The heartline", "rail": "The rails"},
    )
    losses_from: Literal["vehicle", "given"] = described(
        "vehicle",
        "Losses",
        "Rolling resistance and air drag of the vehicle, as in the run, or as typed below.",
        words={"vehicle": "Those of the vehicle, if any", "given": "The numbers below"},
    )
    mass_height: Annotated[float, Field(ge=-10.0, le=10.0)] = described(
        0.0,
        "Height of the mass",
        "Above the rails; its height counts for the energy, the length of the rails for speed and friction.",
        unit="m",
        when={"line": ("rail",)},
    )
    friction: Literal["constant", "load"] = described(
        "constant",
        "Friction",
        "Constant, or by the force on the wheels.",
        words={"constant": "Constant", "load": "By wheel load"},
    )
    mu: Part = described(
        0.02,
        "Coefficient of friction",
        "Friction over weight, or over the force on the wheels; 0.02 to 0.03 is usual.",
        unit="1",
    )
    drag: Annotated[float, Field(ge=0.0, le=0.1)] = described(
        2e-5,
        "Air drag",
        "Deceleration is this times the speed squared; 0.00002 1/m is usual.",
        unit="1/m",
    )
    points_from: Literal["vehicle", "given"] = described(
        "vehicle",
        "Train",
        "Mass, length and point masses of the vehicle, its mass over its axles, or as typed below.",
        words={"vehicle": "The vehicle, where there is one", "given": "The numbers below"},
    )
    mass: Annotated[float, Field(gt=0.0, le=1e6)] = described(
        5000.0, "Mass of the train", "For launches by force or power and for the energies.", unit="kg"
    )
    train_length: Annotated[float, Field(ge=0.0, le=200.0)] = described(
        0.0, "Length of the train", "Its mass is spread over this length along the track.", unit="m"
    )
    masses: Annotated[int, Field(ge=1, le=60)] = described(
        1,
        "Number of point masses",
        "Into how many equal masses the train is divided; 1 is a single point.",
        unit="1",
    )
    seat: Annotated[float, Field(ge=-200.0, le=200.0)] = described(
        0.0,
        "Seat position",
        "Where the rider whose loads are shown sits, ahead of the middle of the train; behind it negative.",
        unit="m",
    )
    laps: Annotated[int, Field(ge=1, le=20)] = described(1, "Laps", "Of a closed circuit.", unit="1")
    duration: Annotated[float, Field(gt=0.0, le=86_400.0)] = described(
        1800.0, "Maximum duration", "The ride is cut off after this time.", unit="s"
    )

    @model_validator(mode="before")
    @classmethod
    def _typed_holds(cls, data: Any) -> Any:
        """Files from before there was a choice hold what was typed into them, and what they were ridden with."""
        if not isinstance(data, dict):
            return data
        new = dict(data)
        if "points_from" not in data and any(
            data.get(name, cls.model_fields[name].default) != cls.model_fields[name].default
            for name in POINTS
        ):
            new["points_from"] = "given"
        for choice, named in (("losses_from", LOSSES), ("start_from", START)):
            if choice not in data and any(name in data for name in named):
                new[choice] = "given"
        return new


class PointMass(NamedTuple):
    """One mass of a train: how far ahead of the common centre of mass along the track (m), its share of the whole mass,
    and what its axle bears of the car's rolling: the moment over the side load on it (arm, m) and over the load upwards
    (aside, m, positive where the left wheel has more)."""

    ahead: float
    share: float
    arm: float = 0.0
    aside: float = 0.0


class CarPlace(NamedTuple):
    """A car of a train: its name, how far ahead of the common centre of mass its middle is (m), where devices of the
    track take hold of it, and its share of the whole mass."""

    name: str
    ahead: float
    share: float


class RiddenSettings(PointRideSettings):
    """The settings a project is ridden with: with the places of its train's masses, where it has one.

    points: the masses of the train; without any there are `masses` equal ones along `train_length`. centre: height (m)
    above the rails, on the canted track, of the centre of mass of the train, whose height and speed count then; None:
    those of the line. cars: the cars that devices of the track act on; without any they act on the train at its middle.
    """

    points: tuple[PointMass, ...] = ()
    cars: tuple[CarPlace, ...] = ()
    centre: float | None = described(
        None, "Height of the centre of mass", "Of the train, above the rails.", unit="m", entry="hidden"
    )
