"""What the tolerance does to criteria and stresses of the examples: the loosest that holds is the default."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import with_wrist_ankle_stiffness
from ridewright.core.outcome.seats import judge_run
from ridewright.core.outcome.stress import stress_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.run.simulate import simulate
from tests.benchmarks import measure

#: Riders and seats that are judged, and bodies whose stress is known, each with the settings it is held against.
EXAMPLES: dict[str, dict[str, float]] = {
    "looping_star": {"tolerance": 1e-8},
    "gatekeeper": {"tolerance": 1e-8},
    "pirate_ship": {"tolerance": 1e-7, "max_step": 2.5e-3},
    "frisbee": {"tolerance": 1e-7, "max_step": 2.5e-3},
    "swing_beam": {"tolerance": 1e-7},
    "swing_driven": {"tolerance": 1e-7},
}
TOLERANCES = (1e-4, 5e-5, 2e-5, 1e-5)
MARGIN = 1e-3  # of the limit that a criterion may be off by
STRESS = 0.02  # of its largest value that the stress of a hot spot may be off by
HOTTEST = 8  # spots of a body that are looked at


@dataclass(frozen=True)
class Found:
    """One run: CPU seconds, accepted steps, margin and verdict of every criterion that has a limit, and the largest von
    Mises stress (Pa) of every spot of each flexible body."""

    cpu: float
    steps: int
    margins: dict[tuple[str, str, str], tuple[float, str]]
    stress: dict[str, np.ndarray]


def with_held(at: Assembly) -> Assembly:
    """An assembly whose riders hold their hands and feet, as those that the program seats do."""
    children = tuple(with_held(child) for child in at.children)
    made = at.model_copy(update={"children": children})
    return with_wrist_ankle_stiffness(made) if made.role == "rider" else made


def projects() -> Iterator[tuple[str, Project, dict[str, float]]]:
    """What is run: title, project, and settings it is held against; rides also with riders whose hands do not whirl."""
    for name, tight in EXAMPLES.items():
        project = load_example(name)
        yield name, project, tight
        if project.train is not None:
            yield f"{name}, hands held", project.model_copy(update={"train": with_held(project.train)}), tight


def found_at(project: Project, **changes: float) -> Found:
    """What a project's run says with settings changed."""
    settings = project.settings.model_copy(update={**changes, "fixed_step": None})
    begun = time.process_time()
    run = simulate(project.model_copy(update={"settings": settings}))
    cpu = time.process_time() - begun
    rows = judge_run(run, project.evaluation).rows
    margins = {
        row.key: (row.result.margin, row.result.verdict) for row in rows if row.result.margin is not None
    }
    bodies = [one for one in (stress_of(run) if run.names.flexible else ()) if one.known]
    stress = {one.flexible.name: np.asarray(one.superposition.envelope(one.modal).worst) for one in bodies}
    return Found(cpu, run.provenance["solver"]["accepted"], margins, stress)


def apart(run: Found, judge: Found) -> tuple[float, float, int]:
    """By how much the margins (parts of the limit) and the stresses of the hottest spots (parts of their largest) are
    off, and how many verdicts are others."""
    margins = [abs(run.margins[key][0] - margin) for key, (margin, _) in judge.margins.items()]
    others = sum(run.margins[key][1] != verdict for key, (_, verdict) in judge.margins.items())
    stress = []
    for body, there in judge.stress.items():
        hot = np.argsort(-there, kind="stable")[:HOTTEST]
        stress.append(float((np.abs(run.stress[body] - there)[hot] / there[hot]).max()))
    return max(margins, default=0.0), max(stress, default=0.0), others


def main() -> None:
    """Print and store how far the examples are off at each tolerance; goals for the default."""
    rows = []
    for name, project, tight in projects():
        judge = found_at(project, **tight)
        for tolerance in TOLERANCES:
            run = found_at(project, tolerance=tolerance)
            margin, stress, others = apart(run, judge)
            rows.append((name, tolerance, run.steps, run.cpu, 100.0 * margin, 100.0 * stress, others))
    header = (
        "example",
        "tolerance",
        "steps",
        "CPU s",
        "margin off by %",
        "stress off by %",
        "other verdicts",
    )
    print(measure.table(header, rows))
    default = SolverSettings().tolerance
    own = [row for row in rows if row[1] == default]
    margin, stress, others = (max(row[k] for row in own) for k in (4, 5, 6))
    goals = [
        measure.goal(
            f"criteria at {default:g} off by {100 * MARGIN:g} % of their limit at most: {margin:.3f}",
            margin <= 100.0 * MARGIN,
        ),
        measure.goal(
            f"stress off by {100 * STRESS:g} % at most: {stress:.2f}", stress <= 100.0 * STRESS
        ),
        measure.goal(f"every verdict the same ({others} others)", others == 0),
    ]  # fmt: skip
    measure.write("tolerance", {"header": header, "rows": rows, "goals": goals})
