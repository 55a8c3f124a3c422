"""Riding the project."""

from __future__ import annotations

from typing import Final

from ..commands.runs import RunCommands
from .base import LARGE_VIEW, Workspace

WORKSPACE: Final = Workspace(
    "run",
    "Run",
    "Ride the project: progress, live loads, runs that are kept",
    50,
    beside=(("run",), ("problems", "loads")),
    upper=0.62,
    below=(("quality", "channels", "cross_check", "log"),),
    min_view=LARGE_VIEW,
    tools=(RunCommands.variations, RunCommands.open_results, RunCommands.save_results),
)
