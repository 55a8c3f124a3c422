"""The ten changes of a newcomer take the files that the page about them names, and no others."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from ridewright.core.base import units
from ridewright.core.charts import loads
from ridewright.core.outcome import seat_table
from tests.sources import ROOT, texts

PAGE = Path(str(resources.files("ridewright.resources"))) / "guide" / "developing" / "ten-changes.md"
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "`" in line
]
FILES = [re.findall(r"`([^`]*)`", row[1]) for row in ROWS]
#: Of changes that no other test makes: words of one of their kind, which no file but these may hold.
WORDS = {
    "a unit to type": r'"mph"',
    "the colour of the track": r'\brail="#',
    "what is said when a train stalls": r"The train stalls|The train \{stalled\}",
    "a column of the table of seats": r'"criterion", "Governed by"',
    "[a chart]": r'"Head rotation rate"',
}


def test_that_there_are_ten_and_that_the_first_five_take_two_files_and_the_others_one() -> None:
    assert len(ROWS) == 10
    assert [len(files) <= (2 if k < 5 else 1) for k, files in enumerate(FILES)] == [True] * 10
    for row, files in zip(ROWS, FILES, strict=True):
        (test,) = re.findall(r"`([^`]*)`", row[2])
        assert all((ROOT / name).exists() for name in (*files, test)), row


@pytest.mark.parametrize("change", WORDS)
def test_that_no_other_file_has_a_hand_in_it(change: str) -> None:
    (k,) = (k for k, row in enumerate(ROWS) if row[0].startswith(change))
    found = {str(path.relative_to(ROOT)) for path, text in texts().items() if re.search(WORDS[change], text)}
    assert found == set(FILES[k])


def test_that_a_unit_is_typed_where_its_table_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(units.TYPED["m"], "furlong", 201.168)
    assert 2.0 * units.unit_size("furlong", "m", "length") == pytest.approx(402.336)
    with pytest.raises(ValueError, match="write m, mm, cm, km, ft, in, furlong"):
        units.unit_size("parsec", "m", "length")


def test_that_a_column_of_seats_is_on_the_command_line_and_in_the_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ridewright.core.cli.seats import _cell
    from ridewright.core.outcome.seats import SeatAssessment
    from ridewright.core.report.parts import swing_part

    column = seat_table.SeatColumn("twice", "Twice Gz", "g", lambda seat: 2.0 * seat.loads["Gz"][1])
    monkeypatch.setattr(seat_table, "COLUMNS", (*seat_table.COLUMNS, column))
    seat = SeatAssessment("Seat 1", (), {axis: (-1.0, 1.25) for axis in ("Gx", "Gy", "Gz")})
    table = swing_part._seat_table((seat,))
    assert [one.key for one in table.columns][-1] == "twice"
    assert [cell.text for cell in table.rows[0]][-2:] == ["\N{EN DASH}", "2.50"]
    assert [_cell(one, one.value(seat)) for one in seat_table.COLUMNS] == [
        "Seat 1", *["-1.00 to 1.25"] * 3, "-", "no limit", "-", "2.50",
    ]  # fmt: skip


def test_that_a_chart_of_loads_is_a_line_of_their_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(loads.PLOTS, "pitch", ("Pitch of the carbody", "car", "pitch", "pitch", "rad"))
    recipe = loads.load_recipe("pitch", loads.load_sources("car", "pitch", ["Car/Rider"], (), ()))
    assert (recipe.title, recipe.unit) == ("Pitch of the carbody", "rad")
