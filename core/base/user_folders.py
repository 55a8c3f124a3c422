"""Where a person's own files are; a person may have no home (a service, a container, a user without an entry)."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path | None:
    """The home folder; None when there is none."""
    try:
        found = Path.home()
    except (RuntimeError, KeyError):
        return None
    return found if found != Path("/") and str(found) not in ("", ".") else None


def expanded(text: str) -> Path:
    """A path as typed, with ~ for the home where there is one."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def user_config() -> Path:
    """The folder of settings ($XDG_CONFIG_HOME, by default ~/.config). It need not exist; without a home it never
    does."""
    given = os.environ.get("XDG_CONFIG_HOME")
    if given and Path(given).is_absolute():
        return Path(given)
    own = home()
    return Path("/nonexistent") if own is None else own / ".config"
