"""What restraints bear in a run, and what class is compared with the loads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_restraint
from ridewright.core.model.person import Person
from ridewright.core.outcome.restraint_loads import restraint_findings, restraint_loads
from ridewright.core.outcome.rider_view import as_seated
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

WEIGHT = 70.0 * 9.81
HUNG = Person(
    stature=1.75, mass=70.0, held=False, neck="braced", trunk="braced", legs="braced", arms="braced", hinges=True
)  # fmt: skip


def hanging(holds: float, seconds: float = 0.5) -> Results:
    """A man upside down in the seat of a frisbee, held by its restraint alone."""
    over = (0.0, 1.0, 0.0, 0.0)  # half a turn about x
    base = Body(
        name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 3.0), orientation=over,
    )  # fmt: skip
    fixed = Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base", point_i=(0.0, 0.0, 3.0))
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,), joints=(fixed,),
        seats=(Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0)),),
    )  # fmt: skip
    project = Project(name="Hanging", scenario=Rig(assembly=rig, duration=seconds))
    made = load_restraint("over_the_shoulder").model_copy(update={"holds": holds, "teeth": 0, "play": 0.0})
    project = put_seat(project, (), "Seat", "frisbee", made)
    return simulate(make_rider(project, (), HUNG)[0])


@pytest.fixture(scope="module")
def run() -> Results:
    return hanging(300.0)


def test_that_a_restraint_bears_who_hangs_in_it(run: Results) -> None:
    (one,) = restraint_loads(run)
    assert one.seats == ("Seat",)
    assert one.word == "Over-the-shoulder restraint"
    # the sum of the sizes of forces that are not parallel is no less than the weight, once the fall is caught
    assert one.load[-20:].mean() > 0.5 * WEIGHT


def test_that_a_load_beyond_its_lock_is_a_finding_with_its_time(run: Results) -> None:
    (one,) = restraint_loads(run)
    (found,) = restraint_findings(run)
    k = int(np.argmax(one.load))
    assert found.value == pytest.approx(one.load[k])
    assert found.time == run.states.time[k]
    assert "more than the 300 N that its lock is trusted with" in found.message
    assert found.where.path[:4] == ("scenario", "assembly", "seats", "Seat")
    data = dict(run.provenance["project"])
    data["scenario"]["assembly"]["seats"][0]["restraint"]["holds"] = 1e6
    assert restraint_findings(replace(run, provenance={**run.provenance, "project": data})) == ()


def test_that_the_class_is_that_of_the_seat_unless_one_is_given(run: Results) -> None:
    assert as_seated(run, "Rider", None).restraint_class == 5
    assert as_seated(run, "Seat", None).restraint_class == 5
    given = EvaluationOptions(restraint_class=2)
    assert as_seated(run, "Rider", given) == given
    assert as_seated(run, "Somebody", None).restraint_class is None
