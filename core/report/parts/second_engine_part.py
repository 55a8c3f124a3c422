"""Checked by a second engine: how far two engines agree in the ride, and what the other one does not have."""

from __future__ import annotations

from ...outcome.second_engine import (
    AGREE,
    LEFT_OUT,
    OPEN,
    RECORDED,
    Agreement,
    CrossCheck,
    design_hash,
    worst_of,
)
from ..cells import entry, figures, fixed, left, text
from ..document import Block, Cell, Column, Facts, Section, Table, Text, Tone
from ..run_view import RunView

METHOD = (
    "The design was ridden twice here and twice in another program, each in two accuracies, and the rides were laid"
    " over one another. An engine's error is how far its two rides are apart; what differs by more than both is named."
    " Places, masses and axes as drawn, curves of the track, laws of force elements and the assembled start are shared;"
    " equations, mass matrices, levers and integration are the other program's own."
)
OTHER = "The design of this report is not the one that was checked: it has been changed since, or before."
TONES: dict[str, Tone] = {"agrees": "inside", "differs": "outside", "open": "none"}
SHOWN = 20  # differences on paper


def second_engine_section(view: RunView) -> Section | None:
    """What a second engine says; None where none was asked."""
    check = view.second
    if check is None:
        return None
    blocks: list[Block] = [Text(text=METHOD), _facts(check)]
    if check.design != design_hash(view.project):
        blocks.append(Text(text=OTHER, tone="near"))
    blocks.append(_largest(check))
    judged = [one for one in check.findings if one.severity != "note"]
    if not judged:
        blocks.append(Text(text=AGREE, tone="inside"))
    blocks += [Text(text=str(one.message), tone="outside") for one in judged[:SHOWN]]
    if len(judged) > SHOWN:
        blocks.append(Text(text=f"... and {len(judged) - SHOWN} more differences.", tone="outside"))
    if check.open_forces:
        blocks.append(Text(text=OPEN))
    if check.recorded:
        blocks.append(Text(text=f"{', '.join(check.recorded)}: {RECORDED}", tone="near"))
    blocks += _left_out(check)
    blocks.append(_every(check))
    return Section(id="second_engine", title="Checked by a second engine", page=True, blocks=tuple(blocks))


def _facts(check: CrossCheck) -> Facts:
    coarse, fine = check.steps
    return Facts(
        id="engines",
        entries=(
            entry("Second engine", text(check.engine)),
            entry("Compared", fixed(check.duration, 2), "s"),
            entry("Its steps", text(f"{coarse * 1e3:.3g} and {fine * 1e3:.3g}"), "ms"),
            entry("Here", text(" and ".join(check.ours))),
        ),
    )


def _columns(first: str) -> tuple[Column, ...]:
    return (
        left("quantity", first), left("name", "Of", 1.0), Column(key="difference", title="Differs at most by"),
        Column(key="allowed", title="Errors of both"), Column(key="largest", title="Largest value"),
        left("unit", "Unit"), Column(key="time", title="At", unit="s"), left("verdict", "Verdict"),
    )  # fmt: skip


def _row(one: Agreement) -> tuple[Cell, ...]:
    return (
        text(one.quantity), text(one.name), figures(one.difference, 3), figures(one.allowed, 2),
        figures(one.largest, 3), text(one.unit), fixed(one.time, 3), text(one.verdict, TONES[one.verdict]),
    )  # fmt: skip


def _largest(check: CrossCheck) -> Table:
    return Table(
        id="second_engine",
        title="What comes nearest to the errors of both engines, or furthest beyond, of every quantity",
        columns=_columns("Quantity"),
        rows=tuple(_row(one) for one in worst_of(check).values()),
    )


def _every(check: CrossCheck) -> Table:
    return Table(
        id="second_engine_all",
        title="Agreement of both engines in every quantity of every body, joint, guide and force element",
        columns=_columns("Quantity"),
        rows=tuple(_row(one) for one in check.agreements),
        printed=False,
    )


def _left_out(check: CrossCheck) -> list[Block]:
    if not check.left_out:
        return [Text(text="Everything of the design was handed over.")]
    table = Table(
        id="not_handed_over",
        title=LEFT_OUT,
        columns=(left("name", "Name"), left("what", "What"), left("why", "Why", 1.0)),
        rows=tuple((text(one.name), text(one.what), text(one.why)) for one in check.left_out),
        note="" if check.cost is None else check.cost.sentence,
    )
    return [table]
