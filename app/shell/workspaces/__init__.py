"""Workspaces: one file each. Every file of this folder that has a WORKSPACE is one (see `workspaces.base`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from .base import Workspace


def bundled() -> tuple[Workspace, ...]:
    """The workspaces of the program, in the order of the bar."""
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    found: list[Workspace] = [m.WORKSPACE for m in modules if hasattr(m, "WORKSPACE")]
    return tuple(sorted(found, key=lambda one: one.order))


__all__ = ["Workspace", "bundled"]
