"""How densely a run is sampled, and the seats that are sampled for their limits."""

from __future__ import annotations

from ..model.assembly import Assembly, Seat
from ..model.placement import joined
from .project import Project

#: Hz; signals that limits are held against have at least so many samples a second (CFC60 asks for 600).
ASSESSED_RATE = 1000.0


def channel_rate(project: Project) -> float:
    """Samples per second (Hz) of a run's channels: as many as are asked for, and where riders, seats or couplings are
    held against limits no fewer than that takes."""
    top, asked = project.assembly, project.settings.sample_rate
    if top is None or not (top.with_role("rider") or top.couplings or assessed_seats(top)):
        return asked
    return max(asked, ASSESSED_RATE)


def assessed_seats(top: Assembly) -> dict[str, tuple[str, Seat]]:
    """The seats to be assessed by their paths, each with the path of the body that carries it."""
    return {
        path: (joined(path.rpartition("/")[0], seat.body), seat)
        for path, seat in top.every("seat").items()
        if seat.assessed
    }
