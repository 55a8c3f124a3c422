"""What of a body does not fit a seat or a restraint."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.sentence import Sentence


@dataclass(frozen=True)
class Misfit:
    """Kind, a sentence without its full stop, by how much (m)."""

    kind: str
    sentence: str
    amount: float

    @property
    def capital(self) -> str:
        """The sentence with a capital, its numbers kept."""
        if not isinstance(self.sentence, Sentence):
            return self.sentence[:1].upper() + self.sentence[1:]
        return Sentence(self.sentence.template[:1].upper() + self.sentence.template[1:], self.sentence.values)
