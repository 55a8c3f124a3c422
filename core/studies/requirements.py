"""What studies need beyond the engine, and what to say where it is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from ..base.errors import InputError


def needed(library: str) -> None:
    """Raise InputError with what to install when a library of the extra `studies` is missing."""
    if find_spec(library) is None:
        raise InputError(f'{library} is not installed; studies need it: pip install "ridewright[studies]".')
