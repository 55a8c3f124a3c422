"""How lifts, launches and brakes look in plots and in 3D: one colour for each kind, named in a legend."""

from __future__ import annotations

from typing import Final

from app.theme import Colours

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
    order = tuple(NAMES)
    return (colours.series[7], colours.series[1], colours.series[0], colours.series[6], colours.bad, colours.series[3])[
        order.index(kind)
    ]  # fmt: skip
