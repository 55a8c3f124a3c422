"""How lifts, launches and brakes look in plots and in 3D: one colour for each kind, named in a legend."""

from __future__ import annotations

from ...core.track.devices import KINDS
from .theme import Colours


def device_colour(kind: str, colours: Colours) -> str:
    """The colour ("#rrggbb") of a kind of device."""
    return colours.series[KINDS[kind].tone % len(colours.series)]
