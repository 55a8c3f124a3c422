"""Templates of rides, one file each: every file here that has a TEMPLATE is one (`core.edits.templates.base`)."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...base.errors import InputError
from ...base.folder import modules_with
from ...project.project import Project
from .base import Template


@cache
def templates() -> dict[str, Template]:
    """All templates by their ids, in the order of their titles."""
    found: list[Template] = [module.TEMPLATE for module in modules_with(__name__, "TEMPLATE")]
    return {one.id: one for one in sorted(found, key=lambda one: one.title.lower())}


def ride_from(name: str, **parameters: Any) -> Project:
    """The project of a template; parameters: fields of its model. Raises InputError for a name that is none."""
    if name not in templates():
        raise InputError(f"There is no template {name[:40]!r}; choose {', '.join(templates())}.")
    return templates()[name].model(**parameters).project()
