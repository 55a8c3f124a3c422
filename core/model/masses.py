"""The mass budget: what an assembly weighs, by body, beam, coupling, rider and passenger. Every mass that is stated is
a sum of its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .assembly import Assembly, MassKind, MassRow
from .coupled import parts_of
from .placement import placed_model

#: One and several of each kind, as they are called.
CALLED: Final[dict[MassKind, tuple[str, str]]] = {
    "body": ("body", "bodies"),
    "beam": ("flexible body", "flexible bodies"),
    "coupling": ("coupling", "couplings"),
    "rider": ("rider", "riders"),
    "passenger": ("passenger", "passengers"),
}


@dataclass(frozen=True)
class MassBudget:
    """All that an assembly weighs."""

    rows: tuple[MassRow, ...]

    @property
    def total(self) -> float:
        """kg, all together."""
        return float(sum(row.mass for row in self.rows))

    @property
    def on_board(self) -> float:
        """kg of riders and passengers."""
        return float(sum(self.aboard))

    @property
    def empty(self) -> float:
        """kg without riders and passengers."""
        return self.total - self.on_board

    @property
    def aboard(self) -> tuple[float, ...]:
        """kg of everybody who rides, riders before passengers."""
        return tuple(row.mass for row in self.rows if row.kind in ("rider", "passenger"))

    def of(self, kind: MassKind) -> float:
        """kg of a kind."""
        return float(sum(row.mass for row in self.rows if row.kind == kind))

    def count(self, kind: MassKind) -> int:
        """How many rows of a kind weigh anything."""
        return sum(1 for row in self.rows if row.kind == kind and row.mass > 0.0)


def mass_budget(top: Assembly) -> MassBudget:
    """The mass budget of an assembly; of a train with the parts of its couplings.

    Raises InputError for a coupling that cannot be made.
    """
    rows = list(top.mass_rows())
    if top.couplings:
        drawn = placed_model(top)
        for coupling in top.couplings:
            parts = parts_of(drawn, coupling).bodies
            mass = float(sum(body.mass for part in parts for body in part.bodies))
            if mass > 0.0:
                rows.append(MassRow("coupling", coupling.name, mass))
    return MassBudget(tuple(rows))
