"""HIC15 and HIC36 of the resultant, as recorded and through CFC1000 (Viegas 2016, eq. 4.1), and what they risk."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.text_table import significant
from ..filters import FilterName
from ..hic import hic
from ..hic_risk import HicRisk
from ..limits import ScalarLimits, load_limits
from ..parts import part_note
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult

APPLICABILITY = "head, 50th percentile man; made for blows of the head"
#: The curves of resources/limits/hic_risk.json, by window in ms.
SEVERITIES = {15: ("ais2", "ais3"), 36: ("ais1", "ais2", "ais3", "ais4", "ais5", "fatal")}
FORMS = {"expanded_prasad_mertz": "expanded Prasad-Mertz", "lognormal": "NHTSA lognormal"}


def _criterion(milliseconds: int, filter_name: FilterName) -> Criterion:
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    title = f"HIC{milliseconds}" + ("" if filter_name == "none" else f", {filter_name}")
    output = Output(
        f"hic{milliseconds}{suffix}",
        title,
        "1",
        filter_name,
        group="head",
        definition=f"largest (t2 - t1) (mean resultant in g)^2.5 over windows up to {milliseconds} ms",
        applicability=APPLICABILITY,
    )
    # One filter is enough for the risks; most records are too slow for CFC1000.
    risks = _risks(milliseconds) if filter_name == "none" else ()

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get(f"hic{milliseconds}")
        found = hic(signals.history.time, signals.resultant(filter_name), milliseconds / 1000.0)
        window = (found.t1, found.t2)
        over = (window,) if found.value > limit.value else ()
        whose = part_note("head", signals.history.body)
        yield output.result(signals, found.value, window, limit, whose, exceeded=over)
        if not risks:
            return
        table = load_limits("hic_risk", HicRisk)
        for severity, risk in risks:
            curve = table.curve(f"hic{milliseconds}_{severity}")
            note = f"{FORMS[curve.form]}, HIC{milliseconds} {significant(found.value)}; confidence {curve.confidence}"
            yield risk.result(
                signals,
                100.0 * float(curve.probability(found.value)),
                window,
                note="; ".join(filter(None, (note, whose))),
                rule=table.title,
            )

    return Criterion((output, *(risk for _, risk in risks)), evaluate, rate=1000.0 / milliseconds)


def _risks(milliseconds: int) -> tuple[tuple[str, Output], ...]:
    """Severities that have a curve for a HIC, with what they give."""
    found = []
    for severity in SEVERITIES[milliseconds]:
        what = "a fatal injury" if severity == "fatal" else f"an injury {severity.upper()}+"
        output = Output(
            f"hic{milliseconds}_{severity}_risk",
            f"probability of {what} from HIC{milliseconds}",
            "%",
            group="head",
            definition="probability of an injury of at least this severity on the abbreviated injury scale",
            applicability="adult men, blows of the head",
        )
        found.append((severity, output))
    return tuple(found)


FILTERS: tuple[FilterName, ...] = ("none", "CFC1000")
CRITERIA = tuple(_criterion(ms, name) for name in FILTERS for ms in (15, 36))
