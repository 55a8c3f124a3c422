"""What of a body does not fit a seat or a restraint."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.frozen import Vec3
from ..base.sentence import Sentence


@dataclass(frozen=True)
class Misfit:
    """Kind, a sentence without its full stop, by how much (m).

    And where: names of segments of the rider, of parts of the seat and pads of the restraint, or of parts of another
    seat at a path (`of`), and lines (m, in the frame of the rider's seat) from what does not reach to what it misses.
    """

    kind: str
    sentence: str
    amount: float
    segments: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    of: str = ""
    lines: tuple[tuple[Vec3, Vec3], ...] = ()

    @property
    def capital(self) -> str:
        """The sentence with a capital, its numbers kept."""
        if not isinstance(self.sentence, Sentence):
            return self.sentence[:1].upper() + self.sentence[1:]
        return Sentence(self.sentence.template[:1].upper() + self.sentence.template[1:], self.sentence.values)
