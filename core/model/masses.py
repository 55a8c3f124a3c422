"""The mass budget: what an assembly weighs, by body, beam, coupling, rider and passenger. Every mass that is stated is
a sum of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from .bodies import GROUND

if TYPE_CHECKING:
    from .assembly import Assembly, Seat

MassKind = Literal["body", "beam", "coupling", "rider", "passenger"]
#: One and several of each kind, as they are called.
CALLED: Final[dict[MassKind, tuple[str, str]]] = {
    "body": ("body", "bodies"),
    "beam": ("flexible body", "flexible bodies"),
    "coupling": ("coupling", "couplings"),
    "rider": ("rider", "riders"),
    "passenger": ("passenger", "passengers"),
}


class MassRow(NamedTuple):
    """What weighs, by its path from the assembly (of a passenger that of the seat), and how much (kg)."""

    kind: MassKind
    name: str
    mass: float


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


def passengers_of(assembly: Assembly) -> Iterator[Seat]:
    """The seats of an assembly itself with a passenger: none where a full rider sits, nor on the ground."""
    taken = {rider.seat for rider in assembly.riders}
    for seat in assembly.seats:
        if seat.passenger > 0.0 and seat.name not in taken and seat.body != GROUND:
            yield seat


def mass_rows(top: Assembly) -> Iterator[MassRow]:
    """The rows of an assembly without its couplings: own bodies and beams one by one, each rider whole, each passenger.

    Beams that include the bodies at their interfaces weigh less by these.
    """
    bodies = {**top.every("body")}
    riders = [path for path in top.with_role("rider") if path]
    for path, body in bodies.items():
        if not any(path.startswith(f"{rider}/") for rider in riders):
            yield MassRow("body", path, body.mass)
    for prefix, at in top.walk():
        for one in at.flexibles:
            ends = [bodies[prefix + end.body].mass for end in one.interfaces if prefix + end.body in bodies]
            yield MassRow("beam", prefix + one.name, one.mass() - (sum(ends) if one.includes_bodies else 0.0))
    for rider in riders:
        yield MassRow(
            "rider", rider, sum(body.mass for path, body in bodies.items() if path.startswith(f"{rider}/"))
        )
    for prefix, at in top.walk():
        for seat in passengers_of(at):
            yield MassRow("passenger", prefix + seat.name, seat.passenger)


def mass_budget(top: Assembly) -> MassBudget:
    """The mass budget of an assembly; of a train with the parts of its couplings.

    Raises InputError for a coupling that cannot be made.
    """
    rows = list(mass_rows(top))
    if top.couplings:
        from .coupled import parts_of
        from .placement import placed_model

        drawn = placed_model(top)
        for coupling in top.couplings:
            parts = parts_of(drawn, coupling).bodies
            mass = float(sum(body.mass for part in parts for body in part.bodies))
            if mass > 0.0:
                rows.append(MassRow("coupling", coupling.name, mass))
    return MassBudget(tuple(rows))
