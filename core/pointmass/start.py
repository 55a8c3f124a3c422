"""The speed a ride starts with, and where it comes from, in one sentence for every view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Words = Callable[[float, str, int], str]


def si_words(value: float, unit: str, decimals: int) -> str:
    """A quantity in SI with its unit: "17.1 m/s"."""
    return f"{value:.{decimals}f} {unit}"


@dataclass(frozen=True)
class StartSpeed:
    """speed (m/s) and why: "given"; that of a "device"; solved for the "top" of the way, s = place (m), which is passed
    at top_speed (m/s); or top_speed itself where nothing ahead is higher ("level"). The way ends where `device` takes
    the train on, if one does before the highest place."""

    speed: float
    why: Literal["given", "device", "top", "level"]
    device: str = ""
    place: float = 0.0
    top_speed: float = 0.0

    def sentence(self, before: float | None = None, words: Words = si_words) -> str:
        """ "Starts at 17.1 m/s (was 16.2 m/s), solved so that the train passes the top (s = 203 m) at 3.0 m/s."

        before (m/s): the start speed before an edit; words: how a quantity is written.
        """
        was = "" if before is None else f" (was {words(before, 'm/s', 1)})"
        head = f"Starts at {words(self.speed, 'm/s', 1)}{was}" if self.speed else f"Starts at rest{was}"
        until = f" before '{self.device}' takes it on" if self.device else ""
        if self.why == "given":
            return f"{head}, as given."
        if self.why == "device":
            return f"{head}, on '{self.device}'."
        if self.why == "level":
            return f"{head}, the speed over the top: nothing{until or ' ahead'} is higher."
        what = f"the highest place{until}" if until else "the top"
        return (
            f"{head}, solved so that the train passes {what} (s = {words(self.place, 'm', 0)}) at"
            f" {words(self.top_speed, 'm/s', 1)}."
        )
