"""How far a run is, and how long it still takes, in words."""

from __future__ import annotations


def progress_text(left: float | None, fraction: float, now: float, end: float | None) -> str:
    """How far a run is: "12.3 s of the ride, 41 %, about 3 s left"."""
    reached = f"{now:.1f} s" if end is None else f"{now:.1f} of {end:.1f} s"
    text = f"{reached} of the ride, {100 * fraction:.0f} %"
    return text if left is None else f"{text}, about {max(1, round(left))} s left"
