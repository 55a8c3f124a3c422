"""What an edit has brought into a project: sections of the track, cars and other assemblies, flexible bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.base.arrays import Array
from ...core.project.project import Project
from .scene import Scene


@dataclass(frozen=True)
class Arrivals:
    """Names of new sections, and full paths of new assemblies and flexible bodies."""

    sections: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.sections or self.parts)

    def points(self, scene: Scene) -> Array:
        """Points (n, 3) m of what is new, as it is drawn."""
        built = scene.built
        spans = [] if built is None else [x for x in built.sections if x.name in self.sections]
        found = [built.centreline.position(np.linspace(x.s0, x.s1, 24)) for x in spans if built is not None]
        prefixes = tuple(f"{part}/" for part in self.parts)
        names = {name for name in scene.train.members if name.startswith(prefixes)} if prefixes else set()
        if names:
            found.append(scene.train.corners(names))
        return np.concatenate([*found, scene.flexible.points_of(self.parts), np.zeros((0, 3))])


def arrivals(before: Project, after: Project) -> Arrivals:
    """What is in a project that was not in the one before; nothing where names have only changed."""
    return Arrivals(_new(_sections(before), _sections(after)), _new(_parts(before), _parts(after)))


def _new(before: frozenset[str], after: frozenset[str]) -> frozenset[str]:
    return after - before if len(after) > len(before) else frozenset()


def _sections(project: Project) -> frozenset[str]:
    return frozenset() if project.track is None else frozenset(s.name for s in project.track.sections)


def _parts(project: Project) -> frozenset[str]:
    if project.assembly is None:
        return frozenset()
    found = []
    for path, assembly in project.assembly.walk():
        found += ["/".join(path)] if path else []
        found += ["/".join((*path, flexible.name)) for flexible in assembly.flexibles]
    return frozenset(found)
