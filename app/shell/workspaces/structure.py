"""Frames, meshes and their stress."""

from __future__ import annotations

from typing import Final

from ..commands.files import FileCommands
from ..commands.runs import RunCommands
from ..commands.train import TrainCommands
from .base import LARGE_VIEW, Workspace

WORKSPACE: Final = Workspace(
    "structure",
    "Structure",
    "Frames and meshes: nodes and beams, stress, load cases",
    40,
    beside=(("tree", "inspector"), ("stress",)),
    upper=0.28,
    below=(("structure", "steelwork", "steel_rules", "load_cases", "equilibrium", "modes", "problems"),),
    min_view=LARGE_VIEW,
    subject="structure",
    colour="plain",
    tools=(
        TrainCommands.make_flexible,
        TrainCommands.add_frame,
        FileCommands.import_structure,
        RunCommands.equilibrium,
        RunCommands.modes,
    ),
)
