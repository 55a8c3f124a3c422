"""What is connected with what: the parts of a model that nothing joins, cars of a train that nothing couples."""

from __future__ import annotations

from itertools import pairwise

from .assembly import Assembly
from .bodies import GROUND
from .placement import joined, placed_model
from .references import LISTS

CONNECTING = ("joint", "guide", "driver", "force", "flexible")


def connected_parts(top: Assembly) -> tuple[frozenset[str], ...]:
    """The bodies of an assembly, by their paths, in groups that nothing connects, those of a train's first car first.

    Joints, couplings, drivers and enabled force elements connect the bodies they act on; the ground, the track and its
    devices do not. The bodies of a car belong together, because devices push a car as a whole.
    """
    drawn = placed_model(top)
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
        for coupling in assembly.couplings:
            join((joined(path, coupling.body_i), joined(path, coupling.body_j)))
        if assembly.role == "car":
            join(tuple(name for name in drawn.bodies if name.startswith(f"{path}/") or not path))
    groups: dict[str, list[str]] = {}
    for name in drawn.bodies:
        groups.setdefault(first(name), []).append(name)
    leading = f"{top.children[0].name}/" if top.role == "train" else ""
    led = sorted(groups.values(), key=lambda names: not any(name.startswith(leading) for name in names))
    return tuple(frozenset(names) for names in led)


def uncoupled(top: Assembly | None) -> tuple[tuple[str, str], ...]:
    """Neighbouring cars of a train, the one ahead first, that nothing joins: they ride as trains of their own."""
    if top is None or top.role != "train" or len(top.children) < 2:
        return ()
    part: dict[str, int] = {}
    for number, names in enumerate(connected_parts(top)):
        part |= {name.partition("/")[0]: number for name in names}
    return tuple(
        (ahead.name, behind.name)
        for ahead, behind in pairwise(top.children)
        if part.get(ahead.name) != part.get(behind.name)
    )


def uncoupled_sentence(top: Assembly | None) -> str:
    """A sentence about a train whose cars are not all coupled; empty where they are."""
    pairs = uncoupled(top)
    if not pairs:
        return ""
    ahead, behind = pairs[0]
    others = len(pairs) - 1
    more = f" (and {others} more {'place' if others == 1 else 'places'})" if others else ""
    return (
        f"Nothing joins the cars '{ahead}' and '{behind}'{more}: they ride as {len(pairs) + 1} trains, each by itself;"
        " couple them, unless that is meant."
    )
