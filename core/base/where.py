"""Where something is: a path into the project, a place on the track, an instant of a run."""

from __future__ import annotations

from dataclasses import dataclass, replace

Keys = tuple[str | int, ...]


@dataclass(frozen=True)
class Where:
    """A place that a finding or an error is about; what is not known is left out.

    path: from the project down, as in its file: fields, then entries of lists by their names, or by their numbers
    counted from 0 where they have none: ("track", "sections", "Loop", "points", 3), ("train", "children", "Car 1",
    "joints", "Axle"). s: arc length of the centreline (m); position: there, (x, y, z) m; section: of the track, the one
    there. time: of the run (s).
    """

    path: Keys = ()
    s: float | None = None
    position: tuple[float, float, float] | None = None
    section: str = ""
    time: float | None = None

    def __bool__(self) -> bool:
        return self != NOWHERE

    def under(self, *above: str | int) -> Where:
        """The same place, its path seen from further up."""
        return replace(self, path=(*above, *self.path))

    def filled(self, other: Where) -> Where:
        """With what another place knows and this one does not."""
        return Where(
            self.path or other.path,
            other.s if self.s is None else self.s,
            other.position if self.position is None else self.position,
            self.section or other.section,
            other.time if self.time is None else self.time,
        )

    @property
    def dotted(self) -> str:
        """The path as text, as fields of a project are named: `track.sections.[Loop 1.2].points.3`."""
        named = (
            f"[{key}]" if isinstance(key, str) and ("." in key or key.isdigit()) else str(key)
            for key in self.path
        )
        return ".".join(named)

    @property
    def element(self) -> str:
        """What the path leads to within the model, by its name and those of the assemblies that hold it: "Car 1/Axle";
        "" outside the model."""
        at = {"train": 1, "scenario": 2}.get(str(self.path[0]) if self.path else "")
        names = self.path[at + 1 :: 2] if at is not None else ()
        return "/".join(name for name in names if isinstance(name, str))

    @property
    def row(self) -> tuple[str, int] | None:
        """List and number, counted from 0, of the row of an element that the path ends at."""
        if len(self.path) < 2 or not isinstance(self.path[-1], int):
            return None
        return str(self.path[-2]), self.path[-1]


NOWHERE = Where()


def section_where(name: str, point: int | None = None) -> Where:
    """A section of the track by its name, or one of its points (counted from 0)."""
    path: Keys = ("track", "sections", name)
    return Where(path if point is None else (*path, "points", point), section=name)
