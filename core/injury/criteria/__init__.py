"""One criterion per file. A new one is a file with a CRITERIA tuple and a line here."""

from __future__ import annotations

from core.injury.criteria import clip_3ms, head_injury, peaks, rotation, sustained, symptoms
from core.injury.registry import Criterion

CRITERIA: tuple[Criterion, ...] = (
    *head_injury.CRITERIA,
    *clip_3ms.CRITERIA,
    *peaks.CRITERIA,
    *sustained.CRITERIA,
    *symptoms.CRITERIA,
    *rotation.CRITERIA,
)
