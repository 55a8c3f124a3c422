"""The report of a track as text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..base.text_table import text_table

if TYPE_CHECKING:
    from ..track.check import Extreme, TrackReport


def track_text(report: TrackReport) -> str:
    """Figures with their places, then the findings in the order of the track."""
    kind = "closed" if report.closed else "open"
    rows = [
        ("track", f"{report.name}, {kind}"),
        (
            "length",
            f"{report.length:.2f} m (left rail {report.left_rail_length:.2f} m,"
            f" right rail {report.right_rail_length:.2f} m)",
        ),
        ("height", f"{report.highest.value - report.lowest.value:.2f} m"),
        _row("lowest", report.lowest, _metres),
        _row("highest", report.highest, _metres),
        _row("smallest radius", report.smallest_radius, _metres),
        _row("  vertical", report.smallest_vertical_radius, _metres),
        _row("  lateral", report.smallest_lateral_radius, _metres),
        _row("largest cant", report.largest_cant, lambda v: f"{math.degrees(v):.1f}°"),
        _row("largest cant rate", report.largest_cant_rate, lambda v: f"{math.degrees(v):.2f} °/m"),
        _row("largest curvature jump", report.largest_curvature_jump, lambda v: f"{v:.4f} 1/m within 1 m"),
        ("gauge error", f"{report.gauge_error:.1e} m"),
        ("inversions", str(report.inversions)),
    ]
    if not report.findings:
        return text_table(rows) + "\n\nno findings"
    found = [("", "s / m", "section", "what")]
    found += [(f.severity, f"{f.s:.1f}", f.section, f.message) for f in report.findings]
    return f"{text_table(rows)}\n\nfindings\n{text_table(found)}"


def _metres(value: float) -> str:
    return f"{value:.2f} m"


def _row(title: str, extreme: Extreme | None, show: Callable[[float], str]) -> tuple[str, str]:
    if extreme is None:
        return title, "none, the track is straight"
    x, y, z = extreme.position
    at = f"at s = {extreme.s:.1f} m in '{extreme.section}' ({x:.1f}, {y:.1f}, {z:.1f})"
    return title, f"{show(extreme.value)} {at}"
