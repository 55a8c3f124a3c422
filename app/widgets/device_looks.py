"""How lifts, launches and brakes look in plots and in 3D: one colour for each kind, named in a legend."""

from __future__ import annotations

from typing import Final

from .theme import Colours

NAMES: Final = {
    "station": "Station",
    "chain_lift": "Chain lift",
    "launch": "Launch",
    "trim_brake": "Trim brake",
    "block_brake": "Block brake",
    "drive_tyres": "Drive tyres",
}


def device_colour(kind: str, colours: Colours) -> str:
    """The colour ("#rrggbb") of a kind of device."""
    series = colours.series
    shades = {
        "station": series[7],
        "chain_lift": series[4],
        "launch": series[0],
        "trim_brake": series[3],
        "block_brake": colours.bad,
        "drive_tyres": series[2],
    }
    return shades[kind]
