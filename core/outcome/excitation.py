"""How many modes a flexible body needs in a run: those up to four times the highest frequency in its interface forces.

Cook et al. as in Blaauw (section 4.2) for the rule. A frequency is in the forces, or in other signals, when it makes a
hundredth of their largest amplitude, beside their mean; forces are compared with forces, moments with moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..structure.floating import Floating
from ..structure.own_modes import held_modes
from .spectrum import spectrum
from .stress import BodyStress

SHARE = 0.01  # of the largest amplitude
TIMES = 4.0  # the highest frequency of the forces


@dataclass(frozen=True)
class Truncation:
    """highest: frequency (Hz) in the interface forces; needed: internal modes up to four times that, None when the
    body does not know so high ones; kept: how many it was told to keep, None when it is imported; known: Hz of the
    highest mode between its interfaces that it has."""

    highest: float
    needed: int | None
    kept: int | None
    known: float

    @property
    def enough(self) -> bool:
        """Whether the modes that count are kept."""
        return self.needed is not None and (self.kept is None or self.kept >= self.needed)

    @property
    def words(self) -> str:
        """What there is to say of it, as one sentence."""
        limit = TIMES * self.highest
        message = (
            f"Forces at its interfaces reach {self.highest:.3g} Hz; internal modes up to {limit:.3g} Hz count"
        )
        if self.needed is None:
            return f"{message}, but it has none above {self.known:.3g} Hz: keep more modes and run again."
        if not self.enough:
            return (
                f"{message}: {self.needed}, of which {self.kept} are kept; keep {self.needed} and run again."
            )
        kept = "" if self.kept is None else f", and {self.kept} are kept"
        return f"{message}: {self.needed or 'none'}{kept}."


def truncation(one: BodyStress) -> Truncation:
    """What the forces at the interfaces of a body over a run ask of its modes. Raises InputError for a run of fewer
    than 16 instants."""
    loads = [one.loads(end.node) for end in one.flexible.ends]
    kinds = [[load[:, some] for load in loads] for some in (slice(0, 3), slice(3, 6))]
    highest = highest_frequency(one.time, kinds)
    fixed = fixed_modes(one.flexible.floating)
    known = float(fixed.max(initial=0.0))
    count = int(np.count_nonzero(fixed <= TIMES * highest))
    description = one.flexible.description
    kept = None if description.imported is not None else description.modes
    return Truncation(highest, None if count == len(fixed) and count else count, kept, known)


def highest_frequency(time: Array, kinds: Sequence[Sequence[Array]]) -> float:
    """The highest frequency (Hz) in signals (n, k) at times (n,) s, those of a kind compared with each other. Raises
    InputError for fewer than 16 instants."""
    highest = 0.0
    for signals in kinds:
        spectra = [spectrum(time, np.ascontiguousarray(c)) for values in signals for c in values.T]
        maximum = max(float(s.amplitude.max(initial=0.0)) for s in spectra)
        for s in spectra:
            there = s.frequency[s.amplitude >= SHARE * maximum] if maximum > 0.0 else s.frequency[:0]
            highest = max(highest, float(there.max(initial=0.0)))
    return highest


def fixed_modes(made: Floating) -> Array:
    """Frequencies (Hz, rising) of a body between its interfaces held, as many as its coordinates have: exact for the
    modes that are kept, too high for what static corrections make of others."""
    return np.array([mode.frequency for mode in held_modes(made)], dtype=np.float64)
