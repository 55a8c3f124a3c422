"""How far from a dragged point its neighbours follow, as a person has chosen it."""

from __future__ import annotations

from typing import Final

from ..widgets.settings import Settings

KEY: Final = "track_editor/soft_radius"
OFFERED: Final = (0.0, 5.0, 10.0, 20.0, 40.0)  # m
MIN_RADIUS, MAX_RADIUS, STEP = 1.0, 500.0, 1.2  # m, and the factor of a notch of the wheel


def soft_radius(settings: Settings | None) -> float:
    """The radius (m) that is kept; 0 where it is off or none that can be."""
    try:
        radius = float(settings.value(KEY, "0")) if settings is not None else 0.0
    except ValueError:
        return 0.0
    return radius if MIN_RADIUS <= radius <= MAX_RADIUS else 0.0


def keep_soft_radius(settings: Settings | None, radius: float) -> None:
    """Let the neighbours within a radius (m) follow a drag; 0 moves the selected points alone."""
    if settings is not None:
        settings.set_value(KEY, f"{radius:.9g}")


def turned(radius: float, notches: float) -> float:
    """A radius (m) after so many notches of the wheel."""
    return float(min(MAX_RADIUS, max(MIN_RADIUS, radius * STEP**notches)))
