"""What the elements of an assembly refer to: which of their fields name a body, joint, guide or seat."""

from __future__ import annotations

from typing import Any, Final

from core.base.fields import told

#: The kinds of elements and the fields of an assembly that hold them.
LISTS: Final[dict[str, str]] = {
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "driver": "drivers",
    "force": "forces",
    "seat": "seats",
    "assembly": "children",
}
WORDS: Final[dict[str, str]] = {**{kind: kind for kind in LISTS}, "force": "force element"}
_FIELDS: Final = {
    "body_i": "body",
    "body_j": "body",
    "body": "body",
    "joint": "joint",
    "guide": "guide",
    "seat": "seat",
}
#: Whose coordinate a driver drives.
DRIVEN: Final = {
    **dict.fromkeys(("angle", "angle_j", "slide", "length"), "joint"),
    "arc_length": "guide",
    **dict.fromkeys(("x", "y", "z", "roll", "pitch", "yaw"), "body"),
}


def references(element: Any) -> tuple[tuple[str, str, str], ...]:
    """What an element refers to, as (field, kind, path): paths from the assembly that holds the element."""
    fields = type(element).model_fields
    found = [
        (field, kind, path)
        for field, info in fields.items()
        if (kind := told(info, "refers_to") or _FIELDS.get(field))
        and (path := getattr(element, field)) is not None
    ]
    if "coordinate" in fields:
        found.append(("target", DRIVEN[element.coordinate], element.target))
    return tuple(found)
