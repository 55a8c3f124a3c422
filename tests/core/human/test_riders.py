"""Riders in a project: stored with what was asked for, made anew, detached by hand; and the command."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.cli import main
from ridewright.core.cli.set_fields import set_fields
from ridewright.core.edits import riders
from ridewright.core.edits.elements import (
    assembly_at,
    delete_element,
    element_at,
    rename_element,
    set_element,
)
from ridewright.core.edits.field_paths import set_field
from ridewright.core.edits.seats import put_seat
from ridewright.core.edits.train import move_rider
from ridewright.core.human import make
from ridewright.core.human.anthropometry import dummy, person_for
from ridewright.core.human.drawing import fans, silhouettes
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.forces import type_of
from ridewright.core.model.library import load_occupant
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project, parse_project, save_project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate

PATH = ("Car", "Rider")


@pytest.fixture(scope="module")
def seated() -> Project:
    project = delete_element(load_example("looping_star"), "assembly", PATH)
    return riders.make_rider(
        project, ("Car",), Person(mass=64.0, stature=1.66, sex="female", scaling="de_leva")
    )[0]


def test_that_a_rider_is_stored_as_asked_for_and_as_made(seated: Project, tmp_path: Path) -> None:
    save_project(seated, tmp_path / "a.ridewright")
    read = load_project(tmp_path / "a.ridewright")
    assert read == seated
    data = json.loads((tmp_path / "a.ridewright").read_text())
    rider = data["train"]["children"][0]["children"][0]
    assert rider["person"]["mass"] == 64.0
    # another generator would give another mass: the file rides with its own
    rider["bodies"][4]["mass"] += 0.25
    old = parse_project(data, "old")
    assert assembly_at(old, PATH).bodies[4].mass == pytest.approx(seated.train.at(PATH).bodies[4].mass + 0.25)
    told = riders.differences(assembly_at(old, PATH))
    assert len(told) == 1
    assert told[0].startswith("'Head': mass")
    assert riders.renew(old, PATH) == seated


def test_that_riders_of_before_are_written_without_a_word_more() -> None:
    text = load_example("looping_star").model_dump_json()
    assert "person" not in text


def test_that_the_thesis_rider_of_the_library_is_untouched() -> None:
    """Bit for bit: the digest of its file as it was before riders could be made."""
    file = resources.files("ridewright.resources") / "library" / "occupants" / "viegas2016.json"
    digest = "565aed3a9b80c41607a4156444239da809d76cec56eddcc78a019f816f4abccf"
    assert sha256(file.read_bytes()).hexdigest() == digest
    rider = load_occupant()
    assert len(rider.bodies) == 16
    assert rider.person is None
    assert riders.differences(rider) == ()


def test_that_editing_a_segment_or_a_joint_detaches_and_a_limit_does_not(seated: Project) -> None:
    for kind, name, fields in (
        ("body", "Head", {"mass": 5.0}),
        ("joint", "C1-Head", {"locked": True}),
    ):
        made = set_element(seated, kind, (*PATH, name), fields)
        assert assembly_at(made, PATH).person is None
        with pytest.raises(InputError, match="was not generated, or was edited by hand"):
            riders.set_person(made, PATH, {"mass": 70.0})
    made = set_element(seated, "force", (*PATH, "C1-Head range"), {"corner": 0.2})
    assert assembly_at(made, PATH).person is not None


def test_that_moving_and_renaming_a_rider_keeps_who_it_is(seated: Project) -> None:
    free = next(
        s.name for s in assembly_at(seated, ("Car",)).seats if s.name != assembly_at(seated, PATH).seat
    )
    moved, path = move_rider(seated, PATH, ("Car",), free)
    assert assembly_at(moved, path).person is not None
    named, path = rename_element(seated, "assembly", PATH, "Anna")
    assert assembly_at(named, path).person is not None
    assert riders.differences(assembly_at(named, path)) == ()


def test_that_another_size_keeps_limits_set_by_hand_and_make_anew_does_not(seated: Project) -> None:
    place = (*PATH, "Left knee range")
    by_hand = set_element(seated, "force", place, {"upper": (0.1, 1.2, 0.1)})
    heavier = riders.set_person(by_hand, PATH, {"mass": 90.0})
    assert assembly_at(heavier, PATH).mass() == pytest.approx(90.0)
    assert element_at(heavier, "force", place).upper == (0.1, 1.2, 0.1)
    plain = element_at(heavier, "force", (*PATH, "Right knee range"))
    before = element_at(seated, "force", (*PATH, "Right knee range"))
    assert plain.stiffness_beyond[0] / before.stiffness_beyond[0] == pytest.approx(90.0 / 64.0)
    renewed = riders.renew(heavier, PATH)
    assert element_at(renewed, "force", place).upper != (0.1, 1.2, 0.1)
    assert riders.set_person(seated, PATH, {}) == seated


def test_that_another_person_asked_for_by_a_field_is_made_anew(seated: Project) -> None:
    by_hand = set_element(seated, "force", (*PATH, "Left knee range"), {"upper": (0.1, 1.2, 0.1)})
    expected = riders.set_person(by_hand, PATH, {"mass": 90.0})
    field = "train.children.Car.children.Rider.person.mass"
    assert set_field(by_hand, field, 90.0) == expected
    assert set_fields(by_hand, ["train.children.0.children.0.person.mass=90"]) == expected
    longer = set_fields(by_hand, [f"scenario.duration={9.0}"])
    assert longer.train == by_hand.train


def test_that_a_field_is_named_on_the_command_line_as_in_a_study(seated: Project) -> None:
    """By the names of entries, and `*` for all that have the rest."""
    lighter = riders.set_person(seated, PATH, {"mass": 52.0})
    for path in ("train.children.Car.children.Rider", "train.children.*.children.*"):
        assert set_fields(seated, [f"{path}.person.mass=52"]) == lighter
    with pytest.raises(InputError, match="counted from 0; 'Cart' is none; their names are Car"):
        set_fields(seated, ["train.children.Cart.offset=1"])
    with pytest.raises(InputError, match="has no field 'weight'"):
        set_fields(seated, ["train.children.*.bodies.*.weight=1"])
    with pytest.raises(InputError, match="couplings is empty"):
        set_fields(seated, ["train.couplings.*.offset=1"])


def test_that_a_value_takes_the_place_of_its_percentile_and_an_age_makes_a_child(seated: Project) -> None:
    def person(**fields: object) -> Person:
        return assembly_at(riders.set_person(seated, PATH, fields), PATH).person

    assert person(mass_percentile="95").mass is None
    start = riders.set_person(seated, PATH, {"mass_percentile": "95", "stature_percentile": "5"})
    back = assembly_at(riders.set_person(start, PATH, {"mass": 70.0}), PATH).person
    assert (back.mass, back.mass_percentile, back.stature_percentile) == (70.0, "", "5")
    child = person(age=8.0, stature=None, mass=None)
    assert child.scaling == "child"
    assert (
        assembly_at(riders.set_person(seated, PATH, {"age": 8.0, "stature": None, "mass": None}), PATH).mass()
        < 40.0
    )


def test_that_a_stature_below_those_of_adults_makes_a_child_and_back(seated: Project) -> None:
    man = riders.set_person(
        seated, PATH, {"sex": "male", "scaling": "regression", "stature": 1.5, "mass": 60.0}
    )
    small = riders.set_person(man, PATH, {"stature": 1.2})
    child = assembly_at(small, PATH)
    assert (child.person.scaling, child.person.mass) == ("child", None)
    assert child.mass() == pytest.approx(23.3, abs=0.5)  # NHANES, boys of 1.20 m
    heavy = assembly_at(riders.set_person(man, PATH, {"stature": 1.2, "mass": 30.0}), PATH)
    assert (heavy.person.scaling, heavy.mass()) == ("child", pytest.approx(30.0))
    # within its range a child stays a child, above it grows up
    taller = riders.set_person(small, PATH, {"stature": 1.7})
    assert assembly_at(taller, PATH).person.scaling == "child"
    grown = assembly_at(riders.set_person(taller, PATH, {"stature": 1.85}), PATH)
    assert grown.person.scaling == "regression"
    assert grown.mass() > 70.0
    with pytest.raises(InputError, match="use another scaling"):
        riders.set_person(man, PATH, {"stature": 2.3})
    with pytest.raises(InputError, match="use child proportions"):  # who asks for these proportions gets them
        riders.set_person(man, PATH, {"stature": 1.2, "scaling": "regression"})


def test_that_hinges_and_muscles_are_switches_of_the_person(seated: Project) -> None:
    made = riders.set_person(seated, PATH, {"hinges": True, "neck": "braced"})
    rider = assembly_at(made, PATH)
    assert {j.name for j in rider.joints if j.kind == "revolute"} == {
        f"{side} {name}" for side in ("Left", "Right") for name in ("elbow", "knee")
    }
    on = {f.name for f in rider.forces if f.kind == "posture_muscle" and f.enabled}
    assert on == {"T1-C7 muscle", "C1-Head muscle"}
    assert not any(f.enabled for f in assembly_at(seated, PATH).forces if f.kind == "posture_muscle")


@pytest.mark.parametrize("hinges", [False, True])
def test_that_generated_riders_ride_and_their_joints_stay_in_bounds(hinges: bool) -> None:
    """A limp body thrown about on a shaken seat for a second: energy is accounted for, joints hold, limits are met."""
    made = make.mechanism(Person(mass=80.0, stature=1.75, hinges=hinges))
    pelvis = next(b for b in made.bodies if b.name == "Pelvis")
    thrown = tuple(b.model_copy(update={"velocity": (2.0, 1.0, 0.5)}) for b in made.bodies)
    rig = Assembly(name="Rig", role="rig", bodies=thrown, joints=made.joints, forces=made.forces)
    assert pelvis.mass > 5.0
    project = Project(name="limp", gravity=(0.0, 3.0, -9.81), scenario=Rig(assembly=rig, duration=0.8))
    results = simulate(project)
    assert results.status.complete
    energy = results.energy
    assert np.abs(energy.residual).max() < 2e-3 * energy.kinetic.max()
    assert results.violations.joints.max() < 1e-6


def test_that_drawn_angles_lie_within_their_fans_and_silhouettes_are_projections() -> None:
    made = make.rider(person_for(1.71, 69.0), "Seat")
    found = fans(made)
    assert len(found) == 48  # three of each of sixteen balls
    assert not any(fan.outside for fan in found)
    for fan in found:
        if abs(fan.angle) > 1e-6:  # the other two are zero: the drawn direction is that of the angle
            assert fan.direction(fan.angle) == pytest.approx(fan.drawn, abs=1e-9)
    head = next(b for b in made.bodies if b.name == "Head")
    ((middle, moments),), ((centre, axes),) = silhouettes(
        [head.model_copy(update={"surfaces": (), "orientation": (1.0, 0.0, 0.0, 0.0)}), head], 0, 2
    )
    assert middle == pytest.approx(np.array(head.position)[[0, 2]])
    a, c = np.abs(moments).max(
        axis=0
    )  # without a skin: the solid ellipsoid with its moments, Iy = m (a^2 + c^2) / 5
    assert head.mass * (a**2 + c**2) / 5.0 == pytest.approx(head.inertia[1])
    skin = head.surfaces[0]
    assert np.sort(np.linalg.norm(axes, axis=1)) == pytest.approx(np.sort(np.array(skin.semi_axes)[[0, 2]]))
    assert centre == pytest.approx(np.array(head.position)[[0, 2]] + np.array(skin.position)[[0, 2]])


def test_that_limits_of_a_hinge_give_one_fan() -> None:
    made = make.rider(person_for(1.71, 69.0, hinges=True), "Seat")
    assert len(fans(made)) == 48 - 4 * 2


def test_that_no_muscle_acts_unless_asked_for() -> None:
    for key in ("5F", "H3-6"):
        made = make.rider(dummy(key), "Seat")
        muscles = [f for f in made.forces if type_of(f).word == "posture muscle"]
        assert len(muscles) == 16
        assert not any(f.enabled for f in muscles)


# -- the command


def test_that_the_command_prints_segments_and_writes_a_rider_that_opens(tmp_path: Path, capsys) -> None:
    out = tmp_path / "r.ridewright"
    assert main(["human", "--height", "1.80", "--mass", "80", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "mass of all: 80.000 kg" in shown
    assert len([line for line in shown.splitlines() if "Zatsiorsky" in line]) == 17
    rider = next(iter(load_project(out).assembly.riders))
    assert rider.mass() == pytest.approx(80.0)


def test_that_the_command_gives_json_with_sources(capsys) -> None:
    assert main(["human", "--sex", "female", "--percentile", "95", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["mass"]["value"] == 114.1
    assert {s["mass"]["kind"] for s in data["segments"]} <= {"measured", "inferred"}
    assert len(data["dimensions"]) > 20


def test_that_the_command_seats_a_rider_in_another_project(tmp_path: Path, capsys) -> None:
    start, out = tmp_path / "a.ridewright", tmp_path / "b.ridewright"
    save_project(delete_element(load_example("looping_star"), "assembly", PATH), start)
    assert main(["human", "--dummy", "95M", "--into", str(start), "--out", str(out)]) == 0
    assert assembly_at(load_project(out), PATH).person == dummy("95M")


def test_that_the_command_seats_somebody_free_in_the_place_of_who_sits_there(tmp_path: Path, capsys) -> None:
    start, out = tmp_path / "a.ridewright", tmp_path / "b.ridewright"
    save_project(put_seat(load_example("looping_star"), ("Car",), "Left seat", "sit_down"), start)
    asked = [
        "human",
        "--percentile",
        "50",
        "--free",
        "--muscles",
        "braced",
        "--into",
        str(start),
        "--out",
        str(out),
    ]
    assert main([*asked, "--on", "Car/Left seat"]) == 0
    (rider,) = assembly_at(load_project(out), ("Car",)).riders
    assert (rider.seat, rider.person.held, rider.person.trunk) == ("Left seat", False, "braced")
    assert main([*asked, "--on", "Car/Third seat"]) == 2
    assert "no seat 'Car/Third seat'; choose among Car/Left seat, Car/Right seat" in capsys.readouterr().err
    assert main(["human", "--percentile", "50", "--on", "Car/Left seat"]) == 2
    assert "--into" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--mass", "80"], "no stature"),
        (["--height", "1.8", "--mass", "-3"], "mass: must be larger than 2, found -3"),
        (["--height", "1.8", "--mass", "200"], "outside 40 to 140 kg"),
        (["--height", "1.1", "--mass", "18", "--scaling", "regression"], "use child proportions"),
        (["--age", "25"], "18"),
        (["--dummy", "50M", "--mass", "3"], "leave out --mass"),
        (["--dummy", "X"], "H3-3"),
        (["--height", "1.8", "--mass", "80", "--into", "x"], "needs --out"),
    ],
)
def test_that_the_command_refuses_in_one_sentence(arguments: list[str], words: str, capsys) -> None:
    assert main(["human", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
