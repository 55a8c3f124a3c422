"""Track and supports under the train: model, loads, combinations, governing members, weld details, and what the
footings press on the ground with, for who designs the concrete."""

from __future__ import annotations

import math

import numpy as np

from ...base.fields import spec_of
from ...charts.steelwork import footing_chart
from ...steelwork.checks import FOOTING_COLUMNS, SteelChecks
from ...steelwork.ride import RATE
from ...steelwork.tables import SteelAnswer, steelwork_of
from ...track.actions import ANY_HEIGHT, Actions
from ...track.steelwork import ANY, SpineRule, Steelwork
from ..book import Book
from ..cells import count, entry, figures, fixed, left, percent, text
from ..document import Block, Cell, Column, Facts, Section, Table, Text, TitleBlock
from ..figures.paper import paper
from ..run_view import RunView

PRINTED = 25  # rows on paper
KINDS = spec_of(SpineRule, "kind").words
METHOD = (
    "Spine, rails and columns are a frame of Timoshenko beams on springs of the soil; the forces of the train travel"
    " along it, integrated by Newmark's method (average acceleration). Strength: von Mises stress, at most the yield"
    " strength by its partial factor; columns, and rails, chords and braces between their joints, besides by EN"
    " 1993-1-1, 6.3.3, rails with what a wheel bends between two ties; joints of lattices by EN 1993-1-8, 7.4; the"
    " frame by the factor at which it buckles. Fatigue: normal stress, rainflow, EN 1993-1-9:2005 with Miner's sum."
    " Local bending of walls, flanges, bolts and concrete are not judged here."
)
FACTORS = (
    ("weight", "Weight"),
    ("train", "Train"),
    ("wind_in", "Wind in service"),
    ("wind_out", "Wind out of service"),
    ("ice", "Ice"),
    ("earthquake", "Earthquake"),
    ("temperature", "Temperature"),
)
PRESSED = ("x", "y", "Down", "About x", "About y", "About z")
RUN = "Train and weight"


def steelwork_section(view: RunView, book: Book) -> Section | None:
    """The steel under the train of the run; None where it is not asked for, or there is no track."""
    if not book.options.steelwork or view.project.track is None:
        return None
    found = steelwork_of(
        view.results,
        RATE,
        life=True,
        checks=True,
        on_block=lambda _: book.step(0.24, "track and supports under the train"),
    )
    blocks = [_verdict(found), *steelwork_blocks(found, view.project.steelwork)]
    worst = int(np.argmax([one.most[2] - one.dead[2] for one in found.footings]))
    drawn = paper([footing_chart(found, worst)], 5.0)
    caption = "What the footing with the largest load of the train bears, beyond the weight of the steel."
    blocks.insert(
        -2, book.figure("steelwork_footing", f"Load of {found.footings[worst].name}", caption, drawn)
    )
    return Section(id="steelwork", title="Track and supports", page=True, blocks=tuple(blocks))


def with_verdict(
    title: TitleBlock, summary: Section | None, steel: Section
) -> tuple[TitleBlock, Section | None]:
    """First page and summary of a report with what its part on the steel finds."""
    found = steel.blocks[0]
    assert isinstance(found, Text)
    own, outside = title.verdict, found.tone == "outside"
    words = f"{own.text}; track and supports {'outside' if outside else 'inside'}"
    verdict = own.model_copy(update={"text": words, "tone": "outside" if outside else own.tone})
    if summary is not None:
        summary = summary.model_copy(update={"blocks": (found, *summary.blocks)})
    return title.model_copy(update={"verdict": verdict}), summary


def steelwork_blocks(found: SteelAnswer, rules: Steelwork) -> list[Block]:
    """What the steel of a ride is told by, as blocks of a report; tables of what was not asked for are left out."""
    blocks: list[Block] = [Text(text=METHOD), _model(found, rules), _sections(rules), _members(found)]
    if found.checks is not None:
        actions = rules.actions
        blocks += [
            Text(text=actions.about, tone="near" if actions.confidence == "low" else ""),
            _actions(actions),
            _factors(actions),
            _combinations(found.checks),
            _used(found.checks),
        ]
    if found.lives:
        blocks.append(_details(found, rules))
    if found.two_way is not None:
        blocks.append(Text(text=found.two_way.said))
    return [*blocks, _footings(found), _reactions(found)]


def _verdict(found: SteelAnswer) -> Text:
    """Strength, deflection and life in a sentence, what is outside first."""
    said = [one for one in (_of_life(found), *_of_checks(found)) if one is not None]
    said.sort(key=lambda one: one[0])
    return Text(
        text="Track and supports: " + "; ".join(words for _, words in said) + ".",
        tone="inside" if all(inside for inside, _ in said) else "outside",
    )


def _of_life(found: SteelAnswer) -> tuple[bool, str] | None:
    short = [one for one in found.lives if one.share > 1.0]
    if not found.lives:
        return None
    worst = found.lives[0]
    if short:
        many = "one detail does" if len(short) == 1 else f"{len(short)} details do"
        return (
            False,
            f"{many} not last the planned rides ({worst.name}: {100.0 * worst.share:.0f} % of its life used)",
        )
    return True, f"details last the planned rides, at most {100.0 * worst.share:.0f} % used ({worst.name})"


def _of_checks(found: SteelAnswer) -> list[tuple[bool, str]]:
    if found.checks is None or not found.checks.members:
        return []
    worst = found.checks.members[0]
    said = [(
        worst.share <= 1.0,
        f"strength and buckling used {worst.share:.2f} at most ({worst.name}, {worst.combination})",
    )]  # fmt: skip
    in_use = [one for one in found.checks.combinations if one.combination.limit == "serviceability"]
    if in_use:
        most = max(in_use, key=lambda one: one.deflection_share)
        said.append((
            most.deflection_share <= 1.0,
            f"deflection {most.deflection_share:.2f} of the allowed one at most ({most.combination.name})",
        ))  # fmt: skip
    return said


def _number(key: str, title: str, unit: str = "", group: str = "") -> Column:
    return Column(key=key, title=title, unit=unit, group=group)


def _model(found: SteelAnswer, rules: Steelwork) -> Facts:
    frame, ride = found.frame, found.ride
    return Facts(
        id="steelwork_model",
        entries=(
            entry("Steel with fittings", fixed(frame.mass / 1e3, 1), "t"),
            entry("Members", fixed(len(frame.members), 0)),
            entry("Footings", fixed(len(frame.footings), 0)),
            entry("Unknowns", fixed(frame.structure.size, 0)),
            entry("Lowest frequency", fixed(float(ride.frequencies[0]), 2), "Hz"),
            entry("Damping", percent(rules.damping), "% of critical"),
            entry("Young's modulus", fixed(rules.E / 1e9, 0), "GPa"),
            entry("Yield strength", fixed(rules.actions.yield_strength / 1e6, 0), "MPa"),
            entry("Shear modulus of the soil", fixed(rules.soil / 1e6, 0), "MPa"),
            entry("Radius of a footing", fixed(rules.footing, 2), "m"),
            entry("Frame", text("by rules" if rules.in_place is None else "finished, of another program")),
            entry("Spacing of supports", fixed(rules.spacing, 1), "m"),
            entry("Expansion joints", count(len(found.frame.joints))),
            entry("Deflection under the train", fixed(1e3 * float(abs(ride.deflection).max()), 1), "mm"),
            entry("Ground bears load, weight, inertia to", figures(ride.balance, 2), "N"),
        ),
    )


def _bound(value: float) -> Cell:
    return text("any") if value >= min(ANY, ANY_HEIGHT) else figures(value, 4)


def _sections(rules: Steelwork) -> Table:
    rows = [
        (
            text(KINDS[one.kind].lower()),
            _bound(one.span),
            _bound(one.curvature),
            text(""),
            fixed(1e3 * one.diameter, 1),
            fixed(1e3 * one.wall, 1),
        )
        for one in rules.spines
    ]
    rows += [
        (
            text(f"ties and diagonals of rule {k}, every {one.panel:g} m"),
            *(text(""),) * 3,
            fixed(1e3 * one.brace_diameter, 1),
            fixed(1e3 * one.brace_wall, 1),
        )
        for k, one in enumerate(rules.spines, 1)
        if one.kind != "spine"
    ]
    rows.append(
        (
            text("rails"),
            *(text("any"),) * 2,
            text(""),
            fixed(1e3 * rules.rail_diameter, 1),
            fixed(1e3 * rules.rail_wall, 1),
        )
    )
    rows += [
        (
            text("column"),
            text(""),
            text(""),
            _bound(one.height),
            fixed(1e3 * one.diameter, 1),
            fixed(1e3 * one.wall, 1),
        )
        for one in rules.columns
    ]
    return Table(
        id="steelwork_sections",
        title="Sections, the first rule that fits",
        columns=(
            left("part", "Part"),
            _number("span", "Span up to", "m"),
            _number("curvature", "Curvature up to", "1/m"),
            _number("length", "Length up to", "m"),
            _number("diameter", "Diameter", "mm"),
            _number("wall", "Wall", "mm"),
        ),
        rows=tuple(rows),
    )


def _members(found: SteelAnswer) -> Table:
    return Table(
        id="steelwork_members",
        title="Largest stress of members under weight and train",
        columns=(
            left("member", "Member"),
            _number("stress", "Von Mises", "MPa"),
            _number("dead", "Weight alone", "MPa"),
            _number("s", "Place", "m"),
            _number("time", "Time", "s"),
            _number("train", "Train at", "m"),
        ),
        rows=tuple(
            (
                text(one.name),
                fixed(one.stress / 1e6, 1),
                fixed(one.dead / 1e6, 1),
                fixed(one.s, 1),
                fixed(one.time, 2),
                fixed(one.train, 1),
            )
            for one in found.members
        ),
        printed_rows=PRINTED,
        beyond=_beyond(len(found.members)),
    )


def _beyond(count: int) -> str:
    return "" if count <= PRINTED else f"{count - PRINTED} more are in the other forms of the report."


def _actions(actions: Actions) -> Facts:
    winds = [
        entry(
            f"{name}, up to {row.height:g} m" if row.height < ANY_HEIGHT else f"{name}, above",
            fixed(row.pressure, 0),
            "Pa",
        )
        for name, some in (("Wind in service", actions.wind_in), ("Wind out of service", actions.wind_out))
        for row in some
    ]
    return Facts(
        id="steelwork_actions",
        entries=(
            *winds,
            entry("Force coefficient", figures(actions.drag, 3)),
            entry("Ice", fixed(1e3 * actions.ice, 0), "mm"),
            entry("Earthquake", figures(actions.earthquake, 3), "g"),
            entry("Warmer or colder by", figures(actions.temperature, 3), "K"),
            entry("Thermal expansion", figures(actions.thermal_expansion, 3), "1/K"),
            entry("Impact factor of the train", figures(actions.impact, 3)),
            entry("Partial factor of sections", figures(actions.section_factor, 3)),
            entry("Partial factor of buckling", figures(actions.buckling_factor, 3)),
            entry("Buckling length of a column, by its length", figures(actions.buckling_length, 3)),
        ),
    )


def _factors(actions: Actions) -> Table:
    return Table(
        id="steelwork_factors",
        title="Combinations and their factors",
        columns=(
            left("combination", "Combination", 1.0),
            left("limit", "Judged by"),
            *(_number(key, title) for key, title in FACTORS),
        ),
        rows=tuple(
            (
                text(one.name),
                text("deflection" if one.limit == "serviceability" else "strength"),
                *(figures(getattr(one, key), 3) for key, _ in FACTORS),
            )
            for one in actions.combinations
        ),
    )


def _combinations(checks: SteelChecks) -> Table:
    rows = []
    for one in checks.combinations:
        strength = one.combination.limit == "strength"
        share = one.share if strength else one.deflection_share
        rows.append(
            (
                text(one.combination.name),
                text(one.member if strength else ""),
                fixed(share, 2, "outside" if share > 1.0 else "inside"),
                (figures(one.critical, 3) if one.critical < math.inf else text("never"))
                if strength
                else text(""),
                fixed(1e3 * one.deflection, 1),
                fixed(one.s, 1),
                fixed(float(one.least[:, 2].min()) / 1e3, 1),
                fixed(float(one.most[:, 2].max()) / 1e3, 1),
            )
        )
    return Table(
        id="steelwork_combinations",
        title="What governs each combination",
        columns=(
            left("combination", "Combination", 1.0),
            left("member", "Member"),
            _number("used", "Used"),
            _number("buckles", "Buckles at"),
            _number("deflection", "Deflection", "mm"),
            _number("s", "Place", "m"),
            _number("least", "Least down", "kN", group="Footings"),
            _number("most", "Most down", "kN", group="Footings"),
        ),
        rows=tuple(rows),
        note="Used: 1 is all; of a combination judged by deflection, of the allowed one. Buckles at: factor of all its"
        " loads; below 10 moments of second order count. Least down below zero: the footing is pulled.",
    )


def _used(checks: SteelChecks) -> Table:
    return Table(
        id="steelwork_governing",
        title="Governing members",
        columns=(
            left("member", "Member"),
            _number("s", "Place", "m"),
            _number("used", "Used"),
            left("by", "By"),
            left("combination", "Combination", 1.0),
            _number("stress", "Von Mises", "MPa"),
            _number("axial", "Axial", "kN"),
            _number("torsion", "Torsion", "kN m"),
            _number("moment", "Moment", "kN m"),
        ),
        rows=tuple(
            (
                text(one.name),
                fixed(one.s, 1),
                fixed(one.share, 2, "outside" if one.share > 1.0 else "inside"),
                text(one.by),
                text(one.combination),
                fixed(one.stress / 1e6, 1),
                fixed(one.N / 1e3, 1),
                fixed(one.T / 1e3, 1),
                fixed(one.M / 1e3, 1),
            )
            for one in checks.members
        ),
        printed_rows=PRINTED,
        beyond=_beyond(len(checks.members)),
        note="Axial: tension positive. Moment: resultant of both directions.",
    )


def _details(found: SteelAnswer, rules: Steelwork) -> Table:
    return Table(
        id="steelwork_details",
        title="Weld details by EN 1993-1-9",
        columns=(
            left("member", "Member"),
            _number("s", "Place", "m"),
            _number("category", "Category", "MPa"),
            _number("range", "Largest range", "MPa"),
            _number("equivalent", "Equivalent", "MPa"),
            _number("damage_a_ride", "Damage a ride"),
            _number("life", "Life used", "%"),
            *(Column(key=f"point_{axis}", title=axis, unit="m", group="Fibre") for axis in "xyz"),
        ),
        rows=tuple(
            (
                text(one.name),
                fixed(one.s, 1),
                fixed(one.category / 1e6, 0),
                fixed(one.fatigue.largest / 1e6, 1),
                fixed(one.fatigue.equivalent / 1e6, 1),
                figures(one.fatigue.damage, 3),
                figures(100.0 * one.share, 3, "outside" if one.share > 1.0 else "inside"),
                *(fixed(value, 2) for value in one.point),
            )
            for one in found.lives
        ),
        printed_rows=PRINTED,
        beyond=_beyond(len(found.lives)),
        note=f"Of {rules.rides:,.0f} rides, with a partial factor of {rules.partial:g} on the strength. Equivalent: the"
        " range that would do the same damage once a ride. Which category a detail has depends on its weld, which is"
        " not drawn here.",
    )


def _footings(found: SteelAnswer) -> Table:
    ranked = sorted(found.footings, key=lambda one: -one.most[2])
    rows = []
    for one in ranked:
        rows.append(
            (
                text(one.name),
                *(fixed(value, 2) for value in one.place),
                fixed(one.dead[2] / 1e3, 1),
                fixed(one.least[2] / 1e3, 1),
                fixed(one.most[2] / 1e3, 1),
                fixed(one.aside / 1e3, 1),
                fixed(one.moment / 1e3, 1),
                fixed(one.time, 2),
                fixed(one.train, 1),
            )
        )
    return Table(
        id="steelwork_footings",
        title="Footings under weight and train, without factors",
        columns=(
            left("footing", "Footing"),
            *(_number(key, key, "m", group="Place") for key in "xyz"),
            _number("weight", "Weight", "kN", group="Down"),
            _number("least", "Least", "kN", group="Down"),
            _number("most", "Most", "kN", group="Down"),
            _number("aside", "Aside", "kN"),
            _number("moment", "Moment", "kN m"),
            _number("time", "Time", "s"),
            _number("train", "Train at", "m"),
        ),
        rows=tuple(rows),
        printed_rows=PRINTED,
        beyond=_beyond(len(rows)),
        note="What the footing presses on the ground with. Aside and moment: a bound, the resultant of the extremes in"
        " both directions, which need not come at once. Time and train: of the largest load down.",
    )


def _reactions(found: SteelAnswer) -> Table:
    """Every component of every footing, without factors and in every combination; not on paper."""
    every = [
        (RUN, np.array([one.least for one in found.footings]), np.array([one.most for one in found.footings]))
    ]
    if found.checks is not None:
        every += [(one.combination.name, one.least, one.most) for one in found.checks.combinations]
    rows = [
        (
            text(name),
            text(foot.name),
            *(fixed(value, 3) for value in foot.place),
            fixed(foot.s, 2),
            *(fixed(float(value), 1) for value in (*least[k], *most[k])),
        )
        for name, least, most in every
        for k, foot in enumerate(found.frame.footings)
    ]
    return Table(
        id="steelwork_reactions",
        title="Reactions of all footings in every combination",
        printed=False,
        columns=(
            left("combination", "Combination"),
            left("footing", "Footing"),
            *(_number(f"place_{key}", key, "m", group="Place") for key in "xyz"),
            _number("s", "Along the track", "m"),
            *(
                _number(f"{kind}_{key}", title, key.rsplit("_", 1)[1].replace("Nm", "N m"), kind.capitalize())
                for kind in ("least", "most")
                for key, title in zip(FOOTING_COLUMNS, PRESSED, strict=True)
            ),
        ),
        rows=tuple(rows),
        note="Forces on the ground in world axes, downwards positive; moments about the axes through the footing.",
    )
