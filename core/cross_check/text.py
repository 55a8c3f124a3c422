"""What a second engine says of a ride, as text for a person and as data for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..base.text_table import significant, text_table
from .check import CrossCheck
from .compare import Agreement

SHOWN = 12  # findings in the text; all are in the data


def worst_of(check: CrossCheck) -> dict[str, Agreement]:
    """Of every quantity the owner that comes nearest to, or furthest beyond, what is allowed."""
    out: dict[str, Agreement] = {}
    for one in check.agreements:
        before = out.get(one.quantity)
        if before is None or _share(one) > _share(before):
            out[one.quantity] = one
    return out


def _share(one: Agreement) -> float:
    return one.difference / max(one.allowed, 1e-300)


def cross_check_text(check: CrossCheck) -> str:
    """Engines and their accuracies, largest differences, what differs, and what was left out with what it costs."""
    coarse, fine = check.steps
    lines = [
        f"{check.project}: {check.duration:.4g} s, here ({check.ours[0]}, {check.ours[1]}) and in {check.engine}"
        f" (steps {coarse * 1e3:.3g} ms, {fine * 1e3:.3g} ms)",
        "",
    ]
    head = ("quantity", "differs most", "errors of both", "of", "at", "where", "")
    rows = [head]
    for one in worst_of(check).values():
        verdict = "agrees" if one.holds else ("differs" if one.judged else "open")
        rows.append((
            one.quantity, f"{significant(one.difference)} {one.unit}", f"{significant(one.allowed)} {one.unit}",
            f"{significant(one.largest)} {one.unit}", f"{one.time:.3f} s", one.name, verdict,
        ))  # fmt: skip
    lines += [text_table(rows), ""]
    if check.open_forces:
        lines += [
            "Some constraints are implied by others, so that the motion does not say how joints and guides share their"
            " forces: where these differ they are not judged (open).",
            "",
        ]
    judged = [one for one in check.findings if one.severity != "note"]
    if not judged:
        lines.append("Both engines agree within their own errors.")
    else:
        lines += [str(one.message) for one in judged[:SHOWN]]
        if len(judged) > SHOWN:
            lines.append(f"... and {len(judged) - SHOWN} more.")
    if check.left_out:
        lines += ["", "Left out of both rides, because the other engine does not have it here:"]
        lines += [f"  {one.name} ({one.what}): {one.why}" for one in check.left_out]
    if check.cost is not None:
        (place, where, when), (speed, faster, then) = check.cost.place, check.cost.speed
        lines.append(
            f"  It moves the ride by up to {significant(place)} m ({where} at {when:.2f} s) and"
            f" {significant(speed)} m/s ({faster} at {then:.2f} s): what this check says holds for the ride without it."
        )
    return "\n".join(lines)


def cross_check_dict(check: CrossCheck) -> dict[str, Any]:
    """The same as JSON data, in SI."""
    out = {name: value for name, value in asdict(check).items() if name != "findings"}
    out["agrees"] = check.agrees
    out["findings"] = [one.model_dump(mode="json") for one in check.findings]
    return out
