"""The element sections: what a person can lay besides splines, straights and tables. Descriptions only; how each
becomes a curve is in `core.track.programs`."""

from __future__ import annotations

from .common import Element, RiddenElement, StartPose
from .force import ForceSection, Key
from .loops import (
    DiveLoopSection,
    ImmelmannSection,
    LoopSection,
    WingOverSection,
)
from .plane import (
    ArcSection,
    BankedTurnSection,
    HelixSection,
    TransitionSection,
)
from .railway import RailwayCurveSection
from .rolls import (
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
