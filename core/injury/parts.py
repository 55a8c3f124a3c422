"""Which criteria belong to which part of the body."""

from __future__ import annotations

from typing import Literal, get_args

Part = Literal["head", "upper_torso", "pelvis"]
PARTS: tuple[Part, ...] = get_args(Part)

#: Criteria that are about one part alone, by the start of their id; all others are applied to every part.
OF_PART: dict[Part, tuple[str, ...]] = {
    "head": (
        *("hic", "clip_3ms", "nij", "neck_", "bric", "damage", "hip", "gambit", "ric"),
        *("peak_rotation",),
    ),
    "upper_torso": ("chest_",),
    "pelvis": ("dri", "iso2631_", "tilting_"),
}
#: Limits for rides mean the seated body. The head nods: in its own turning axes the load along z becomes one along x.
NOT_OF_HEAD = ("f2291_", "en13814_")
WORDS: dict[Part, tuple[str, ...]] = {
    "head": ("head",),
    "upper_torso": ("chest", "torso"),
    "pelvis": ("pelvis", "seat", "lower torso"),
}


def part_of(criterion: str) -> Part | None:
    """The part a criterion is about, by its id; None for one that may be applied to any part."""
    return next((part for part, starts in OF_PART.items() if criterion.startswith(starts)), None)


def criteria_of(part: Part, criteria: tuple[str, ...]) -> tuple[str, ...]:
    """The criteria to apply to a part, in the order given; those of rides not to the head."""
    left_out = NOT_OF_HEAD if part == "head" else ()
    return tuple(c for c in criteria if part_of(c) in (None, part) and not c.startswith(left_out))


def part_note(part: Part, body: str) -> str:
    """What to say about a criterion of one part on the record of a body that is not named after it."""
    if any(word in body.lower() for word in WORDS[part]):
        return ""
    return f"a criterion of the {part.replace('_', ' ')}, here applied to '{body}'"
