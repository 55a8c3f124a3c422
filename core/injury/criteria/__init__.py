"""One criterion per file. A new one is a file with a CRITERIA tuple and a line here."""

from __future__ import annotations

from ..registry import Criterion
from . import (
    clip_3ms,
    eiband_onset,
    gloc,
    head_injury,
    neck,
    peaks,
    rotation,
    spine,
    sustained,
    symptoms,
    tilting,
    vibration,
)

CRITERIA: tuple[Criterion, ...] = (
    *head_injury.CRITERIA,
    *clip_3ms.CRITERIA,
    *peaks.CRITERIA,
    *sustained.CRITERIA,
    *eiband_onset.CRITERIA,
    *gloc.CRITERIA,
    *symptoms.CRITERIA,
    *rotation.CRITERIA,
    *neck.CRITERIA,
    *spine.CRITERIA,
    *vibration.CRITERIA,
    *tilting.CRITERIA,
)
