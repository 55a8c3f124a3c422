"""Results of the criteria as a readable table and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from ..base.text_table import significant
from ..base.units import percent
from .filters import FILTER_NAMES
from .result import GROUPS, CriterionResult


def criteria_dict(results: Sequence[CriterionResult]) -> dict[str, Any]:
    """Results as plain data that json.dumps accepts: {"criteria": [...]}, every field of every result."""
    return {"criteria": [result.model_dump(mode="json") for result in results]}


def criteria_table(results: Sequence[CriterionResult]) -> str:
    """Results as text for a terminal.

    First the criteria, one per line, with value, limit, margin, verdict, time and place; then the peaks as a table of
    direction against filter; then the notes and the sources of the limits. Returns lines joined by newlines.
    """
    if not results:
        return "No criteria."
    peaks = [r for r in results if r.group == "peaks"]
    rest = [r for r in results if r not in peaks and r.value is not None]
    refused = [r for r in results if r.value is None]
    signal = results[0].signal
    lines = [
        f"Signal: {signal.body}, {signal.axes}, gravity {signal.gravity}, {signal.sample_rate:.6g} samples per second"
    ]
    if rest:
        lines += ["", *_criteria_lines([r for r in rest if not r.apart])]
    apart = [r for r in rest if r.apart]
    if apart:
        lines += ["", "Outside what the limit is meant for", *_criteria_lines(apart)]
    if any(r.value is not None for r in peaks):
        lines += ["", *_peak_lines(peaks)]
    notes = [
        f"{r.title}: {'; '.join(filter(None, (r.apart, r.note)))}"
        for r in rest
        if r.apart or (r.note and r.note != "no limit for this value")
    ]
    if notes:
        lines += ["", "Notes", *_wrapped(notes)]
    sources: dict[str, list[str]] = {}
    for r in rest:
        if r.limit_source:
            sources.setdefault(f"{r.limit_source} (confidence {r.confidence})", []).append(r.title)
    if sources:
        lines += ["", "Limits", *_wrapped(f"{'; '.join(t)}: {source}" for source, t in sources.items())]
    if refused:
        reasons: dict[str, list[str]] = {}
        for r in refused:
            reasons.setdefault(r.note.removeprefix("not applicable: "), []).append(r.title)
        lines += ["", "Not applicable", *_wrapped(f"{'; '.join(t)}: {why}" for why, t in reasons.items())]
    return "\n".join(lines)


def _wrapped(texts: Iterable[str]) -> list[str]:
    """Texts as indented lines of at most 116 characters."""
    return [
        line
        for text in texts
        for line in textwrap.wrap(text, 116, initial_indent="  ", subsequent_indent="    ")
    ]


def _criteria_lines(results: Sequence[CriterionResult]) -> list[str]:
    """The criteria under the headings of their groups, in the order of `GROUPS`."""
    header = ("criterion", "value", "limit", "margin", "verdict", "time / s", "s / m")
    rows: list[tuple[str, ...]] = [header]
    order = {group: k for k, group in enumerate(GROUPS)}
    ordered = sorted(results, key=lambda r: order.get(r.group, len(order)))
    group = ""
    for r in ordered:
        if r.group and r.group != group:
            group = r.group
            rows.append((f"[{group}]", *[""] * (len(header) - 1)))
        unit = "" if r.unit == "1" else f" {r.unit}"
        rows.append(
            (
                r.title,
                f"{significant(r.value or 0.0)}{unit}",
                "-" if r.limit is None else f"{significant(r.limit, 4)}{unit}",
                "-" if r.margin is None else percent(r.margin),
                "no limit" if r.limit is None else r.verdict,
                "-" if r.time is None else _interval(*r.time),
                "-" if r.arc_length is None or r.lasts else f"{r.arc_length:.1f}",
            )
        )
    return _aligned(rows)


def _peak_lines(peaks: Sequence[CriterionResult]) -> list[str]:
    """Peaks in g with the time of each in brackets."""
    filters = [
        name for name in FILTER_NAMES if any(r.signal.filter == name and r.value is not None for r in peaks)
    ]
    quantities = list(dict.fromkeys(r.criterion.split("_")[1] for r in peaks))
    cells = {(r.criterion.split("_")[1], r.signal.filter): r for r in peaks}
    rows: list[tuple[str, ...]] = [
        ("peak / g (at s)", *("as recorded" if f == "none" else f for f in filters))
    ]
    for quantity in quantities:
        row = [quantity]
        for name in filters:
            r = cells.get((quantity, name))
            known = r is not None and r.value is not None and r.time is not None
            row.append(
                f"{r.value:.2f} ({r.time[0]:.3f})" if known and r is not None and r.time is not None else "-"
            )
        rows.append(tuple(row))
    return _aligned(rows)


def _interval(start: float, end: float) -> str:
    return f"{start:.4f}" if start == end else f"{start:.4f} to {end:.4f}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]
