"""How far a run is, in words."""

from __future__ import annotations

import time


def progress_text(started: float, fraction: float, now: float, end: float | None) -> str:
    """How far a run is: "12.3 s of the ride, 41 %, about 3 s left"."""
    wall = time.perf_counter() - started
    reached = f"{now:.1f} s" if end is None else f"{now:.1f} of {end:.1f} s"
    text = f"{reached} of the ride, {100 * fraction:.0f} %"
    if fraction > 0.02:
        text += f", about {max(1, round(wall * (1.0 - fraction) / fraction))} s left"
    return text
