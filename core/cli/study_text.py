"""What `ridewright study` prints: answers as data for JSON, and as tables for a terminal."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import significant, text_table
from ..report.parts.words import MARK, title_of, unit_of
from ..studies.answers import chance, main_effects, min_margins, sobol_indices
from ..studies.estimate import Estimate
from ..studies.one_run import MARGIN, STATES
from ..studies.store import Store, Table
from ..studies.study import Study
from ..studies.words import WORDS, criteria_of
from .progress import clock_text

if TYPE_CHECKING:
    from ..studies.calibrate import Calibration
    from ..studies.front import Design, Front

SHOWN = 12  # criteria, failures


def estimate_text(study: Study, found: Estimate) -> str:
    """A study before it is run."""
    rows = [("parameter", "goes to", "from", "to")]
    for parameter, (low, high) in zip(study.parameters, found.ranges, strict=True):
        goes = "several" if parameter.levels else parameter.edit or ", ".join(parameter.fields_of)
        unit = f" {parameter.unit}" if parameter.unit else ""
        rows.append((parameter.name, goes, low + unit, high + unit))
    each = f"{found.seconds:.3g} s each" if found.seconds >= 0.01 else f"{1e3 * found.seconds:.3g} ms each"
    time = (
        ""
        if found.seconds != found.seconds
        else f", {each}, about {clock_text(found.whole)} on {found.workers} worker{'' if found.workers == 1 else 's'}"
    )
    return "\n".join(
        [
            f"study {study.name}: {found.runs:,} runs{time}",
            text_table(rows),
            *([f"  {found.note}"] if found.note else []),
        ]
    )


def table_text(table: Table, store: Store) -> str:
    """How the runs went, and the least margins, criteria by the names that the report has for them."""
    counts = [int((table.state == k).sum()) for k in range(len(STATES))]
    message = ", ".join(f"{n} {WORDS[state]}" for n, state in zip(counts, STATES, strict=True) if n)
    lines = [f"study {table.study.name}: {len(table)} runs: {message or 'none'}"]
    if table.ended:
        lines.append(f"  ended before its plan: {table.ended}")
    margins = min_margins(table)
    if margins:
        known = criteria_of(store)
        rows = [("criterion", "least margin", "value", "unit", "confidence", "run", "on", "at m", "at s")]
        for one in margins[:SHOWN]:
            criterion = known.get(one.criterion)
            rows.append(
                (
                    one.criterion if criterion is None else title_of(criterion),
                    f"{one.margin:+.3f}",
                    significant(one.value),
                    "" if criterion is None else unit_of(criterion),
                    "" if criterion is None else criterion.confidence or "",
                    str(one.run),
                    one.who,
                    "-" if one.s is None else f"{one.s:.1f}",
                    "-" if one.time is None else f"{one.time:.2f}",
                )
            )
        lines += ["\nLeast margins, part of the limit that is left", text_table(rows)]
        if len(margins) > SHOWN:
            lines.append(f"  and {len(margins) - SHOWN} more, further inside their limits")
        if any(row[0].endswith(MARK) for row in rows):
            lines.append(f"  {MARK}: the limit was not confirmed by the standard or source itself.")
    elif not table.is_state("done", "early").any():
        lines.append("  Nothing feasible: no run could be finished.")
    lines += _failures(table)
    return "\n".join(lines)


def _failures(table: Table) -> list[str]:
    """The sentences of failed runs, each once with the first run that has it."""
    first: dict[str, int] = {}
    for k in range(len(table)):
        if STATES[table.state[k]] in ("failed", "early"):
            first.setdefault(table.message[k], int(table.run[k]))
    rows = [(f"run {run}", message) for message, run in list(first.items())[:SHOWN]]
    return ["\nFailed or ended early", text_table(rows)] if rows else []


def answers(table: Table, response: str | None, below: float | None, above: float | None) -> dict[str, Any]:
    """Everything a table answers, ready for JSON."""
    name = response or MARGIN
    found: dict[str, Any] = {
        "study": table.study.name,
        "runs": len(table),
        "states": {state: int((table.state == k).sum()) for k, state in enumerate(STATES)},
        "ended": table.ended,
        "margins": [asdict(one) for one in min_margins(table)],
    }
    asked = response is not None or below is not None or above is not None
    if not asked and name not in table.numbers:
        return found
    found["response"] = name
    found["effects"] = [{**asdict(effect), "size": effect.size} for effect in main_effects(table, name)]
    if table.study.plan.kind == "saltelli":
        found["sobol"] = asdict(sobol_indices(table, name))
    level = above if above is not None else below if below is not None else 0.0
    try:
        one = chance(table, name, level, above=above is not None)
    except InputError:
        if below is not None or above is not None:
            raise
        return found
    if asked is False or below is not None or above is not None or name == MARGIN:
        found["probability"] = {**asdict(one), "probability": one.probability}
    return found


def answers_text(table: Table, found: dict[str, Any], store: Store) -> str:
    """The same for a terminal."""
    lines = [table_text(table, store)]
    if "effects" in found:
        rows = [("parameter", "effect", "from the means", "at")]
        for effect in found["effects"]:
            shown = [
                f"{mean:.4g}" + ("" if error is None else f" ± {error:.2g}")
                for mean, error in zip(effect["mean"], effect["error"], strict=True)
            ]
            rows.append(
                (effect["parameter"], f"{effect['size']:.4g}", ", ".join(shown), ", ".join(effect["at"]))
            )
        lines += [f"\nMain effects on {found['response']}, ± standard error", text_table(rows)]
    if "sobol" in found:
        indices = [("parameter", "first", "", "total", "")]
        for one in found["sobol"]["indices"]:
            indices.append(
                (
                    one["parameter"],
                    f"{one['first']:.3f}",
                    f"± {one['first_half']:.3f}",
                    f"{one['total']:.3f}",
                    f"± {one['total_half']:.3f}",
                )
            )
        sobol = found["sobol"]
        lines += [
            f"\nSobol indices of {found['response']}, 95 %, {sobol['blocks']} of {sobol['of']} sets of runs",
            text_table(indices),
        ]
    if "probability" in found:
        p = found["probability"]
        side = "above" if p["above"] else "below"
        lines += [
            f"\nProbability that {p['response']} lies {side} {p['level']:g}: {p['probability']:.4g}"
            f" (95 %: {p['low']:.4g} to {p['high']:.4g}; {p['count']} of {p['judged']} runs)",
            *(f"  {one[0].upper()}{one[1:]}." for one in p["assumptions"]),
        ]
    return "\n".join(lines)


def front_text(study: Study, best: Front) -> str:
    """The best designs that a search has found."""
    assert study.optimise is not None
    if not best.designs:
        return f"study {study.name}: nothing feasible among {best.made} designs; {best.nearest}"
    head = ("run", *(p.name for p in study.parameters), *(goal.name for goal in study.optimise.goals))
    rows = [head]
    if best.start is not None:
        rows.append((f"{best.start.run}, the start", *_design(study, best.start)))
    rows += [(str(design.run), *_design(study, design)) for design in best.designs]
    what = "best design" if len(best.runs) == 1 else "designs none of which is better in everything"
    return f"study {study.name}: {best.made} designs made; {len(best.runs)} {what}\n" + text_table(rows)


def _design(study: Study, design: Design) -> tuple[str, ...]:
    shown = [p.shown(v, 5) for p, v in zip(study.parameters, design.values, strict=True)]
    return (*shown, *(significant(goal, 4) for goal in design.goals))


def calibration_text(found: Calibration) -> str:
    """Fitted values with their intervals, and residuals by section."""
    rows = [("parameter", "value", "95 % interval", "")]
    for one in found.fitted:
        rows.append((one.name, f"{one.value:.5g}", f"{one.low:.5g} to {one.high:.5g}", one.unit))
    sections = [("section", "mean m/s", "rms m/s", "measurements")]
    for part in found.sections:
        sections.append((part.section, f"{part.mean:+.3f}", f"{part.rms:.3f}", str(part.count)))
    return "\n".join(
        [
            f"fitted to {found.measurements} speeds, of which about {found.independent:.0f} are independent;"
            f" residuals {found.rms:.3g} m/s",
            text_table(rows),
            "\nSpeeds ridden less measured",
            text_table(sections),
        ]
    )
