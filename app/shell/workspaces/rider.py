"""Who rides, and how the seat fits."""

from __future__ import annotations

from typing import Final

from ..commands.train import TrainCommands
from .base import LARGE_VIEW, Workspace

WORKSPACE: Final = Workspace(
    "rider",
    "Rider",
    "Fit riders and seats: sizes, masses, posture, contacts",
    30,
    beside=(("rider",), ("tree", "inspector")),
    upper=0.64,
    below=(("contacts", "problems"),),
    min_view=LARGE_VIEW,
    subject="rider",
    colour="plain",
    tools=(TrainCommands.insert_rider, TrainCommands.make_rider, TrainCommands.load_train),
)
