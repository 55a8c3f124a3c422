"""Force-vector sections: a track drawn by what the riders are to feel."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...base.fields import described
from ...base.frozen import Frozen
from .common import RiddenElement

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
