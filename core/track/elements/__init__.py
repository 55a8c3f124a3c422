"""The element sections: what a person can lay besides splines, straights and tables. Descriptions only; how each
becomes a curve is in `core.track.programs`."""

from __future__ import annotations

from ridewright.core.track.elements.common import Element, RiddenElement, StartPose
from ridewright.core.track.elements.force import ForceSection, Key
from ridewright.core.track.elements.loops import (
    DiveLoopSection,
    ImmelmannSection,
    LoopSection,
    WingOverSection,
)
from ridewright.core.track.elements.plane import (
    ArcSection,
    BankedTurnSection,
    HelixSection,
    TransitionSection,
)
from ridewright.core.track.elements.railway import RailwayCurveSection
from ridewright.core.track.elements.rolls import (
    CamelbackSection,
    CobraRollSection,
    CorkscrewSection,
    InlineRollSection,
    ZeroGRollSection,
)

__all__ = [
    "ArcSection",
    "BankedTurnSection",
    "CamelbackSection",
    "CobraRollSection",
    "CorkscrewSection",
    "DiveLoopSection",
    "Element",
    "ForceSection",
    "HelixSection",
    "ImmelmannSection",
    "InlineRollSection",
    "Key",
    "LoopSection",
    "RailwayCurveSection",
    "RiddenElement",
    "StartPose",
    "TransitionSection",
    "WingOverSection",
    "ZeroGRollSection",
]
