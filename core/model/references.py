"""What the elements of an assembly refer to: which of their fields name a body, joint, guide or seat."""

from __future__ import annotations

from typing import Any, Final, get_args

from core.base.fields import told
from core.model.joints import Coordinate

#: The kinds of elements and the fields of an assembly that hold them.
LISTS: Final[dict[str, str]] = {
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "driver": "drivers",
    "force": "forces",
    "seat": "seats",
    "coupling": "couplings",
    "assembly": "children",
}
WORDS: Final[dict[str, str]] = {**{kind: kind for kind in LISTS}, "force": "force element"}
#: Whose coordinate a driver drives.
DRIVEN: Final = {
    **dict.fromkeys(get_args(Coordinate), "joint"),
    "arc_length": "guide",
    **dict.fromkeys(("x", "y", "z", "roll", "pitch", "yaw"), "body"),
}


def references(element: Any) -> tuple[tuple[str, str, str], ...]:
    """What an element refers to, as (field, kind, path): paths from the assembly that holds the element."""
    found = []
    for field, info in type(element).model_fields.items():
        kinds = [kind for kind in told(info, "refers_to", ()) if kind in LISTS]
        path = getattr(element, field) if kinds else None
        if path is not None:
            # a driver's target is of the kind whose coordinate it drives
            found.append((field, kinds[0] if len(kinds) == 1 else DRIVEN[element.coordinate], path))
    return tuple(found)
