"""What a judgement takes for granted: editions, restraint, rider, filter and body, in words beside the verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.evaluation import EvaluationOptions
from .result import CriterionResult
from .standards.files import PHYSIOLOGY, evaluated_ids, load_table

RESTRAINTS = {
    "base": "base case (lap bar, belt)",
    "over_the_shoulder": "over the shoulder",
    "prone": "prone, or padded over the shoulder",
}


def assumptions(options: EvaluationOptions, bodies: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What the verdicts on rides assume.

    Parameters
    ----------
    options
        Restraint, filter and limit tables that count.
    bodies
        Whose accelerations were judged.

    Returns
    -------
    Pairs of a name and a sentence: the restraint, each table with its edition and status, what no curve speaks of.

    Raises
    ------
    InputError
        For a table that does not exist or fit.
    """
    height = options.patron_height
    built_in = options.restraint_class
    found = [
        (
            "Restraint",
            f"{RESTRAINTS[options.restraint]}; {'' if options.extended_negative_gz else 'no '}extended -Gz",
        ),
        (
            "Class of restraint built in",
            "as the seat states it; where none does there is no verdict on the class that the ride demands"
            if built_in is None
            else f"{built_in}",
        ),
        ("Headrest", "the seat supports the head" if options.headrest else "none: +Gx has lower limits"),
        ("Smallest rider", "not stated" if height is None else f"{height:.2f} m"),
    ]
    if options.largest_height is not None:
        found.append(("Tallest rider", f"{options.largest_height:.2f} m"))
    if options.largest_mass is not None:
        found.append(("Heaviest rider", f"{options.largest_mass:.0f} kg"))
    for name in evaluated_ids(options):
        if name in PHYSIOLOGY:
            continue
        table = load_table(name)
        edition = table.edition
        if table.editions:
            chosen = table.chosen_edition(options)
            edition = "; ".join(filter(None, (chosen.title, chosen.note, edition)))
        least = table.least_height
        stated = [edition, table.status() or "confirmed by the source"]
        if least is not None:
            stated.append(f"stated for riders from {least:.2f} m")
        stated.append(
            "signal as recorded"
            if table.filter == "none" or options.standard_filter == "none"
            else f"signal through the {table.filter} ride filter"
        )
        if table.zones is not None and table.zones.note:
            stated.append(f"restraint figure: {table.zones.note}")
        found.append((table.short, "; ".join(filter(None, stated))))
    found += [
        (
            "Loads shorter than 0.2 s",
            "impacts: the curves of rides begin at 0.2 s and say nothing about them",
        ),
        (
            "Judged bodies",
            f"{', '.join(dict.fromkeys(bodies))}; limits of rides are meant for loads measured on the seat",
        ),
    ]
    return tuple(found)


def demanded_classes(results: Iterable[CriterionResult]) -> tuple[CriterionResult, ...]:
    """The results that say which class of restraint a ride demands."""
    return tuple(r for r in results if r.criterion.endswith("_restraint_class") and r.value is not None)
