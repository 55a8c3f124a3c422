"""KexEdit projects (.kex): file, course by the steps of KexEdit, devices, and the track of them."""

from __future__ import annotations

from ..base import Format
from .tracks import read

FORMAT = Format(
    "kex",
    "KexEdit project",
    (".kex",),
    read,
    None,
    "Force, geometric and curved sections, laid out by the steps of KexEdit.",
)
