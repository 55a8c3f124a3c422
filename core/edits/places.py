"""Which control points a track has, and where on the finished centreline each of them lies."""

from __future__ import annotations

from ..base.errors import InputError
from ..track.build import BuiltTrack
from ..track.description import Section, Track


def section_named(track: Track, name: str) -> Section:
    """The section of a track with a name.

    Parameters
    ----------
    track
        In which it is looked for.
    name
        Of the section, as the project has it.

    Returns
    -------
    The first section that is called so.

    Raises
    ------
    InputError
        When there is none.
    """
    for section in track.sections:
        if section.name == name:
            return section
    raise InputError(f"The track has no section '{name}'.")


def nearest_point(built: BuiltTrack, s: float) -> tuple[str, int] | None:
    """Section and index of the control point nearest to arc length s (m), or None for a track without any."""
    positions = [
        (abs(value - s), name, i) for name, row in built.point_places.items() for i, value in enumerate(row)
    ]
    if not positions:
        return None
    _, name, index = min(positions)
    return name, index


def point_before(built: BuiltTrack, s: float) -> tuple[str, int] | None:
    """Section and index of the last control point at or before arc length s (m), or None when none is."""
    positions = [
        (value, name, i)
        for name, row in built.point_places.items()
        for i, value in enumerate(row)
        if value <= s + 1e-9
    ]
    if not positions:
        return None
    maximum = max(value for value, _, _ in positions)
    return next((name, i) for value, name, i in reversed(positions) if value == maximum)
