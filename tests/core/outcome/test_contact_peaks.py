"""What contacts did to a head: a man who falls back onto his headrest."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.injury.criteria.hic import hic
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.outputs import SLIPS
from ridewright.core.model.person import Person
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.contact_sums import contact_sums
from ridewright.core.multibody.force_kernels import Z_NOW, forces
from ridewright.core.outcome.contact_peaks import ContactsOfRun, contact_peaks
from ridewright.core.outcome.contact_stiffness import half_and_twice, with_stiffness
from ridewright.core.outcome.rider_view import Judgement
from ridewright.core.project.project import Project, parse_project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.report.parts.contacts_part import contacts_section
from ridewright.core.report.run_view import RunView
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.neck import TO_SAE, neck_cuts, neck_load, outside_loads
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import engine, genalpha, integration
from ridewright.core.solver.motion import moved, ready
from ridewright.core.solver.written_step import new_log


@cache
def fallen(tolerance: float = 1e-5) -> Results:
    back = from_rotation_vector(np.array([0.0, -1.2, 0.0]))
    base = Body(
        name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0), orientation=tuple(back.tolist())
    )  # fmt: skip
    rig = Assembly(
        name="Rig", role="rig", bodies=(base,),
        joints=(Joint(name="Fixed", kind="rigid", body_i=GROUND, body_j="Base"),),
        seats=(Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0)),),
    )  # fmt: skip
    settings = SolverSettings(tolerance=tolerance)
    project = put_seat(
        Project(name="Fallen", scenario=Rig(assembly=rig, duration=0.3), settings=settings),
        (),
        "Seat",
        "sit_down",
    )
    man = Person(stature=1.75, mass=75.0, held=False, hinges=True)
    return simulate(make_rider(project, (), man)[0])


def test_that_each_contact_of_a_head_has_its_hic_and_the_peak_is_laid_to_it() -> None:
    run = fallen()
    view = RunView(parse_project(run.provenance["project"], "run"), run)
    found = contact_peaks(run, Judgement(tuple(view.judged)))
    (blow,) = found.blows
    assert blow.contact == "Headrest"
    assert blow.speed is not None
    assert blow.speed > 0.1
    inside = (run.sample_time >= blow.began) & (run.sample_time <= blow.ended)
    felt = np.linalg.norm(run.channels["rider/Rider/head/acceleration"].values, axis=1)
    assert blow.hic == pytest.approx(hic(run.sample_time[inside], felt[inside], 0.015).value)
    head = [peak for peak in found.peaks if peak.part == "head" and "3 ms" in peak.result.title]
    assert {peak.contact for peak in head} == {"Headrest"}
    assert all(peak.share > 0.25 and peak.met <= peak.result.time[1] for peak in head)
    assert found.pressed[0].thigh is not None
    section = contacts_section(view)
    assert section is not None
    assert {"contacts_heads", "contacts_pressed", "contacts_peaks"} <= {block.id for block in section.blocks}  # type: ignore[union-attr]


def test_that_a_blow_comes_to_a_value_as_the_tolerance_shrinks() -> None:
    """Of a whole man who falls onto his headrest: within 0.1 % at the usual tolerance, from 1e-4 to 1e-7."""
    told = {}
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7):
        found = contact_peaks(fallen(tolerance))
        (blow,) = found.blows
        told[tolerance] = np.array([blow.hic, blow.clip, blow.force, found.pressed[0].thigh])
    off = {tolerance: np.abs(values / told[1e-7] - 1.0) for tolerance, values in told.items()}
    assert off[1e-4].max() < 5e-3
    assert off[1e-5].max() < 1e-3
    assert off[1e-6].max() < 3e-4
    assert off[1e-6][0] < 0.5 * off[1e-5][0] < 0.25 * off[1e-4][0]


def test_that_what_contacts_do_to_all_bodies_together_is_nothing() -> None:
    """Newton's third law, of forces and of their moments about the origin, at every instant."""
    begun = ready(parse_project(fallen().provenance["project"], "run")).parts[0]
    S, W, nb = begun.system.arrays, begun.work, begun.system.bodies
    Y, P, log = begun.memory(), begun.limits(0.3), new_log(begun.system, 5000)
    loads, largest = np.zeros((nb + 1, 6)), 0.0
    while genalpha.advance(S, W, begun.factor, Y, P, log, np.zeros(0), 0, 1) != integration.FINISHED:
        contact_sums(W.touch, W.contact, W.A, W.r, np.arange(nb + 1), W.tmp, loads)
        turned = np.einsum("nij,nj->ni", W.A, loads[:, 3:]) + np.cross(W.r, loads[:, :3])
        largest = max(largest, np.abs(loads[:, :3]).max())
        assert np.abs(loads[:, :3].sum(axis=0)).max() < 1e-10 * max(largest, 1.0)
        assert np.abs(turned.sum(axis=0)).max() < 1e-10 * max(largest, 1.0)
    assert largest > 500.0


def test_that_a_step_is_written_with_loads_that_act_from_its_end_on() -> None:
    """Of contacts that were met within it, too: as a second evaluation finds them with what is remembered then."""
    begun = ready(parse_project(fallen().provenance["project"], "run")).parts[0]
    S, W, again = begun.system.arrays, begun.work, begun.system.new_work()
    Y, P, log = begun.memory(), begun.limits(0.3), new_log(begun.system, 5000)
    row, met = 0, 0
    while genalpha.advance(S, W, begun.factor, Y, P, log, np.zeros(0), 0, 1) != integration.FINISHED:
        constraints(S, again, log.t[row], log.r[row], log.p[row], log.L[row])
        again.memory[:], again.z[Z_NOW], again.z_step[0] = W.memory, log.z[row], 0.0
        forces(S, again, log.u[row], Y.l[integration.LAM])
        assert log.load[row] == pytest.approx(again.el[:, 2], rel=1e-9, abs=1e-7)
        assert log.energy[row, 2:].sum() == pytest.approx(again.el[:, 3].sum(), rel=1e-9)
        met += row > 0 and bool(np.any((log.load[row] != 0.0) & (log.load[row - 1] == 0.0)))
        row += 1
    assert met > 3


def test_that_the_neck_carries_what_a_blow_on_the_head_leaves_to_it() -> None:
    """m (a - g) of the head less the headrest's push, against the reaction of the joint; and the moment, which at a
    ball joint is that of its range of motion alone."""
    run = fallen()
    project = parse_project(run.provenance["project"], "run")
    states, names = moved(ready(project)).record[0], run.names
    system, cut = compile_system(project), neck_cuts(project)["Rider"]
    pushed = outside_loads([cut], system, states)[cut.rider]
    head = names.bodies.index("Rider/Head")
    force, moment = neck_load(cut, Sampler(states, states.time).body(head), np.array(project.gravity), pushed)
    joint = next(k for k, name in enumerate(names.joints) if name.endswith("C1-Head"))
    turn = rotation_matrix(states.orientation[:, head])
    carried = np.einsum("nji,nj->ni", turn, states.reactions[:, joint, :3]) * TO_SAE
    side = np.sign((carried * force).sum())  # which of its two bodies the joint names first
    assert np.abs(pushed[0]).max() > 100.0
    assert np.abs(pushed[1]).max() > 5.0
    assert force == pytest.approx(side * carried, abs=5e-3)
    limit = states.spring_force[:, names.springs.index("Rider/C1-Head range")]
    assert np.linalg.norm(moment, axis=1) == pytest.approx(np.abs(limit), abs=1e-3)
    assert np.abs(limit).max() > 0.5


def test_that_short_steps_to_a_touch_leave_no_jolt_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of nanoseconds end where surfaces meet. How accelerations change in them comes out as rounding; taken
    over to the next long step that jolted the head with 600 g."""
    monkeypatch.setattr(engine, "allow_light", lambda *_: None)  # every touch ends a step
    run = fallen.__wrapped__()
    steps = np.diff(run.states.time)
    assert steps.min() < 1e-4 * steps.max()
    head = run.names.bodies.index("Rider/Head")
    assert np.linalg.norm(run.states.acceleration[:, head], axis=-1).max() < 60.0


def test_that_light_touches_end_no_step_and_the_motion_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    run, time = fallen(), np.linspace(0.0, 0.3, 301)
    monkeypatch.setattr(engine, "allow_light", lambda *_: None)
    every = fallen.__wrapped__()
    assert len(run.states.time) < 0.6 * len(every.states.time)
    head = run.names.bodies.index("Rider/Head")
    places = [
        [np.interp(time, one.states.time, one.states.position[:, head, k]) for k in range(3)]
        for one in (run, every)
    ]
    assert np.abs(np.subtract(*places)).max() < 1e-5  # m, the tolerance
    assert np.linalg.norm(run.states.acceleration[:, head], axis=-1).max() < 60.0


def test_that_one_contact_alone_is_made_softer() -> None:
    run = fallen()
    assert set(ContactsOfRun(run).of("Rider/Head")) == {"Headrest"}
    project = parse_project(run.provenance["project"], "run")
    for contact, changed in (("Headrest", "headrest"), ("Lap bar", "restraint")):
        made = with_stiffness(project, run, "Rider", contact, 0.5)
        (before,), (after,) = project.assembly.seats, made.assembly.seats
        soft = {part.kind: part.padding.stiffness for part in after.shape.parts}
        hard = {part.kind: part.padding.stiffness for part in before.shape.parts}
        soft["restraint"], hard["restraint"] = (
            after.restraint.padding.stiffness,
            before.restraint.padding.stiffness,
        )
        assert {kind for kind, value in soft.items() if value != hard[kind]} == {changed}
        assert soft[changed] == 0.5 * hard[changed]


def test_that_a_stiffer_headrest_gives_a_harder_blow() -> None:
    """In `make nightly`: the verdict is told beside the ones with the contact half and twice as stiff."""
    run = fallen()
    peaks = [p for p in contact_peaks(run).peaks if p.part == "head" and p.result.title.startswith("HIC15")]
    (one,) = half_and_twice(run, peaks)
    assert one.half is not None
    assert one.twice is not None
    assert one.half.value < one.peak.result.value < one.twice.value
    assert one.sentence.endswith("the verdict stays")


class SimpleResults(SimpleNamespace):
    """What of results is read, and may be referred to weakly as these."""


def test_that_a_contact_is_known_by_its_whole_name() -> None:
    pairs = (
        "Touch: Rider/Head/Skull on Wall",
        "Other: Car/Rider/Head/Skull on Wall",
        "More: Wall 2 on Rider/Head/Skull",
    )
    springs = tuple(name for pair in pairs for name in (pair, pair + SLIPS))
    run = cast(Results, SimpleResults(names=SimpleNamespace(springs=springs), provenance={}))
    contacts = ContactsOfRun(run)
    assert contacts.of("Rider") == contacts.of("Rider/Head") == {"Wall": (0,), "Wall 2": (4,)}
    assert [contacts.ends[row][0] for row in contacts.of("Car/Rider")["Wall"]] == ["Other"]
