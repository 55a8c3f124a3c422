"""Force-vector sections: a track drawn by what the riders are to feel."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen
from core.track.elements.common import RiddenElement

Transition = Literal["linear", "cubic", "quartic", "quintic", "sine", "plateau"]


class Key(Frozen):
    """A value a function reaches at `at` (s or m from the start of the section) and how it gets there from the key
    before: linear, cubic, quartic (soft start, firm end), quintic, sine; a plateau rises to the value, holds it over
    half the stretch and comes back to where it was."""

    at: Annotated[float, Field(ge=0.0, le=5000.0)]
    value: Annotated[float, Field(ge=-50.0, le=50.0)]
    transition: Transition = "cubic"


Keys = Annotated[tuple[Key, ...], Field(max_length=500)]


class ForceSection(RiddenElement):
    """A section prescribed by normal g, lateral g and roll rate over time or distance.

    over: what the keys count, time (s) or distance (m along the line of the riders); duration (s) or length (m) of
    the section is `extent`. normal_g (+ presses into the seat), lateral_g (+ acceleration to the left), roll_rate
    (rad/s, + lifts the left rail): keys in running order; before the first key the function comes from what the
    track has at the entry, after the last one it is held. Without keys it keeps the value at the entry.
    The g's hold, and speed and distance count, along the line of the riders.
    """

    kind: Literal["force"] = "force"
    over: Literal["time", "distance"] = "time"
    extent: Annotated[float, Field(gt=0.0, le=2000.0)] = 2.0
    normal_g: Keys = ()
    lateral_g: Keys = ()
    roll_rate: Keys = ()

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
