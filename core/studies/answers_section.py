"""What a study answers, as a section of its report: which parameter matters how much, and how likely a value is."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import InputError
from ..report.book import Book
from ..report.cells import count, entry, figures, fixed, left, text
from ..report.document import Block, Column, Facts, Section, Table, Text
from .answers import Chance, chance, main_effects, sobol_indices
from .one_run import MARGIN
from .pictures import parameter_picture
from .store import Table as Runs


@dataclass(frozen=True)
class Asked:
    """What the report is to answer: the response, by default the least margin, and the level whose probability is told,
    by default 0; above: that of lying above it."""

    response: str = MARGIN
    level: float = 0.0
    above: bool = False


def answers_section(runs: Runs, asked: Asked, book: Book) -> Section | None:
    """What matters how much, and the probability; nothing for runs of a search, which are drawn from nothing."""
    if asked.response not in runs.numbers or runs.study.optimise is not None or not runs.study.parameters:
        return None
    blocks: list[Block] = [*parameter_picture(runs, asked.response, book)]
    try:
        blocks.append(_effects_table(runs, asked.response))
    except InputError as error:
        blocks.append(Text(text=str(error)))
    if runs.study.plan.kind == "saltelli":
        try:
            blocks.append(_sobol_table(runs, asked.response))
        except InputError as error:
            blocks.append(Text(text=str(error)))
    try:
        blocks += _chance_blocks(chance(runs, asked.response, asked.level, above=asked.above))
    except InputError as error:  # grids and lists have none, and the report says so
        blocks.append(Text(text=str(error)))
    return Section(id="answers", title=f"What matters for {asked.response}", blocks=tuple(blocks))


def _effects_table(runs: Runs, response: str) -> Table:
    units = {parameter.name: parameter.unit for parameter in runs.study.parameters}
    rows = tuple(
        (
            text(effect.parameter),
            text(at),
            text(units[effect.parameter]),
            figures(mean),
            figures(error, 2),
            count(number),
        )
        for effect in main_effects(runs, response)
        for at, mean, error, number in zip(effect.at, effect.mean, effect.error, effect.runs, strict=True)
    )
    columns = (
        left("parameter", "Parameter", 1.0),
        Column(key="at", title="At"),
        left("unit", "Unit"),
        Column(key="mean", title="Mean"),
        Column(key="error", title="Standard error"),
        Column(key="runs", title="Runs"),
    )
    return Table(id="effects", title=f"Main effects on {response}, largest first", columns=columns, rows=rows)


def _sobol_table(runs: Runs, response: str) -> Table:
    found = sobol_indices(runs, response)
    rows = tuple(
        (
            text(one.parameter),
            *(fixed(value, 3) for value in (one.first, one.first_half, one.total, one.total_half)),
        )
        for one in found.indices
    )
    columns = [left("parameter", "Parameter", 1.0)]
    for key, title in (("first", "First order"), ("total", "Total")):
        columns += [Column(key=key, title=title), Column(key=f"{key}_half", title="± 95 %")]
    return Table(
        id="sobol",
        title=f"Sobol indices of {response}",
        columns=tuple(columns),
        rows=rows,
        note=f"From {found.blocks} of {found.of} sets of runs.",
    )


def _chance_blocks(found: Chance) -> list[Block]:
    side = "above" if found.above else "below"
    facts = (
        entry(f"Probability that {found.response} lies {side} {found.level:g}", figures(found.probability)),
        entry("95 % interval from", figures(found.low)),
        entry("to", figures(found.high)),
        entry("Runs that do", count(found.count)),
        entry("Runs judged", count(found.judged)),
    )
    assumed = "; ".join(found.assumptions)
    sentence = (
        f"Assumed: {assumed}. It is the probability of this study, of its distributions and of the model."
    )
    return [Facts(id="probability", entries=facts), Text(text=sentence)]
