"""What a summary says as text: a table of figures, and the criteria behind."""

from __future__ import annotations

import textwrap
from collections import Counter

from ..base.sentence import counted, written
from ..base.text_table import significant, text_table
from ..base.units import percent
from .free_riders import RESTRAINT
from .summary import EVENT_WORDS, SHOWN, TITLE, Extreme, PartSummary, Summary

CONTACTS = 3  # that are told; the summary file has all


def _where(extreme: Extreme) -> str:
    location = "" if extreme.arc_length is None else f", s = {extreme.arc_length:.1f} m"
    return f"at t = {extreme.time:.2f} s{location}"


def summary_text(summary: Summary) -> str:
    """The summary as text for a terminal."""
    lines = [f"{summary.project}: {summary.status.name}. {summary.status.message}".rstrip()]
    if summary.status.advice:
        lines.append(f"  {summary.status.advice}")
    lines += [f"  {title:<12} {text}" for title, text in _rows(summary)]
    for rider, parts in summary.riders.items():
        lines += [
            "",
            f"rider {rider} (nearest to their limits; every criterion is in the summary file)",
            text_table(_criteria_rows(parts)),
        ]
    return "\n".join(lines)


def _criteria_rows(parts: dict[str, PartSummary]) -> list[tuple[str, ...]]:
    """The criteria nearest to their limit or beyond it, least margin first."""
    rows: list[tuple[str, ...]] = [("part", "criterion", "value", "limit", "verdict", "at s", "at m")]
    rows += [(part.replace("_", " "), judged.note) for part, judged in parts.items() if judged.note]
    found = [
        (c.margin, part, c)
        for part, judged in parts.items()
        for c in judged.criteria
        if c.margin is not None and c.judged
    ]
    found.sort(key=lambda entry: entry[0])
    shown = max(SHOWN, sum(margin < 0.0 for margin, _, _ in found))
    for _, part, c in found[:shown]:
        unit = "" if c.unit == "1" else f" {c.unit}"
        rows.append(
            (
                part.replace("_", " "),
                textwrap.shorten(c.title, TITLE, placeholder=" ..."),
                f"{significant(c.value or 0.0)}{unit}",
                f"{c.limit:.4g}",
                c.verdict,
                "-" if c.moment is None or c.lasts else f"{c.moment:.3f}",
                "-" if c.arc_length is None or c.lasts else f"{c.arc_length:.1f}",
            )
        )
    if len(found) > shown:
        rows.append(("", f"and {len(found) - shown} more, further inside their limits"))
    return rows


def _contact_rows(summary: Summary) -> list[tuple[str, str]]:
    """The hardest contacts, and how long riders were without any."""
    hardest = sorted(summary.contacts.items(), key=lambda entry: -entry[1].force)
    rows = []
    for name, one in hardest[:CONTACTS]:
        times = "once" if one.count == 1 else f"{one.count} times"
        met = "" if one.speed is None else f", met at up to {one.speed:.3g} m/s"
        at = f"at t = {one.force_time:.2f} s"
        at += "" if one.arc_length is None else f", s = {one.arc_length:.1f} m"
        text = f"{name.partition(': ')[2]}: touched {times}, {one.force / 1e3:.4g} kN {at}{met}"
        rows.append(("touched", text))
    if len(hardest) > CONTACTS:
        rows.append(("", f"and {len(hardest) - CONTACTS} more, less hard"))
    for rider, one in summary.touched_riders.items():
        if one.longest is not None and one.longest_from is not None:
            far = "" if one.apart is None else f", up to {1e3 * one.apart:.3g} mm away"
            text = f"without contact for {one.longest:.3g} s from t = {one.longest_from:.2f} s on{far}"
            rows.append(("rider", f"{rider}: {text}"))
    return rows


def _free_rows(summary: Summary) -> list[tuple[str, str]]:
    """Riders who sit freely: airtime as felt, what the restraint bears."""
    rows = []
    for rider, one in summary.free_riders.items():
        said = []
        if one.airtime is not None:
            longest = "" if one.longest_from is None else f", longest from t = {one.longest_from:.2f} s on"
            far = f", up to {1e3 * (one.gap or 0.0):.3g} mm" if one.airtime else ""
            said.append(f"off the seat pan for {one.airtime:.3g} s{far}{longest}")
        for name, part in one.parts.items():
            if part.kind in ("pan", RESTRAINT):
                said.append(f"{name.lower()} bears up to {written(part.load, '.4g')} N")
        rows.append(("free rider", f"{rider}: {'; '.join(said) or 'nothing touched'}"))
    return rows


def _rows(summary: Summary) -> list[tuple[str, str]]:
    model, time, energy, worst = summary.model, summary.time, summary.energy, summary.violations
    redundant = ", ".join(model.redundant) if model.redundant else "no redundant row"
    rows = [
        (
            "model",
            f"{counted(model.bodies, 'body', 'bodies')}, {counted(model.rows, 'constraint row')},"
            f" {counted(model.degrees_of_freedom, 'degree of freedom', 'degrees of freedom')}, {redundant}",
        ),
        ("time", f"{time.start:.2f} to {time.end:.2f} s, {time.instants} instants stored"),
    ]
    if time.asked_rate is not None:
        text = f"signals at {time.sample_rate or 0.0:.0f} Hz, which limits need, instead of the {time.asked_rate:g} Hz"
        rows.append(("", f"{text} of the settings"))
    if summary.speed is not None:
        v = summary.speed
        rows.append(("speed", f"start {v.start:.2f} m/s, end {v.end:.2f} m/s"))
        rows.append(("", f"least {v.least.value:.2f} m/s {_where(v.least)}"))
        rows.append(("", f"largest {v.largest.value:.2f} m/s {_where(v.largest)}"))
    lost = energy.end["dissipated"] - energy.start["dissipated"]
    drag = energy.end["drag"] - energy.start["drag"]
    started = written(energy.start["kinetic"], ".5g")
    rows.append(
        (
            "energy",
            f"start {started} J kinetic; {written(lost, '.4g')} J damped, {written(drag, '.4g')} J drag",
        )
    )
    if summary.losses:
        rows.append(("losses", summary.losses))
    if energy.drift is not None:
        rows.append(("", f"ledger closes to {written(energy.drift, '.1e')} of the {energy.reference_is}"))
    for name, one in summary.couplings.items():
        both = (("tension", one.tension), ("compression", one.compression))
        loads = [f"{abs(x.value) / 1e3:.4g} kN {what} {_where(x)}" for what, x in both if x is not None]
        rows.append(("coupling", f"{name}: {'; '.join(loads) or 'no force'}"))
    rows += _contact_rows(summary)
    rows += _free_rows(summary)
    if summary.over_top is not None:
        rows.append(("start", summary.over_top.sentence))
    if summary.slid:
        slid = summary.slid
        furthest = max(slid, key=lambda car: abs(slid[car]))
        way = "ahead" if slid[furthest] > 0.0 else "back"
        sentence = (
            f"{len(slid)} cars slid along the track until their couplings fit and bear their loads,"
            f" '{furthest}' furthest:"
        )
        rows.append(("start", f"{sentence} {1e3 * abs(slid[furthest]):.3g} mm {way}"))
    counts = Counter(event.kind for event in summary.events if event.kind != "end")
    if counts:
        words = (f"{counts[kind]} {text}" for kind, text in EVENT_WORDS.items() if counts[kind])
        rows.append(("events", ", ".join(words)))
    joints, guides, rates = (
        written(one.value, ".1e") for one in (worst.joints, worst.guides, worst.velocity)
    )
    rows.append(("violations", f"joints {joints}, guides {guides} (m or rad),"))
    rows.append(("", f"velocity level {rates} (m/s or rad/s)"))
    if len(summary.rows) > 1:
        for row in (summary.rows[0], summary.rows[-1]):
            felt = {} if row.loads is None else row.loads
            spans = [f"{axis.capitalize()} {r.least:.2f} to {r.largest:.2f} g" for axis, r in felt.items()]
            rows.append(("row", f"{row.row}, {row.car}: {', '.join(spans)}"))
    if summary.verdict:
        rows.append(("limits", summary.verdict))
    if summary.worst_seat is not None:
        seat = summary.seats[summary.worst_seat]
        assert seat.governing is not None
        outside = sum(one.margin is not None and one.margin < 0.0 for one in summary.seats.values())
        sentence = f"{len(summary.seats)} assessed, {outside} outside a limit; worst {summary.worst_seat}:"
        rows.append(("seats", f"{sentence} margin {percent(seat.margin or 0.0)} of {seat.governing.title}"))
    rows += [("doubtful", finding.message) for finding in summary.findings]
    return rows
