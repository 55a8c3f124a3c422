"""Cars after real rides against the published figures, and cars of the user's own library."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.train import insert_vehicle
from ridewright.core.edits.train_gallery import empty_project, trains
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.library import list_library, load_occupant, load_vehicle, with_rider
from ridewright.core.model.losses import Losses, losses_of, with_losses
from ridewright.core.model.own_library import library_faults, own_cars, own_folder, remove_car, save_car

SOURCE = Path(__file__).parents[3] / "resources" / "library" / "source" / "trains.csv"
REAL = ("balder", "behemoth", "helix", "lisebergbanan", "ptc_2bench", "valkyria")
RIDER = 75.0  # kg, as the notes of the files say


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("RIDEWRIGHT_LIBRARY", str(tmp_path / "mine"))


def _published(key: str) -> dict[str, str]:
    lines = [line for line in SOURCE.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return next(row for row in csv.DictReader(lines) if row["id"].startswith(key))


@pytest.mark.parametrize("key", REAL)
def test_that_a_car_after_a_real_ride_has_the_published_figures_and_closes_as_drawn(key):
    row, car = _published(key), load_vehicle(key)
    train = next(t for t in trains() if t.car == f"vehicle:{key}")
    cars = float(row["cars_per_train"] or train.cars)
    assert train.cars == cars
    assert len(car.seats) == float(row["rows_per_car"]) * float(row["seats_per_row"])
    if row["train_length_m"]:
        assert train.cars * train.spacing == pytest.approx(float(row["train_length_m"]), rel=0.01)
    if row["car_pitch_m"]:
        assert train.spacing == float(row["car_pitch_m"])
    full = car.mass() * cars + RIDER * len(car.seats) * cars
    if row["mass_train_full_kg"]:
        assert full == pytest.approx(float(row["mass_train_full_kg"]), rel=0.005)
    if row["mass_train_empty_kg"]:
        assert car.mass() * cars == pytest.approx(float(row["mass_train_empty_kg"]), rel=0.005)
    if row["mass_car_empty_kg"]:
        assert car.mass() == float(row["mass_car_empty_kg"])
    if row["wheelbase_m"]:
        xs = [b.position[0] for b in car.bodies if "axle" in b.name]
        assert max(xs) - min(xs) == pytest.approx(float(row["wheelbase_m"]), abs=1e-9)
    assert check_assembly(car) == ()
    notes = next(e for e in list_library(("vehicle",)) if e.key == key).notes
    assert any(note.startswith("Printed: ") for note in notes)
    assert any("Chosen" in note for note in notes)


def test_that_a_car_is_saved_without_its_riders_found_again_and_removed():
    car = with_losses(load_vehicle("balder"), Losses(rolling=0.01, drag_area=0.5))
    key = save_car(with_rider(car, load_occupant(), car.seats[0].name), "My car, №1", "For the park.")
    assert key == "my/my_car_1"
    assert load_vehicle(key) == car
    entry = list_library(("vehicle",))[0]
    assert (entry.key, entry.title, entry.notes) == (key, "My car, №1", ("For the park.",))
    project, path = insert_vehicle(empty_project(), key)
    assert losses_of(project.train.at(path)) == losses_of(car)  # its own losses, not the library's
    project, path = insert_vehicle(project, key)
    assert losses_of(project.train.at(path)).drag_area == 0.0
    (own_folder() / "broken.json").write_text("[", encoding="utf-8")
    (own_folder() / "rider.json").write_text('{"title": "", "source": "", "notes": [], "assembly": {}}')
    assert [*own_cars()] == [key]
    remove_car(key)
    assert own_cars() == {}
    with pytest.raises(InputError, match="no car 'my/my_car_1'"):
        remove_car(key)
    with pytest.raises(InputError, match="letter or a digit"):
        save_car(car, " – ")


def test_that_a_car_from_nothing_follows_the_track_and_rolls():
    project, path = insert_vehicle(empty_project(), "")
    car = project.train.at(path)
    assert (len(car.bodies), car.guides[0].kind, car.seats) == (1, "full", ())
    assert losses_of(car).rolling > 0.0
    assert check_assembly(car) == ()


DAMAGED = {
    "cut": ('{"title": "', "ends in the middle of line 1; the file is cut off"),
    "list": ("[]", "is no car"),
    "untitled": ('{"source": "", "notes": [], "assembly": {}}', "'title' is missing or no text"),
    "notes": ('{"title": "", "source": "", "notes": [3], "assembly": {}}', "'notes' holds what is no text"),
    "rider": ('{"title": "", "source": "", "notes": [], "assembly": {"name": "A", "role": "rider"}}', ""),
    "nested": ('{"title":' + "[" * 100_000, "not readable as JSON"),
    "bytes": ("\udc80\udcfe", "not readable as JSON"),
    "large": (" " * 5_000_001, "larger than 5 MB"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_that_a_damaged_car_of_the_user_is_left_out_and_named_with_its_file(name):
    text, said = DAMAGED[name]
    key = save_car(load_vehicle("balder"), "Sound")
    file = own_folder() / f"{name}.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert [*own_cars()] == [key]
    (told,) = library_faults()
    assert str(file) in told
    assert said in told
    assert "left out" in told
    with pytest.raises(InputError, match="left out"):
        load_vehicle(f"my/{name}")
    file.write_bytes((own_folder() / "sound.json").read_bytes())  # mended
    assert library_faults() == ()
    assert [*own_cars()] == sorted([key, f"my/{name}"])


def test_that_pipes_folders_and_a_library_that_is_a_file_are_told(tmp_path, monkeypatch):
    save_car(load_vehicle("balder"), "Sound")
    os.mkfifo(own_folder() / "pipe.json")
    (own_folder() / "folder.json").mkdir()
    told = library_faults()
    assert [*own_cars()] == ["my/sound"]
    assert ["is a pipe" in told[1], "is a folder" in told[0]] == [True, True]
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RIDEWRIGHT_LIBRARY", str(tmp_path / "file"))
    (told,) = library_faults()
    assert str(tmp_path / "file") in told
    assert own_cars() == {}
