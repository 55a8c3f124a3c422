"""Other engines: one file or folder each, loaded only when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ...base.errors import InputError
from .base import EXTRA, Engine

#: By name, the one that takes most first.
ENGINES: Final = ("exudyn", "mujoco")


def engine(name: str) -> Engine:
    """The engine of a name. Raises InputError for an unknown one, and for one that is not installed."""
    if name not in ENGINES:
        raise InputError(f"'{name}' is no other engine; choose one of {', '.join(ENGINES)}.")
    found: Engine = import_module(f"{__name__}.{name}").ENGINE
    if not found.available():
        raise InputError(f"The engine {name} is not installed; `{EXTRA}` installs it.")
    return found
