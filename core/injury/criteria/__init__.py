"""Injury criteria, one file each: every file of this folder that has CRITERIA is one (`core.injury.criteria.base`)."""

from __future__ import annotations

from functools import cache

from ...base.folder import modules_with
from ..result import GROUPS
from .base import Criterion


@cache
def criteria() -> tuple[Criterion, ...]:
    """All criteria of the program in the order of their groups, within a group in that of their files."""
    order = {group: k for k, group in enumerate(GROUPS)}
    found: list[Criterion] = [c for module in modules_with(__name__, "CRITERIA") for c in module.CRITERIA]
    return tuple(sorted(found, key=lambda c: order.get(c.outputs[0].group, len(order))))
