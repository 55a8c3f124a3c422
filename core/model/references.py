"""What the elements of an assembly refer to: which of their fields name a body, joint, guide or seat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from ..base.fields import told
from ..base.frozen import Frozen
from .drivers import DRIVEN

#: The kinds of elements and the fields of an assembly that hold them.
LISTS: Final[dict[str, str]] = {
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "driver": "drivers",
    "force": "forces",
    "seat": "seats",
    "coupling": "couplings",
    "flexible": "flexibles",
    "assembly": "children",
}
WORDS: Final[dict[str, str]] = {
    **{kind: kind for kind in LISTS},
    "force": "force element",
    "flexible": "flexible body",
}


def redirected(element: Any, changes: Mapping[str, str]) -> dict[str, Any]:
    """The fields of an element to be replaced so that some of its `references` (by field) name something else."""
    out: dict[str, Any] = {}
    for field, path in changes.items():
        whole, _, rest = field.partition(".")
        if not rest:
            out[whole] = path
            continue
        number, _, inner = rest.partition(".")
        rows = list(out.get(whole, getattr(element, whole)))
        rows[int(number)] = rows[int(number)].model_copy(update={inner: path})
        out[whole] = tuple(rows)
    return out


def references(element: Any) -> tuple[tuple[str, str, str], ...]:
    """What an element refers to, as (field, kind, path): paths from the assembly that holds it. Fields of parts,
    which its class names in REFERRING, are told as "field.number.field"."""
    found: list[tuple[str, str, str]] = []
    made: type[Frozen] = type(element)
    for field, kinds in _referring(made):
        if not kinds:
            for k, part in enumerate(getattr(element, field)):
                found += [(f"{field}.{k}.{inner}", kind, path) for inner, kind, path in references(part)]
            continue
        path = getattr(element, field)
        if path is not None:
            # a driver's target is of the kind whose coordinate it drives
            found.append((field, kinds[0] if len(kinds) == 1 else DRIVEN[element.coordinate], path))
    return tuple(found)


@cache
def _referring(made: type[Frozen]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The fields of a class that refer to something, with the kinds of it; () for those whose parts refer."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for field, info in made.model_fields.items():
        kinds = tuple(kind for kind in told(info, "refers_to", ()) if kind in LISTS)
        if field in getattr(made, "REFERRING", ()):
            found.append((field, ()))
        elif kinds:
            found.append((field, kinds))
    return tuple(found)
