"""Ridewright: design a coaster track, ride it with a multibody train and riders, judge what the ride does to them.

    import ridewright as rw
    run = rw.simulate(rw.example("looping_star"))
    print(rw.judge(run).governing)

The names are those of `core.api`, which is loaded with the first of them: to import a room of the program
loads nothing else of it. In the source tree this package is put together of folders (see setup.py): `ridewright.core`
is `core`, `ridewright.app` is `app`, `ridewright.resources` is `resources`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_ROOMS = frozenset({"app", "core", "resources"})
_TOLD = frozenset({"__all__", "__version__"})


def __getattr__(name: str) -> Any:
    """What `core.api` offers. Raises AttributeError for anything else."""
    if name in _ROOMS or (name.startswith("_") and name not in _TOLD):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("ridewright.core.api"), name)


def __dir__() -> list[str]:
    """The names a script may use."""
    offered: list[str] = import_module("ridewright.core.api").__all__
    return sorted(offered)
