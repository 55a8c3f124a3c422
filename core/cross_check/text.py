"""What a second engine says of a ride, as text for a person and as data for programs."""

from __future__ import annotations

from typing import Any

from ..base.text_table import significant, text_table
from ..outcome.second_engine import AGREE, OPEN, RECORDED, CrossCheck, worst_of

SHOWN = 12  # findings in the text; all are in the data


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
        rows.append((
            one.quantity, f"{significant(one.difference)} {one.unit}", f"{significant(one.allowed)} {one.unit}",
            f"{significant(one.largest)} {one.unit}", f"{one.time:.3f} s", one.name, one.verdict,
        ))  # fmt: skip
    lines += [text_table(rows), ""]
    if check.open_forces:
        lines += [OPEN, ""]
    judged = [one for one in check.findings if one.severity != "note"]
    if not judged:
        lines.append(AGREE)
    else:
        lines += [str(one.message) for one in judged[:SHOWN]]
        if len(judged) > SHOWN:
            lines.append(f"... and {len(judged) - SHOWN} more.")
    if check.recorded:
        lines += ["", f"{', '.join(check.recorded)}: {RECORDED}"]
    if check.left_out:
        lines += ["", "Left out of both rides, because the other engine does not have it here:"]
        lines += [f"  {one.name} ({one.what}): {one.why}" for one in check.left_out]
    if check.cost is not None:
        lines.append(f"  {check.cost.sentence}")
    return "\n".join(lines)


def cross_check_dict(check: CrossCheck) -> dict[str, Any]:
    """The same as JSON data, in SI."""
    return {**check.model_dump(mode="json"), "agrees": check.agrees}
