"""The worked optimisations of the guide, each made small: better than the design they begin with, and feasible."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")
pytest.importorskip("pymoo")

from ridewright.core.studies.engine import prepare
from ridewright.core.studies.one_run import Runner, beyond
from ridewright.core.studies.optimise import optimise
from ridewright.core.studies.repeat_run import project_of
from ridewright.core.studies.store import Store
from ridewright.core.studies.study import base_project, load_study
from ridewright.core.studies.vary import with_values

STUDIES = Path(str(resources.files("ridewright.resources"))) / "studies"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "population", "generations"),
    [("airtime_hill", 12, 6), ("gatekeeper_cant", 8, 3), ("suspension", 8, 2)],
)
def test_that_a_worked_study_finds_a_better_design(
    name: str, population: int, generations: int, tmp_path: Path, two_workers: Any
) -> None:
    study = load_study(STUDIES / f"{name}.study.toml")
    assert study.optimise is not None
    small = study.optimise.model_copy(update={"population": population, "generations": generations})
    study = study.model_copy(update={"optimise": small})
    base = base_project(study, STUDIES)
    assert base is not None
    assert study.start is not None
    prepare(study, base)
    store = Store.create(tmp_path / name, study, base)
    found = optimise(store, two_workers)
    assert found.start is not None
    begun = found.start.goals[0]

    # the design that is best in the first goal, ridden again from its values
    goal, sign = small.goals[0].name, -1.0 if small.goals[0].sense == "maximise" else 1.0
    best = min(found.designs, key=lambda design: sign * design.goals[0])
    again = Runner(study, base).run(best.values)
    assert again.state == "done"
    assert again.numbers[goal] == pytest.approx(best.goals[0], rel=1e-9)
    assert sign * again.numbers[goal] < sign * begun - 0.02 * abs(begun)
    assert beyond(small.constraints, again.numbers) == []
    assert project_of(store, best.run).track == with_values(study, base, best.values).track


@pytest.mark.parametrize("name", ["airtime_hill", "gatekeeper_cant", "suspension"])
def test_that_the_start_is_the_base_project(name: str) -> None:
    study = load_study(STUDIES / f"{name}.study.toml")
    base = base_project(study, STUDIES)
    assert base is not None
    assert study.start is not None
    made = with_values(study, base, study.start)
    assert (made.track, made.train) == (base.track, base.train)
