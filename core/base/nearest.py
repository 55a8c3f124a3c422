"""The name somebody may have meant who wrote one that there is not."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def the_nearest(name: str, known: Iterable[str]) -> str:
    """The nearest of the known names as a part of a sentence, with a space behind it; "" where none is near."""
    near = get_close_matches(name[:100], list(known), n=1, cutoff=0.7)
    return f"the nearest is {near[0]}; " if near else ""
