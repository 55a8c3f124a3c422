"""Bodies put on seats: closed on pan and back, within their joints, and told with numbers where they do not fit."""

from __future__ import annotations

import json
import math
import runpy
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.contact.shapes import ELLIPSOID
from ridewright.core.edits.elements import add_element, assembly_at, delete_element
from ridewright.core.edits.remaking import seat_shape
from ridewright.core.edits.riders import make_rider, pose_of, set_person
from ridewright.core.edits.seats import put_seat
from ridewright.core.edits.train import move_rider
from ridewright.core.human.adjusting import FINE, adjusted
from ridewright.core.human.closing import closed_on, restraint_misfits, skins_of
from ridewright.core.human.findings import seat_findings
from ridewright.core.human.fit import CLOSED, fit
from ridewright.core.human.joints import limits
from ridewright.core.human.make import rider
from ridewright.core.human.posture import base_name
from ridewright.core.human.seated import with_seats
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.library import list_library, load_restraint, load_seat
from ridewright.core.model.person import Person
from ridewright.core.model.restraints import Restraint
from ridewright.core.model.seats import SeatPart, SeatShape
from ridewright.core.model.solids import Solids
from ridewright.core.model.surfaces import Box, Capsule
from ridewright.core.multibody.contact_places import touching_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.track.build import build_track

LIBRARY = Path(__file__).parents[3] / "resources" / "library"
KEYS = tuple(entry.key for entry in list_library(("seat",)))
MAN = Person(stature_percentile="50", mass_percentile="50")
CHILD = Person(stature=1.0, scaling="child")


def random_bodies(count: int, seed: int) -> list[Person]:
    """Children of 0.9 to 1.5 m, women and men from small to large, thin to heavy."""
    rng, out = np.random.default_rng(seed), []
    while len(out) < count:
        sex = str(rng.choice(["female", "male"]))
        if rng.random() < 0.3:
            share = str(rng.choice(["5", "50", "95"]))
            person = Person(
                sex=sex, stature=float(rng.uniform(0.9, 1.5)), mass_percentile=share, scaling="child"
            )
        else:
            stature = float(rng.normal(1.76 if sex == "male" else 1.63, 0.07))
            mass = float(np.exp(rng.normal(3.3, 0.2)) * stature**2)
            person = Person(sex=sex, stature=stature, mass=mass, scaling="de_leva")
        try:
            rider(person, "Seat")
        except InputError:  # outside of what the tables are for
            continue
        out.append(person)
    return out


def place(
    person: Person, shape: SeatShape | None, restraint: Restraint | None = None
) -> tuple[Assembly, Seat]:
    """Somebody on a seat that stands alone."""
    seat = Seat(name="Seat", body="Base", position=(0.0, 0.0, 0.0), shape=shape, restraint=restraint)
    base = Body(name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
    holder = Assembly(
        name="Row", bodies=(base,), seats=(seat,), children=(rider(person, "Seat", shape=shape),)
    )
    return holder, seat


def lowest(made: Assembly, names: tuple[str, ...], way: np.ndarray) -> float:
    """The least coordinate along a direction of the skins of some segments."""
    found = []
    for half, at, axes in skins_of(b for b in made.bodies if base_name(b.name) in names):
        across = np.array(half) * (way @ np.array(axes).reshape(3, 3))
        found.append(float(way @ np.array(at)) - float(np.linalg.norm(across)))
    return min(found)


def check_fit(person: Person, key: str) -> None:
    """One body on one seat of the library: closed, within its joints, nothing deep in the seat, bar locked or told."""
    shape, usual = load_seat(key)
    made = fit(person, shape)
    assert made.closure <= CLOSED
    for joint, turned in made.turned.items():
        lower, upper = limits(joint)
        assert np.all(np.array(turned) >= np.array(lower) - 1e-9), (key, person, joint)
        assert np.all(np.array(turned) <= np.array(upper) + 1e-9), (key, person, joint)
    assert all(m.amount > 0.0 and math.isfinite(m.amount) and m.sentence for m in made.misfits)
    holder, seat = place(person, shape, load_restraint(usual))
    closed = closed_on(holder, seat)
    assert closed.gaps[0] >= -1e-9 or restraint_misfits(holder, seat)
    assert closed.gaps[0] < 0.05 or restraint_misfits(holder, seat)
    kinds = {m.kind for m in made.misfits}
    assert not kinds & {"no place", "head in the headrest"}


def test_that_the_committed_files_are_what_the_sizes_give() -> None:
    made = runpy.run_path(str(LIBRARY / "make_seats.py"))["make_files"]()
    assert {Path(name).stem for name in made if name.startswith("seats/")} == set(KEYS)
    for name, content in made.items():
        assert json.loads((LIBRARY / name).read_text(encoding="utf-8")) == content, name


@pytest.mark.parametrize("key", KEYS)
def test_that_an_average_man_touches_pan_and_back_and_is_in_neither(key: str) -> None:
    shape, _ = load_seat(key)
    made = rider(MAN, "Seat", shape=shape)
    for kind, axis, names in (("pan", 2, ("Pelvis", "Thigh")), ("back", 0, ("Pelvis", "Abdomen", "Thorax"))):
        box = shape.of(kind)[0].placed
        way = rotation_matrix(box.orientation)[:, axis]
        face = float(way @ np.array(box.position)) + box.half_sizes[axis]
        assert lowest(made, names, way) == pytest.approx(face, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_that_random_bodies_are_closed_or_told(key: str) -> None:
    for person in random_bodies(6, 34):
        check_fit(person, key)


@pytest.mark.parametrize("key", KEYS)
def test_that_a_thousand_random_bodies_are_closed_or_told(key: str) -> None:
    for person in random_bodies(1000, 35):
        check_fit(person, key)


def test_that_feet_reach_a_rest_or_are_told_by_how_much_they_do_not() -> None:
    shape, _ = load_seat("pirate_ship")
    assert not fit(MAN, shape).misfits
    (part,) = shape.of("foot_rest")
    top = part.placed.position[2] + part.placed.half_sizes[2]
    soles = lowest(rider(MAN, "Seat", shape=shape), ("Foot",), np.array([0.0, 0.0, 1.0]))
    assert soles == pytest.approx(top, abs=1e-6)
    (told,) = (m for m in fit(CHILD, shape).misfits if m.kind == "feet in the air")
    soles = lowest(rider(CHILD, "Seat", shape=shape), ("Foot",), np.array([0.0, 0.0, 1.0]))
    assert told.amount == pytest.approx(soles - top, abs=1e-9)
    assert f"{told.amount * 1000:.0f} mm above the foot rest" in told.sentence


def test_that_a_raised_rest_meets_the_child() -> None:
    shape, _ = load_seat("child")
    low = next(m for m in fit(CHILD, shape).misfits if m.kind == "feet in the air").amount
    raised = tuple(
        part.model_copy(update={"setting": 1.0}) if part.kind == "foot_rest" else part for part in shape.parts
    )
    high = shape.model_copy(update={"parts": raised})
    left = [m.amount for m in fit(CHILD, high).misfits if m.kind == "feet in the air"]
    assert low > 0.05
    assert not left or left[0] == pytest.approx(low - 0.1, abs=5e-3)


def test_that_hands_hold_their_grips() -> None:
    shape, _ = load_seat("viegas2016")
    made = rider(MAN, "Seat", shape=shape)
    for side, part in zip(("Left", "Right"), shape.of("hand_grip"), strict=True):
        ((half, at, _),) = skins_of(b for b in made.bodies if b.name == f"{side} Hand")
        # a grip seen from its middle: the hand is a hand's breadth away, and touches it
        assert np.linalg.norm(np.array(at) - part.placed.position) < max(half) + 0.08
    far = shape.model_copy(
        update={"parts": tuple(
            p.model_copy(update={"travel": (1.0, 0.0, 0.0), "setting": 1.0}) if p.kind == "hand_grip" else p
            for p in shape.parts
        )}
    )  # fmt: skip
    assert [m.kind for m in fit(MAN, far).misfits].count("hands do not reach") == 2


def test_that_what_was_turned_by_hand_stays() -> None:
    shape, _ = load_seat("frisbee")
    posed = MAN.model_copy(update={"pose": (("Left knee", (0.0, 0.3, 0.0)), ("C1-Head", (0.0, 0.2, 0.0)))})
    turned = fit(posed, shape).turned
    assert turned["Left knee"] == (0.0, 0.3, 0.0)
    assert turned["C1-Head"] == (0.0, 0.2, 0.0)
    assert turned["Right knee"][1] > 1.0


@pytest.mark.parametrize("key", KEYS)
def test_that_pads_lie_beside_neck_and_head_and_not_in_them(key: str) -> None:
    """Of who is closed in by them, which is what contact begins with: some millimetres of flesh are allowed."""
    shape, usual = load_seat(key)
    for person in (MAN, *random_bodies(8, 36)):
        holder, seat = place(person, shape, load_restraint(usual))
        assert seat.restraint is not None
        pads = Solids.of(seat.restraint.closed(closed_on(holder, seat).locked))
        beside = [b for b in holder.children[0].bodies if base_name(b.name) in ("Neck", "Head")]
        if seat.restraint.kind in ("over_shoulder", "vest"):
            kinds = [ELLIPSOID] * len(beside)
            found = skins_of(beside)
            skins = Solids(kinds, *([np.array(s[k]) for s in found] for k in (1, 2, 0)))
            assert pads.deepest(skins) < 5e-3, person


def test_that_a_bar_stops_its_play_and_less_than_a_tooth_from_the_body() -> None:
    shape, _ = load_seat("sit_down")
    bar = load_restraint("lap_bar")
    holder, seat = place(MAN, shape, bar)
    made = closed_on(holder, seat)
    arm = math.hypot(*(np.array(bar.pads[0].position) - bar.hinge)[[0, 2]])
    tooth = bar.turn / bar.teeth * arm
    assert bar.play <= made.gaps[0] < bar.play + tooth
    assert made.locked * bar.teeth == pytest.approx(round(made.locked * bar.teeth), abs=1e-9)
    smooth = bar.model_copy(update={"teeth": 0})
    holder, seat = place(MAN, shape, smooth)
    assert closed_on(holder, seat).gaps[0] == pytest.approx(bar.play, abs=1e-9)


def test_that_a_bar_that_meets_its_rider_too_early_cannot_close() -> None:
    shape, _ = load_seat("sit_down")
    huge = Person(stature=1.8, mass=190.0, scaling="de_leva")
    holder, seat = place(huge, shape, load_restraint("lap_bar"))
    (told,) = restraint_misfits(holder, seat)
    assert told.kind == "restraint open"
    assert "mm before its first lock" in told.sentence


def test_that_a_shared_bar_stops_at_the_largest_and_leaves_the_child_its_gap() -> None:
    shape, _ = load_seat("family_bench")
    bar = load_restraint("shared_lap_bar").model_copy(update={"shared": "Bar 1", "teeth": 0})
    seats = tuple(
        Seat(name=name, body="Base", position=(0.0, y, 0.0), shape=shape, restraint=bar)
        for name, y in (("A", 0.3), ("B", -0.3))
    )
    base = Body(name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
    who = (rider(MAN, "A", "Father", shape), rider(CHILD, "B", "Child", shape))
    row = Assembly(name="Row", bodies=(base,), seats=seats, children=who)
    alone = closed_on(row.model_copy(update={"children": who[:1]}), seats[0])
    both = closed_on(row, seats[1])
    assert both.locked == alone.locked
    assert both.gaps[0] == pytest.approx(bar.play, abs=1e-9)
    assert both.gaps[1] > 0.05
    (told,) = restraint_misfits(row, seats[1])
    assert told.amount == pytest.approx(both.gaps[1])
    assert "who sits beside" in told.sentence
    assert not restraint_misfits(row, seats[0])


def _seated(key: str, person: Person) -> tuple[Project, tuple[str, ...]]:
    project = load_example("straight")
    car = project.train.children[0]
    for one in car.riders:
        project = delete_element(project, "assembly", (car.name, one.name))
    seat = car.seats[0].name
    project = put_seat(project, (car.name,), seat, key)
    return make_rider(project, (car.name,), person, seat)


def test_that_a_rider_follows_seat_person_and_place(tmp_path: Path) -> None:
    project, path = _seated("sit_down", MAN)
    shape = seat_shape(project, path)
    assert shape is not None
    assert pose_of(assembly_at(project, path), shape) == fit(MAN, shape).turned
    smaller = set_person(project, path, {"stature": 1.6})
    person = assembly_at(smaller, path).person
    assert assembly_at(smaller, path).bodies == rider(person, "Seat", shape=shape).bodies
    car, seat = project.train.children[0], assembly_at(project, path).seat
    other = next(one.name for one in car.seats if one.name != seat)
    moved, there = move_rider(project, path, (car.name,), other)
    assert (
        assembly_at(moved, there).bodies == rider(MAN, other).bodies
    )  # that seat does not say what it is made of
    plain = put_seat(project, (car.name,), str(seat), "none", "none")
    assert assembly_at(plain, path).bodies == rider(MAN, str(seat)).bodies
    save_project(project, tmp_path / "a.ridewright")
    assert load_project(tmp_path / "a.ridewright") == project


def test_that_only_free_riders_get_contacts() -> None:
    held, _ = _seated("sit_down", MAN)
    assert with_seats(held.train) is held.train
    free, path = _seated("sit_down", MAN.model_copy(update={"held": False}))
    pairs = touching_of(free, build_track(free.track)).pairs
    for part in ("Pan", "Back", "Headrest", "Lap bar, bar"):
        assert any(f" {part}," in name for name in pairs), part
    pan = [pair for name, (pair, _) in pairs.items() if " Pan, " in name]
    assert len(pan) == 5  # pelvis, thighs, calves
    assert assembly_at(free, path[:-1]).forces == assembly_at(held, path[:-1]).forces


def test_that_misfits_are_findings_that_lead_to_the_rider() -> None:
    project, path = _seated("pirate_ship", CHILD)
    found = seat_findings(project.train)
    kinds = {one.kind for one in found}
    assert "feet in the air" in kinds
    assert all(one.where.path == ("train", "children", path[0], "children", path[1]) for one in found)
    fitted, _ = _seated("pirate_ship", MAN)
    assert seat_findings(fitted.train) == ()


def test_that_a_rider_whom_nothing_holds_is_told() -> None:
    """Neither a joint, nor a contact, nor a seat that says what it is made of."""
    loose = Person.model_validate({"stature_percentile": "50", "mass_percentile": "50", "held": False})
    project, _ = make_rider(load_example("straight"), ("Car",), loose, "Right seat")
    (told,) = seat_findings(project.train)
    assert told.kind == "nothing holds"
    assert "'Car/Rider 2' on 'Car/Right seat'" in told.message
    assert told.where.path[-4:] == ("children", "Car", "children", "Rider 2")
    pan = TYPES["contact"].model(name="Pan", group_i="Rider 2", body_j="Carbody", surface_j="Pan")
    for held in (
        add_element(project, "force", ("Car",), pan)[0],
        put_seat(project, ("Car",), "Right seat", "family_bench", "none"),
    ):
        assert "nothing holds" not in {one.kind for one in seat_findings(held.train)}


def test_that_edits_of_seats_say_what_is_wrong() -> None:
    project, path = _seated("sit_down", MAN)
    seat = str(assembly_at(project, path).seat)
    with pytest.raises(InputError, match="has no seat 'Throne'; it has"):
        put_seat(project, path[:-1], "Throne", "sit_down")
    with pytest.raises(InputError, match="the library has no seat 'sofa'; there are child, family_bench"):
        put_seat(project, path[:-1], seat, "sofa")
    with pytest.raises(InputError, match="'none' takes it away"):
        put_seat(project, path[:-1], seat)
    bare = put_seat(project, path[:-1], seat, restraint="none")
    with pytest.raises(InputError, match="no restraint that could be the shared bar 'Row 1'"):
        put_seat(bare, path[:-1], seat, shared="Row 1")


def test_that_a_seat_needs_pan_and_back() -> None:
    pan = SeatPart(kind="pan", surface=Box(name="Pan", half_sizes=(0.2, 0.2, 0.04)))
    with pytest.raises(ValueError, match="a seat has one back, this one has none"):
        SeatShape(name="Stool", parts=(pan,))
    round_back = SeatPart(kind="back", surface=Capsule(name="Back", radius=0.1, length=0.5))
    with pytest.raises(ValueError, match="the back of a seat is a box"):
        SeatShape(name="Log", parts=(pan, round_back))


@pytest.mark.parametrize("turned", [0.0, 0.4])
def test_that_legs_in_the_seat_in_front_are_told_by_how_much(turned: float) -> None:
    """Two seats in a row, the whole row turned about the vertical: knees lie in the back in front as deep as their
    skin passes its rear face."""
    shape, _ = load_seat("sit_down")
    back = shape.of("back")[0].placed
    man = rider(MAN, "Behind", shape=shape)

    def row(apart: float) -> Assembly:
        way = np.array([np.cos(turned), np.sin(turned), 0.0])
        seats = tuple(
            Seat(name=name, body="Base", position=tuple((k * apart * way).tolist()), shape=shape,
                 orientation=(np.cos(turned / 2.0), 0.0, 0.0, np.sin(turned / 2.0)))
            for k, name in enumerate(("Behind", "In front"))
        )  # fmt: skip
        base = Body(name="Base", mass=50.0, inertia=(5.0, 5.0, 5.0), position=(0.0, 0.0, 0.0))
        return Assembly(name="Row", bodies=(base,), seats=seats, children=(man,))

    assert not seat_findings(row(1.4))
    tight = 0.65
    (found,) = [one for one in seat_findings(row(tight)) if one.kind == "legs in another seat"]
    assert "of 'In front'" in found.message
    assert found.value is not None
    # a deeper seat in front by the same again: what lies in the back lies deeper by that
    (deeper,) = [one for one in seat_findings(row(tight - 0.02)) if one.kind == "legs in another seat"]
    assert 0.0 < found.value < deeper.value
    knee = lowest(man, ("Thigh",), np.array([-1.0, 0.0, 0.0]))
    rear = tight + back.position[0] - back.half_sizes[0]
    assert -knee > rear - 0.1  # the knees are where the back in front is


def test_that_a_seat_is_adjusted_to_who_sits_there() -> None:
    """The foot rest comes up to a child's feet, no further than they need, and not for who keeps it as it is set."""
    shape, usual = load_seat("child")
    small = Person(stature=1.05, scaling="child")
    (low,) = (m.amount for m in fit(small, shape).misfits if m.kind == "feet in the air")
    made = adjusted(small, shape, load_restraint(usual))
    assert not [m for m in fit(small, made).misfits if m.kind == "feet in the air"]
    (rest,) = made.of("foot_rest")
    raised = rest.placed.position[2] - rest.surface.position[2]
    assert low - 1e-3 <= raised <= low + 0.1 / FINE
    kept = shape.model_copy(update={"to_fit": False})
    assert adjusted(small, kept, load_restraint(usual)) == kept
    assert adjusted(MAN, load_seat("sit_down")[0]) == load_seat("sit_down")[0]
    project, path = _seated("child", small)
    (made_so,) = (one for one in assembly_at(project, path[:-1]).seats if one.shape is not None)
    assert made_so.shape == made
    larger = set_person(project, path, {"stature": 1.2})
    back = next(one for one in assembly_at(larger, path[:-1]).seats if one.name == made_so.name)
    assert back.shape.of("foot_rest")[0].setting == 0.0


def test_that_a_back_leans_about_its_pivot_with_what_it_carries() -> None:
    shape, _ = load_seat("child")
    names = [part.name for part in shape.parts if part.turn]
    leant = shape.set_to(1.0, names)
    assert names == ["Back", "Headrest"]
    for before, after in zip(shape.parts, leant.parts, strict=True):
        arm, moved = (np.array(p.placed.position) - np.array(p.pivot) for p in (before, after))
        assert np.linalg.norm(moved) == pytest.approx(np.linalg.norm(arm), abs=1e-12)
        if before.turn:
            angle = math.atan2(*arm[[0, 2]]) - math.atan2(*moved[[0, 2]])
            assert angle == pytest.approx(before.turn, abs=1e-9)
    angles = [math.atan2(-turn[0, 2], turn[2, 2]) for turn in (shape.back_turn, leant.back_turn)]
    assert angles[1] - angles[0] == pytest.approx(math.radians(12.0), abs=1e-6)


def test_that_misfits_name_where_they_are() -> None:
    shape, _ = load_seat("sit_down")
    (low,) = (m for m in fit(CHILD, shape).misfits if m.kind == "feet in the air")
    assert low.segments == ("Left Foot", "Right Foot")
    assert low.parts == ("Foot rest",)
    for start, end in low.lines:
        assert math.dist(start, end) == pytest.approx(low.amount)
    huge = Person(stature=1.8, mass=190.0, scaling="de_leva")
    holder, seat = place(huge, shape, load_restraint("lap_bar"))
    (told,) = restraint_misfits(holder, seat)
    assert told.parts == ("Bar",)
    assert f"meets the {told.segments[0].lower()} with its bar pad" in told.sentence
