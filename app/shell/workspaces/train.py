"""Building the train."""

from __future__ import annotations

from typing import Final

from ..commands.runs import RunCommands
from ..commands.train import TrainCommands
from .base import LARGE_VIEW, Workspace

WORKSPACE: Final = Workspace(
    "train",
    "Train",
    "Build cars and couple them: bodies, joints, springs, couplings, modes",
    20,
    beside=(("tree",), ("inspector",)),
    below=(("equilibrium", "modes", "couplers", "seats", "contacts", "problems"),),
    min_view=LARGE_VIEW,
    subject="train",
    colour="plain",
    tools=(
        TrainCommands.make_train,
        TrainCommands.insert_car,
        TrainCommands.load_train,
        TrainCommands.make_wheels,
        TrainCommands.join_places,
        RunCommands.equilibrium,
        RunCommands.modes,
    ),
)
