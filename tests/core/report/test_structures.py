"""Flexible bodies in the report: the figures of its tables are those of the run's stress; what has none is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from ridewright.core.model.bodies import Body
from ridewright.core.model.flexible import Interface
from ridewright.core.model.joints import Joint
from ridewright.core.outcome.deflection import deflection
from ridewright.core.outcome.load_ranges import load_ranges
from ridewright.core.outcome.reduction_error import reduction_error
from ridewright.core.outcome.rigid import rigid_run
from ridewright.core.outcome.stress import WITHOUT_ELEMENTS, stress_of
from ridewright.core.outcome.stress_life import planned, spot_lives
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.document import Facts, Figure, Section, Table, Text
from ridewright.core.report.parts.structure_part import SPOTS, structure_section
from ridewright.core.report.run_view import RunView
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.core.solver.flexible_rigs import bent, rig, slender


@pytest.fixture(scope="module")
def arm() -> tuple[Project, Results]:
    """A free arm of two beams with a hub at one end, which turns, and a head at the other."""
    project = bent(duration=0.2)
    return project, simulate(project)


def section_of(project: Project, results: Results) -> tuple[Section, Book]:
    book = Book(ReportOptions(date="2026-01-01"))
    made = structure_section(RunView(project, results), book)
    assert made is not None
    (one,) = made.sections
    return one, book


def of_kind(section: Section, kind: type) -> dict[str, object]:
    return {block.id: block for block in section.blocks if isinstance(block, kind)}


def test_that_the_report_has_hot_spots_modes_load_cases_and_pictures_of_a_flexible_body(
    arm: tuple[Project, Results],
) -> None:
    section, book = section_of(*arm)
    (stress,) = stress_of(arm[1])
    found = stress.superposition.envelope(stress.modal)
    tables = of_kind(section, Table)
    spots = tables["hot_spots_1"]
    assert isinstance(spots, Table)
    largest = [row[3].value for row in spots.rows]
    assert len(largest) == SPOTS
    assert largest[0] == pytest.approx(found.worst.max() / 1e6)
    assert largest == sorted(largest, reverse=True)
    cases = tables["load_cases_1"]
    assert isinstance(cases, Table)
    pairs = [("root", "tip"), ("tip", "root")]
    assert [(row[1].text, row[2].text) for row in cases.rows] == pairs * 2
    rigid = rigid_run(arm[1])
    of = {"As run": None, "Rigid": rigid}
    for row in cases.rows:
        case = stress.cases(row[1].text, row[2].text, rigid=of[row[0].text])
        assert row[-1].value == pytest.approx(case.worst.max() / found.worst.max())
    assert len(spots.columns) == 7 + 4
    lives = tables["lives_1"]
    assert isinstance(lives, Table)
    plan = planned(arm[1])
    worst = spot_lives(stress, plan.detail, plan.rides)[0]
    assert lives.rows[0][-1].value == pytest.approx(100.0 * worst.share)
    assert lives.rows[0][2].value == pytest.approx(worst.fatigue.largest / 1e6)
    reduction = tables["reduction_1"]
    assert isinstance(reduction, Table)
    for row, mode in zip(reduction.rows, reduction_error(stress.flexible, "root"), strict=True):
        assert [cell.value for cell in row[1:5]] == pytest.approx(
            [mode.reduced, mode.whole, 100.0 * mode.error, mode.assurance]
        )
    modes = tables["modes_1"]
    assert isinstance(modes, Table)
    made = stress.flexible.floating
    energy = 0.5 * made.stiffness * abs(stress.modal).max(axis=0) ** 2
    k = int(energy.argmax())
    row = next(row for row in modes.rows if row[0].value == k + 1)
    assert row[3].value == pytest.approx(energy[k])
    figures = of_kind(section, Figure)
    assert {one.file for one in figures.values()} == set(book.files)  # type: ignore[attr-defined]
    assert set(figures) == {
        f"structure_1_{what}"
        for what in (
            "cases",
            "deflection",
            "envelope",
            "forces",
            "history",
            "ranges",
        )
    }
    facts = of_kind(section, Facts)["structure_1_facts"]
    assert isinstance(facts, Facts)
    told = {one.label: one.cell.text for one in facts.entries}
    assert told["Made of"] == "2 beams"
    assert told["Interfaces"] == "root, tip"
    bent = deflection(stress)
    (largest,) = [one.cell.value for one in facts.entries if one.label == "Largest turn of an interface"]
    assert largest == pytest.approx(1e3 * bent.turn)
    assert bent.words in [block.text for block in section.blocks if isinstance(block, Text)]


def test_that_a_structure_of_which_no_stress_is_known_says_so() -> None:
    pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")
    from ridewright.core.structure.solids import Material
    from tests.core.solver.solid_rigs import bar_solid, solid_bar

    solid = bar_solid("hexahedron20", (6, 1, 1), (1.0, 0.05, 0.05), Material())
    light = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
    ends = tuple(
        Body(name=name, position=(x, 0.0, 0.0), velocity=(0.0, x, 0.0), angular_velocity=(0.0, 0.0, 1.0), **light)
        for name, x in (("hub", 0.0), ("end", 1.0))
    )  # fmt: skip
    beam = solid_bar(solid, ("hub", "end"), modes=2)
    assert beam.imported is not None
    frames = tuple(frame.model_copy(update={"stiffened": ()}) for frame in beam.imported.frames)
    bare = beam.imported.model_copy(update={"surface": None, "stiffened": (), "frames": frames})
    matrices = beam.model_copy(update={"imported": bare})
    for body, stressed in ((beam, True), (matrices, False)):
        project = rig(ends, body, duration=0.05)  # type: ignore[arg-type]
        section, book = section_of(project, simulate(project))
        assert ("hot_spots_1" in of_kind(section, Table)) is stressed
        assert ("structure_1_envelope.svg" in book.files) is stressed
        said = [block.text for block in section.blocks if isinstance(block, Text)]
        assert any(WITHOUT_ELEMENTS in text for text in said) is not stressed


def test_that_the_report_says_where_rigid_forces_are_not_known() -> None:
    """A beam between the ground and a block that is fixed to the ground, too."""
    beam = slender(
        1.0, 1.0, 1.0, 4e6, (Interface(node="root", body="ground"), Interface(node="tip", body="block"))
    )
    block = Body(name="block", mass=1.0, inertia=(1.0,) * 3, position=(1.0, 0.0, 0.0))
    loose = Body(name="loose", mass=1.0, inertia=(1.0,) * 3, position=(3.0, 0.0, 0.0))
    fixed = Joint(name="foot", kind="rigid", body_i="ground", body_j="block", point_i=(1.0, 0.0, 0.0))
    project = rig((block, loose), beam, (fixed,), duration=0.02, gravity=(0.0, 0.0, -9.81))
    made = structure_section(RunView(project, simulate(project)), Book(ReportOptions(date="2026-01-01")))
    assert made is not None
    (said,) = made.blocks
    assert isinstance(said, Text)
    assert "held by 6 constraints more" in said.text


def test_that_load_ranges_are_those_of_the_standard() -> None:
    """The example of ASTM E1049-85, figure 6: 3, 4, 6, 8, 9 half, one and a half, half, one, half times."""
    edges, cycles = load_ranges(np.array([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]), bins=9)
    assert edges == pytest.approx(np.arange(1.0, 10.0))
    assert cycles.tolist() == [0.0, 0.0, 0.5, 1.5, 0.0, 0.5, 0.0, 1.0, 0.5]
    assert len(load_ranges(np.full(5, 2.0))[0]) == 0


def test_that_a_run_without_flexible_bodies_has_no_such_part(tmp_path: Path) -> None:
    project = load_example("planar_pendulum")
    short = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.1})})
    assert structure_section(RunView(short, simulate(short)), Book(ReportOptions(date="2026-01-01"))) is None
