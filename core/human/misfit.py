"""What of a body does not fit a seat or a restraint."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Misfit:
    """Kind, a sentence without its full stop, by how much (m)."""

    kind: str
    sentence: str
    amount: float
