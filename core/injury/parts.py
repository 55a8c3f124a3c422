"""Parts of the body that criteria are applied to."""

from __future__ import annotations

from typing import Literal, get_args

Part = Literal["head", "upper_torso", "pelvis"]
PARTS: tuple[Part, ...] = get_args(Part)
#: Limits for rides mean the seated body. The head nods: in its own turning axes the load along z becomes one along x.
SEATED: tuple[Part, ...] = ("upper_torso", "pelvis")

WORDS: dict[Part, tuple[str, ...]] = {
    "head": ("head",),
    "upper_torso": ("chest", "torso"),
    "pelvis": ("pelvis", "seat", "lower torso"),
}


def part_note(part: Part, body: str) -> str:
    """What to say about a criterion of one part on the record of a body that is not named after it."""
    if any(word in body.lower() for word in WORDS[part]):
        return ""
    return f"a criterion of the {part.replace('_', ' ')}, here applied to '{body}'"
