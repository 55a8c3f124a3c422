"""Where in a project a difference is: what its owner is called there."""

from __future__ import annotations

from ..base.where import Where
from ..model.assembly import Assembly
from ..model.consistency import element_where, top_path
from ..project.project import Project

LISTS = ("bodies", "joints", "guides", "forces", "couplings", "flexibles")


def element_of(name: str, project: Project) -> Where:
    """The element of a full name, or of the one that begins it: an interface of a flexible body, a pair of surfaces of
    a contact, a part of a coupling. Without a path where there is none."""
    top = project.assembly
    if top is None:
        return Where()
    best: tuple[int, Where] = (0, Where())
    for prefix, at in top.walk():
        if not name.startswith(prefix):
            continue
        own = name.removeprefix(prefix)
        for field in LISTS:
            for element in getattr(at, field):
                begins = own == element.name or own.startswith(
                    (f"{element.name}/", f"{element.name}: ", f"{element.name} ")
                )
                if begins and len(prefix + element.name) > best[0]:
                    found = element_where(prefix[:-1], field, element.name).under(*top_path(top))
                    best = (len(prefix + element.name), found)
    return best[1] if best[0] else _assembly_of(name, top)


def _assembly_of(name: str, top: Assembly) -> Where:
    """The assembly whose name ends a name: a rider or a seat, of whom a criterion is."""
    paths = [prefix[:-1] for prefix, _ in top.walk() if prefix and name.endswith(prefix[:-1])]
    if not paths:
        return Where()
    *above, last = max(paths, key=len).split("/")
    return element_where("/".join(above), "children", last).under(*top_path(top))
