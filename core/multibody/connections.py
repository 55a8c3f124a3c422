"""The parts of a project that nothing joins, each with a step size of its own."""

from __future__ import annotations

import numpy as np

from ..model.connections import connected_parts
from ..project.project import Project

#: Clocks of a run: every part with one of its own is compiled, logged and joined by itself, over all bodies there are.
MAX_CLOCKS = 50


def parts_of(project: Project) -> tuple[frozenset[str], ...]:
    """The bodies that share a clock, by name, first car first; nothing where there is but one clock.

    Where there are more than MAX_CLOCKS parts, all but the first share clocks with their neighbours.

    Parts have step sizes of their own with the program's own method, whose iterations end for each of them when they
    are done for it; the documents' methods are those of the whole system.
    """
    top = project.mechanism
    if top is None or project.settings.method != "generalized_alpha":
        return ()
    parts = connected_parts(top)
    return _bundled(parts) if len(parts) > 1 else ()


def _bundled(parts: tuple[frozenset[str], ...]) -> tuple[frozenset[str], ...]:
    """At most MAX_CLOCKS groups of parts; the first part, which has the train's first car, stays by itself."""
    if len(parts) <= MAX_CLOCKS:
        return parts
    shared = np.array_split(np.arange(1, len(parts)), MAX_CLOCKS - 1)
    return (parts[0], *(frozenset().union(*(parts[k] for k in group)) for group in shared))
