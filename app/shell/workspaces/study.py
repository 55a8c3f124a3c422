"""Many runs at once."""

from __future__ import annotations

from typing import Final

from ..commands.runs import RunCommands
from .base import Workspace

WORKSPACE: Final = Workspace(
    "study",
    "Study",
    "Vary parameters over many runs and choose a design",
    70,
    beside=(("tree",), ("inspector",)),
    below=(("studies", "who_may_ride", "run"),),
    below_share=0.5,
    tools=(RunCommands.variations,),
)
