"""The library's vehicle and rider against the printed tables, the list of corrections, and their known figures."""

from __future__ import annotations

import json
import math
import runpy
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.consistency import Thresholds, check_assembly
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.library import (
    list_library,
    load_occupant,
    load_vehicle,
    with_rider,
    with_roll_stop,
    with_secondary_locked,
    with_wrist_ankle_stiffness,
)

LIBRARY = Path(__file__).parents[3] / "resources" / "library"
CORRECTED, PRINTED = "viegas2016", "viegas2016_as_printed"
ALL = {"V1", "V1b", *(f"V{k}" for k in range(2, 8)), *(f"O{k}" for k in range(16))}


def _tables(what: str) -> dict:
    return json.loads((LIBRARY / "source" / f"viegas2016_{what}.json").read_text(encoding="utf-8"))


def _named(items):
    return {item.name: item for item in items}


def _both_riders(car: Assembly, rider: Assembly) -> Assembly:
    return with_rider(with_rider(car, rider, "Left seat", "Left"), rider, "Right seat", "Right")


def test_that_the_committed_files_are_what_the_tables_and_corrections_give():
    made = runpy.run_path(str(LIBRARY / "make_library.py"))["make_files"]()
    assert len(made) == 10
    for name, content in made.items():
        assert json.loads((LIBRARY / name).read_text(encoding="utf-8")) == content, name


def test_that_every_correction_is_listed_with_its_status_in_the_notes_of_both_variants():
    keys = {c["key"] for what in ("vehicle", "occupant") for c in _tables(what)["corrections"]}
    assert keys == ALL
    for variant in (CORRECTED, PRINTED):
        notes = " ".join(n for e in list_library() if e.key == variant for n in e.notes)
        for key in ALL:
            assert f"{key} (" in notes, (variant, key)


@pytest.mark.parametrize(("key", "applied"), [(CORRECTED, True), (PRINTED, False)])
def test_that_each_correction_shows_in_the_model_exactly_where_it_should(key, applied):
    """Every changed value of the tables against the loaded model; joint axes from the printed second points."""
    car, rider = load_vehicle(key), load_occupant(key)
    for what, model in (("vehicle", car), ("occupant", rider)):
        tables = _tables(what)
        final = {}
        for correction in tables["corrections"]:
            for c in correction["changes"]:
                final.setdefault((c["table"], c["id"], c["field"]), [c["printed"], None])[1] = c["used"]
        assert len(final) >= 18
        parts = {**_named(model.bodies), **_named(model.joints), **_named(model.forces)}
        for (table, number, field), (printed, used) in final.items():
            row = next(r for r in tables[table] if r["id"] == number)
            _compare(parts, row, field, used if applied else printed, tables)


def _compare(parts, row, field, value, tables):
    element = parts[row["name"]]
    if field == "inertia":
        assert element.inertia == tuple(value)
    elif field == "l0":
        assert element.free_length == value
    elif field == "c":
        assert element.damping == value
    elif field == "s_j":
        assert element.point_j == tuple(value)
    elif field == "bodies":
        names = {str(r["id"]): r["name"] for r in tables["bodies"]}
        assert (element.body_i, element.body_j) == (names[value[0]], names[value[1]])
    elif field in ("sQ_i", "sQ_j"):
        end = field[-1]
        expected = np.subtract(value, row[f"sP_{end}"])
        assert np.allclose(getattr(element, f"axis_{end}"), expected / np.linalg.norm(expected), atol=1e-12)
    elif field == "e":
        # half a turn about z maps the thesis' world to the car and seat frames
        p = np.array([math.sqrt(max(0.0, 1.0 - np.dot(value, value))), *value])
        half_turn = np.diag([-1.0, -1.0, 1.0])
        assert np.allclose(rotation_matrix(element.orientation), half_turn @ rotation_matrix(p), atol=1e-9)
    else:
        assert field == "position"
        torso = next(r for r in tables["bodies"] if r["name"] == "Lower Torso")["position"]
        expected = np.subtract(value, torso) * (-1.0, -1.0, 1.0)
        assert np.allclose(element.position, expected, atol=1e-9)


def test_that_masses_are_those_of_the_tables():
    assert sum(b.mass for b in load_vehicle().bodies) == pytest.approx(668.4, abs=1e-9)
    assert sum(b.mass for b in load_occupant().bodies) == pytest.approx(81.516, abs=1e-9)


def test_that_the_corrected_model_is_drawn_closed_and_unloaded():
    """Residuals in the notes on the model: wrists 0.060 mm, elbows 0.035 mm, springs within 0.06 mm of free length."""
    car = _both_riders(load_vehicle(), load_occupant())
    assert check_assembly(car) == ()
    fine = {f.element: f for f in check_assembly(car, Thresholds(gap=1e-6, angle=1e-6, load=0.1))}
    gaps = {name.partition("/")[2]: f.value for name, f in fine.items() if f.kind == "joint gap"}
    assert gaps == pytest.approx(
        {"Right wrist": 6.0e-5, "Left wrist": 6.0e-5, "Right elbow": 3.6e-5, "Left elbow": 3.6e-5}, rel=0.01
    )
    assert max(abs(f.value) for f in fine.values() if f.kind == "load as drawn") == pytest.approx(
        3.2, abs=0.05
    )


def test_that_the_printed_model_shows_the_misprints_as_findings():
    found = check_assembly(_both_riders(load_vehicle(PRINTED), load_occupant(PRINTED)))
    value = {(f.kind, f.element): f.value for f in found}
    assert value["load as drawn", "Primary spring front left"] == pytest.approx(332e3, rel=2e-3)
    assert value["load as drawn", "Primary spring rear left"] == pytest.approx(48e3, rel=2e-3)
    for side in ("Left", "Right"):
        assert math.degrees(value["joint angle", f"{side}/Right elbow"]) == pytest.approx(62.0, abs=0.05)
        assert value["joint gap", f"{side}/Right elbow"] == pytest.approx(0.70e-3, abs=0.01e-3)
        assert value["joint gap", f"{side}/Left wrist"] == pytest.approx(0.19e-3, abs=0.01e-3)
        assert value["load as drawn", f"{side}/Between the hands"] == pytest.approx(217.0, abs=1.0)
        assert value["load as drawn", f"{side}/Front restraint to upper torso left"] == pytest.approx(
            1417, abs=1
        )
        assert value["load as drawn", f"{side}/Backrest to upper torso left"] == pytest.approx(6670, abs=1)
    broken = {f.element.rpartition("/")[2] for f in found if f.kind == "inertia"}
    assert broken == {
        *(f"Wheelset {end} {side}" for end in ("front", "rear") for side in ("left", "right")),
        *(f"{side} {part}" for part in ("Foot", "Upper Leg", "Lower Arm") for side in ("Left", "Right")),
    }


def test_that_wheels_stand_on_the_rails_of_their_side_one_gauge_apart():
    car = load_vehicle()
    place = {b.name: b.position for b in car.bodies}
    for guide in car.guides:
        side = guide.path.removesuffix("_rail")
        assert side in guide.body
        assert place[guide.body] == (
            pytest.approx(1.0 if "front" in guide.body else -1.0),
            *place[guide.body][1:],
        )
        assert place[guide.body][1:] == ((0.5, 0.0) if side == "left" else (-0.5, 0.0))


def test_that_vehicle_and_rider_are_symmetric_about_the_middle_plane():
    """Each right-hand body and spring point mirrors its left-hand partner, masses and constants included."""
    rider = load_occupant()
    bodies, forces = _named(rider.bodies), _named(rider.forces)
    mirror = np.array([1.0, -1.0, 1.0])
    pairs = 0
    for name, body in bodies.items():
        if name.startswith("Right "):
            other = bodies["Left " + name.removeprefix("Right ")]
            assert np.allclose(body.position, mirror * other.position, atol=1.01e-4), name
            assert (body.mass, body.inertia) == (other.mass, other.inertia)
            pairs += 1
    assert pairs == 6
    seat_points = 0
    for name, force in forces.items():
        if isinstance(force, SpringDamper) and force.body_i == "seat" and "right" in name:
            other = forces[name.replace("right", "left")]
            assert np.allclose(force.point_i, mirror * other.point_i, atol=1e-9), name
            assert (force.stiffness, force.damping) == (other.stiffness, other.damping)
            seat_points += 1
    assert seat_points == 8


def test_that_a_rider_fits_either_seat_and_keeps_the_handedness():
    car = _both_riders(load_vehicle(), load_occupant())
    assert [o.seat for o in car.riders] == ["Left seat", "Right seat"]
    seats = _named(car.seats)
    assert seats["Left seat"].position == (0.2, 0.4, 0.527)
    assert seats["Right seat"].position == (0.2, -0.4, 0.527)
    for rider in car.riders:
        bodies = _named(rider.bodies)
        assert bodies["Left Foot"].position[1] > 0.0 > bodies["Right Foot"].position[1]
        assert bodies["Head"].position[0] > 0.0, "the head leans forward, along the travel"


def test_that_a_seat_cannot_be_taken_twice_and_must_exist():
    car = with_rider(load_vehicle(), load_occupant(), "Left seat", "A")
    with pytest.raises(InputError, match="two riders sit on seat 'Left seat'"):
        with_rider(car, load_occupant(), "Left seat", "B")
    with pytest.raises(InputError, match="seat 'Roof', which does not exist"):
        with_rider(car, load_occupant(), "Roof", "B")
    with pytest.raises(InputError, match="two riders are named 'A'"):
        with_rider(car, load_occupant(), "Right seat", "A")


def test_that_suggested_corrections_can_be_left_as_printed_one_by_one():
    assert {e.key: e.switches for e in list_library() if e.kind == "occupant"}[CORRECTED] == (
        "O7",
        "O14",
        "O15",
    )
    plain, printed = load_occupant(), load_occupant(PRINTED)
    for key, table, names in (
        ("O7", "forces", {"Between the hands"}),
        ("O14", "bodies", {"Right Upper Arm", "Left Upper Arm"}),
        ("O15", "bodies", {"Right Lower Leg", "Left Lower Leg"}),
    ):
        switched = load_occupant(as_printed=(key,))
        for t in ("bodies", "joints", "forces"):
            old, new = _named(getattr(plain, t)), _named(getattr(switched, t))
            changed = {name for name in old if old[name] != new[name]}
            assert changed == (names if t == table else set())
        for name in names:
            mine, theirs = _named(getattr(switched, table))[name], _named(getattr(printed, table))[name]
            field = "free_length" if table == "forces" else "inertia"
            assert getattr(mine, field) == getattr(theirs, field)
    with pytest.raises(InputError, match="no switch 'O1'; there are O7, O14, O15"):
        load_occupant(as_printed=("O1",))


def test_that_locks_stops_and_additions_are_switched_and_nothing_else_changes():
    car, rider = load_vehicle(), load_occupant()
    locked = with_secondary_locked(car)
    assert [j.name for j in locked.joints if j.locked] == ["Roll joint"]
    assert with_secondary_locked(locked, False) == car
    free = with_roll_stop(car, False)
    assert [f.name for f in free.forces if not f.enabled] == ["Roll stop"]
    assert with_roll_stop(free) == car
    stiff = with_wrist_ankle_stiffness(rider)
    changed = {f.joint for f, g in zip(stiff.forces, rider.forces, strict=True) if f != g}
    assert changed == {"Right wrist", "Left wrist", "Right ankle", "Left ankle"}
    assert with_wrist_ankle_stiffness(stiff, False) == rider
    bare = Assembly(role="car", name="Bare", bodies=car.bodies)
    for switch in (with_secondary_locked, with_roll_stop):
        with pytest.raises(InputError, match="Bare"):
            switch(bare)
    with pytest.raises(InputError, match="no added stiffness"):
        with_wrist_ankle_stiffness(rider.model_copy(update={"forces": ()}))


def test_that_unknown_keys_are_answered_with_those_there_are():
    with pytest.raises(InputError, match=r"no vehicle 'tram'; there are balder, .*, viegas2016"):
        load_vehicle("tram")
    with pytest.raises(InputError, match="no occupant 'cat'"):
        load_occupant("cat")


def test_that_the_seat_springs_meet_their_free_length_from_the_carbody():
    """All 16 springs between seat and body, measured from the seat frame."""
    car = with_rider(load_vehicle(), load_occupant(), "Left seat")
    seat = np.add(_named(car.bodies)["Carbody"].position, _named(car.seats)["Left seat"].position)
    assert np.allclose(seat, (0.275, 0.4, 1.007), atol=1e-12)
    rider = car.riders[0]
    bodies = _named(rider.bodies)
    lengths = []
    for force in rider.forces:
        if isinstance(force, SpringDamper) and force.body_i == "seat":
            body = bodies[force.body_j]
            end = np.asarray(body.position) + rotation_matrix(body.orientation) @ np.asarray(force.point_j)
            lengths.append(np.linalg.norm(end - force.point_i) - force.free_length)
    assert len(lengths) == 16
    assert np.max(np.abs(lengths)) < 7e-5


def test_that_an_assembly_is_a_car_without_a_track():
    """A rig can carry the car's bodies and riders, for tests on the bench."""
    car = with_rider(load_vehicle(), load_occupant(), "Left seat")
    bench = Assembly(
        name="Rig",
        role="rig",
        bodies=car.bodies,
        joints=car.joints,
        forces=car.forces,
        seats=car.seats,
        children=car.riders,
    )
    assert check_assembly(bench) == ()
