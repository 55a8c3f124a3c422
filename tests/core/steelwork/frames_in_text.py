"""Finished frames from their text, below the straight example."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ridewright.core.exchange.frame_file import read_frame
from ridewright.core.project.examples import load_example
from ridewright.core.steelwork.frame import SteelFrame
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.steelwork import Steelwork


def straight() -> tuple[BuiltTrack, float]:
    track = load_example("straight").track
    assert track is not None
    built = build_track(track)
    return built, float(built.centreline.position(np.array([0.0]))[0, 2])


def of_text(text: str, folder: Path) -> SteelFrame:
    (folder / "f.csv").write_text(text)
    return steel_frame(straight()[0], Steelwork(finished=read_frame(folder / "f.csv")))
