"""What differs between two versions of a project, in sentences for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from .project import Project

MAX_SENTENCES = 8  # sentences; what is more is counted
DEEPEST = 3  # levels of parts that are named


def differences(mine: Project, theirs: Project) -> tuple[str, ...]:
    """Sentences on what differs, the first MOST and how many more; empty where nothing does."""
    found = list(_of(mine, theirs, "", 0))
    more = len(found) - MAX_SENTENCES
    return tuple(found) if more <= 0 else (*found[:MAX_SENTENCES], f"and {more} more.")


def _of(mine: Any, theirs: Any, where: str, depth: int) -> Iterator[str]:
    if mine == theirs:
        return
    if isinstance(mine, BaseModel) and type(mine) is type(theirs) and depth < DEEPEST:
        for name, field in type(mine).model_fields.items():
            title = (field.title or name.replace("_", " ")).lower()
            location = f"{where}, {title}" if where else title.capitalize()
            yield from _of(getattr(mine, name), getattr(theirs, name), location, depth + 1)
        return
    if isinstance(mine, tuple) and isinstance(theirs, tuple) and _named(mine) and _named(theirs):
        ours, others = ({part.name: part for part in parts} for parts in (mine, theirs))
        for name in [*ours, *(name for name in others if name not in ours)]:
            if name not in others:
                yield f"{where}: '{name}' is only here."
            elif name not in ours:
                yield f"{where}: '{name}' is only in the file."
            else:
                yield from _of(ours[name], others[name], f"{where} '{name}'", depth + 1)
        if list(ours) != list(others) and set(ours) == set(others):
            yield f"{where}: the order differs."
        return
    short = all(
        isinstance(value, int | float | str | None) and len(str(value)) < 40 for value in (mine, theirs)
    )
    yield f"{where}: {_text(mine)} here, {_text(theirs)} in the file." if short else f"{where}: differs."


def _named(parts: tuple[Any, ...]) -> bool:
    return all(isinstance(getattr(part, "name", None), str) for part in parts)


def _text(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
