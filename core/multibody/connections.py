"""What is connected with what: the parts of a model that nothing joins, each a system of its own."""

from __future__ import annotations

import numpy as np

from ..model.assembly import Assembly
from ..model.bodies import GROUND
from ..model.placement import Drawn
from ..model.references import LISTS
from ..project.project import Project

#: Clocks of a run: every part with one of its own is compiled, logged and joined by itself, over all bodies there are.
MOST_CLOCKS = 50
CONNECTING = ("joint", "guide", "driver", "force", "flexible")


def connected_parts(top: Assembly) -> tuple[frozenset[str], ...]:
    """The bodies of an assembly, by their paths, in groups that nothing connects, those of a train's first car first.

    Joints, drivers and enabled force elements connect the bodies they act on; the ground, the track and its devices do
    not. The bodies of a car belong together, because devices push a car as a whole.
    """
    drawn = Drawn(top)
    belongs = {name: name for name in drawn.bodies}

    def first(name: str) -> str:
        while belongs[name] != name:
            belongs[name] = belongs[belongs[name]]
            name = belongs[name]
        return name

    def join(names: tuple[str, ...]) -> None:
        for name in names[1:]:
            belongs[first(name)] = first(names[0])

    for path, assembly in drawn.assemblies.items():
        for kind in CONNECTING:
            for element in getattr(assembly, LISTS[kind]):
                if getattr(element, "enabled", True):
                    join(tuple(name for name in drawn.connected(path, element) if name != GROUND))
        if assembly.role == "car":
            join(tuple(name for name in drawn.bodies if name.startswith(f"{path}/") or not path))
    groups: dict[str, list[str]] = {}
    for name in drawn.bodies:
        groups.setdefault(first(name), []).append(name)
    leading = f"{top.children[0].name}/" if top.role == "train" else ""
    led = sorted(groups.values(), key=lambda names: not any(name.startswith(leading) for name in names))
    return tuple(frozenset(names) for names in led)


def parts_of(project: Project) -> tuple[frozenset[str], ...]:
    """The bodies that share a clock, by name, first car first; nothing where there is but one clock.

    Where there are more than MOST_CLOCKS parts, all but the first share clocks with their neighbours.

    Parts have step sizes of their own with the program's own method, whose iterations end for each of them when they
    are done for it; the documents' methods are those of the whole system.
    """
    top = project.mechanism
    if top is None or project.settings.method != "generalized_alpha":
        return ()
    parts = connected_parts(top)
    return _bundled(parts) if len(parts) > 1 else ()


def _bundled(parts: tuple[frozenset[str], ...]) -> tuple[frozenset[str], ...]:
    """At most MOST_CLOCKS groups of parts; the first part, which has the train's first car, stays by itself."""
    if len(parts) <= MOST_CLOCKS:
        return parts
    shared = np.array_split(np.arange(1, len(parts)), MOST_CLOCKS - 1)
    return (parts[0], *(frozenset().union(*(parts[k] for k in group)) for group in shared))
