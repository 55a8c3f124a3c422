"""Method and settings, and the figures that say how far the run can be trusted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...base.fields import DIMENSIONLESS, specs_of
from ...charts.quality import SMALLEST, quality_recipes, residual_ratio
from ...charts.recipe import charts_of
from ...outcome.headline import losses_text
from ...outcome.run_check import check_run
from ...outcome.summary import EnergySummary, energy_summary
from ...project.scenario import Ride, SolverSettings
from .. import cells
from ..book import Book
from ..cells import count, entry, figures, fixed, left, text
from ..document import Block, Cell, Entry, Facts, Section, Table, Text
from ..figures.canvas import Drawing
from ..figures.paper import paper
from ..run_view import RunView

BODIES = "a system of rigid bodies in Cartesian coordinates with Euler parameters"
TRAIN = (
    f"The train is {BODIES}. Its wheels follow the two rails, each a curve with an arc length of its own, by "
    "constraints; joints are constraints too. Springs, dampers and stops are force elements."
)
RIG = f"The mechanism is {BODIES}; joints are constraints. Springs, dampers and stops are force elements."
FLEXIBLE = (
    "A flexible body has modal coordinates in a floating frame, with the inertia of bending and, where it is known, "
    "geometric stiffening."
)
RIDERS = "Every rider is a mechanism of segments on a seat."
IMPLICIT = (
    "The equations of motion are integrated by the implicit generalised-alpha method of second order, and where the "
    "motion is smooth by backward differentiation of order 4, with a step that follows the estimated error; "
    "constraints are kept at position and at velocity level in every step."
)
OTHER = "The equations of motion are integrated by the method and in the formulation given in the settings."
SIGNALS = (
    "What a rider feels is the specific force at the centre of mass of a segment, divided by g, in rider axes: +Gx "
    "forward, +Gy to the left, +Gz up along the body; at rest +Gz is 1. Gravity is in. Between stored steps the motion "
    "is interpolated by cubics. Each criterion names the filter of its signal."
)


def method_section(view: RunView) -> Section:
    """How the run was computed."""
    settings = view.project.settings
    top = view.project.assembly
    words = [
        TRAIN if isinstance(view.project.scenario, Ride) else RIG,
        FLEXIBLE if view.results.names.flexible else "",
        RIDERS if view.riders else "",
        IMPLICIT if settings.method == "generalized_alpha" else OTHER,
    ]
    felt = view.riders or (top is not None and top.every("seat"))
    blocks: tuple[Block, ...] = (
        Text(text=" ".join(filter(None, words))),
        *((Text(text=SIGNALS),) if felt else ()),
        _scenario(view),
        _settings(settings),
    )
    return Section(id="method", title="Method and settings", page=True, blocks=blocks)


def _scenario(view: RunView) -> Facts:
    scenario, results = view.project.scenario, view.results
    gravity = sum(x * x for x in view.project.gravity) ** 0.5
    entries: list[Entry] = [entry("Gravity", fixed(gravity, 3), "m/s²")]
    if isinstance(scenario, Ride):
        speed = results.provenance.get("start_speed")
        entries += [
            entry("Start at s", fixed(scenario.start, 2), "m"),
            entry("Start speed", fixed(speed if isinstance(speed, float) else None, 3), "m/s"),
            entry(
                "Start speed is",
                text(_speed_from(view)),
            ),
            entry("Start state", text("settled on its springs" if scenario.settled else "as drawn")),
        ]
        if scenario.end_place is not None:
            entries.append(entry("Ends at s", fixed(scenario.end_place, 2), "m"))
    entries.append(entry("Losses", text(losses_text(view.project)[0])))
    if scenario.duration is not None:
        entries.append(entry("Ends at t", fixed(scenario.duration, 2), "s"))
    return Facts(id="scenario", entries=tuple(entries))


def _speed_from(view: RunView) -> str:
    """Where the start speed of a ride comes from, in words."""
    scenario = view.project.scenario
    if isinstance(scenario, Ride) and scenario.speed is not None:
        return "given"
    device = view.results.provenance.get("start_device")
    return f"that of '{device}'" if isinstance(device, str) else "solved for the highest point"


def _settings(settings: SolverSettings) -> Table:
    rows = []
    for spec in specs_of(SolverSettings):
        if not spec.applies(settings):
            continue
        value = getattr(settings, spec.name)
        if isinstance(value, int | float):
            cell = figures(float(value))
        else:
            cell = text(spec.empty if value is None else spec.words.get(value, value))
        rows.append((text(spec.title), cell, text("" if spec.unit == DIMENSIONLESS else spec.unit)))
    return Table(
        id="settings",
        title="Settings of the solver",
        columns=(left("setting", "Setting", 1.0), left("value", "Value"), left("unit", "Unit")),
        rows=tuple(rows),
        note="Settings that have no effect with the method chosen are left out.",
    )


def quality_section(view: RunView, book: Book) -> Section:
    """Verification figures of the run, energy and constraint quality."""
    energy = energy_summary(view.results)
    drawn = (
        book.figure(
            "energy",
            "Energies and the residual of the ledger",
            "The residual is what the numerics gained or lost: it is zero in exact arithmetic.",
            _energy(view, energy.reference, energy.reference_is),
        ),
        book.figure(
            "violations",
            "Constraint violations",
            "Peaks of short stretches. Zero is shown at the smallest number a double tells apart from one.",
            paper(
                charts_of(view.signals, quality_recipes([view.results])[3:]),
                7.5,
                heights=(1.2, 1.0),
                left=1.6,
                top=0.7,
            ),
        ),
    )
    return Section(
        id="quality",
        title="Energy and constraint quality",
        page=True,
        blocks=(_trust(view), verification_facts(view, energy), *drawn),
    )


def _trust(view: RunView) -> Text:
    """What the run's own numbers say against it."""
    found = check_run(view.results, view.project.settings)
    if not found:
        return Text(
            text="The energy ledger closes and the constraints hold: nothing speaks against the figures of the run."
        )
    doubts = " ".join(finding.message for finding in found)
    return Text(text=f"The figures of this run are doubtful. {doubts}", tone="outside")


def verification_facts(view: RunView, energy: EnergySummary) -> Facts:
    """Size of the model, steps, energy drift and violations."""
    results, size = view.results, view.results.size
    solver: dict[str, Any] = results.provenance.get("solver") or {}
    off, residual = results.violations, abs(energy.residual.value)

    def lost(term: str) -> tuple[Cell, str]:
        return cells.energy(energy.end[term] - energy.start[term], residual)

    def steps(key: str) -> tuple[Entry, ...]:
        value = solver.get(key)
        return (entry(f"Steps {key}", count(value)),) if isinstance(value, int) else ()

    entries = (
        entry("Bodies", count(size.bodies)),
        entry("Degrees of freedom", count(size.degrees_of_freedom)),
        entry("Coordinates", count(size.coordinates)),
        entry("Constraint rows", count(size.rows)),
        entry("Rank of the constraints", count(size.rank)),
        entry("Redundant rows", count(len(size.redundant))),
        *steps("accepted"),
        *steps("rejected"),
        entry("Stored instants", count(len(results.states.time))),
        entry("Samples of the signals", count(len(results.sample_time))),
        entry("Energy at the start, kinetic", *cells.energy(energy.start["kinetic"], residual)),
        entry("Lost in dampers and stops", *lost("dissipated")),
        entry("Lost to drag", *lost("drag")),
        entry("Largest residual of the ledger", *cells.energy(residual, 0.1 * residual)),
        entry(f"Residual over {energy.reference_is}", figures(energy.drift, 2)),
        entry("Largest violation, joints", figures(float(off.joints.max()), 2), "m, rad"),
        entry("Largest violation, guides", figures(float(off.guides.max()), 2), "m, rad"),
        entry("Largest violation, velocity", figures(float(off.velocity.max()), 2), "m/s, rad/s"),
    )
    return Facts(id="verification", entries=entries)


def _energy(view: RunView, reference: float, reference_is: str) -> Drawing:
    """Energies of the system, what was lost and put in, and the residual of the ledger over a reference (J), as SVG."""
    *ledger, residual = charts_of(view.signals, quality_recipes([view.results])[:3])
    largest = float(np.abs(view.results.energy.residual).max()) / (reference or 1.0)
    power = int(np.floor(np.log10(max(largest, SMALLEST))))
    ratio = residual_ratio(residual, reference, reference_is, power)
    if power:
        ratio = replace(ratio, y=replace(ratio.y, quantity=f"ratio / 10{cells.raised(power)}"))
    heights = (3.0, 2.5, 2.0) if len(ledger) == 2 else (3.0, 2.0)
    return paper([*ledger, ratio], 9.2, heights=heights, left=1.6, top=0.7, gap=0.85)
