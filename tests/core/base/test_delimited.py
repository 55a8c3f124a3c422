"""The one reader of tables as text: encodings, separators, decimal commas, headers, places of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from ridewright.core.base import delimited
from ridewright.core.base.delimited import number_of, records_of, table_of, text_of, typed_cells
from ridewright.core.base.errors import InputError

ROWS = [[1.5, -2.0, 3.0], [4.0, 5.25, 6e3]]


@pytest.mark.parametrize(
    "text",
    [
        "1.5,-2,3\n4,5.25,6e3\n",
        "x,y,z\r\n1.5,-2,3\r\n4,5.25,6e3\r\n",
        "x;y;z\n1,5;-2;3\n4;5,25;6e3",
        "x\ty\tz\t\n1,5\t-2\t3\t\n4\t5,25\t6e3\t\n",
        "# of a program\n\n 1.5   -2 3\n4 5.25 6e3\n",
        "1.5, -2, 3\n4, 5.25, 6e3\n",
        "1.5,−2,3\n,,\n4,5.25,6e3\n",
        '"1.5","-2","3"\n"4","5.25","6e3"\n',
        '"1.5;-2;3"\n"4;5.25;6e3"\n',
        "\ufeff1.5|-2|3\r4|5.25|6e3\r",
    ],
)
def test_that_the_same_rows_are_read_however_they_are_written(text: str) -> None:
    assert table_of(text, blanks=True).numbers("xyz") == ROWS


def test_that_a_header_is_kept_with_its_units() -> None:
    table = table_of("x [m]\ty [ft]\tcant\n1\t2\t3\n")
    assert table.header is not None
    assert table.header.cells == ("x [m]", "y [ft]", "cant")
    assert table.header.units == ["m", "ft"]
    assert [row.line for row in table.rows] == [2]
    assert table_of("1 2\n3 4\n", blanks=True).header is None
    assert len(table_of("").rows) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,2,3\n\n4,five,6\n", r"^f\.csv, line 3, column y: expected a number, found 'five'\.$"),
        ("1,2,3\n4,,6\n", r"^f\.csv, line 2, column y: expected a number, found ''\.$"),
        ("1,2,3\n4,1_000,6\n", "expected a number, found '1_000'"),
        ("1,2,3\n4,nan,6\n", r"column y: the number must be finite, found 'nan'\.$"),
        ("1,2,3\n4,5\n7,8,9\n", r"^f\.csv, line 2: expected 3 columns, found 2\.$"),
        ("1,2,3\n4,5\n", r"^f\.csv, line 2: expected 3 columns, found 2\.$"),
        ("1,2,3\n4,5", "the file ends in the middle of a row; copy or export it again"),
        ('1,2,3\n4,"5' + "x" * 200_000 + "\n", r"^f\.csv, line 2: the line cannot be read as CSV"),
    ],
)
def test_that_what_is_wrong_is_told_by_line_and_column(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        table_of(text, "f.csv").numbers("xyz")


def test_that_pasted_text_is_told_by_its_line_alone() -> None:
    with pytest.raises(InputError, match=r"^Line 2, column y: expected a number"):
        table_of("1,2\n3,x").numbers("xy")
    with pytest.raises(InputError, match=r"^Line 2: expected 2 columns, found 1\.$"):
        table_of("1,2\n3").numbers("xy")


def test_that_sizes_are_bounded() -> None:
    with pytest.raises(InputError, match="more than 3 rows"):
        table_of("1,2\n" * 5, "f", most=3)
    assert len(table_of("x,y\n" + "1,2\n" * 3, "f", most=3).rows) == 3
    with pytest.raises(InputError, match="must be finite and at most 100, found '101'"):
        table_of("1,101\n").numbers("xy", largest=100.0)


def test_that_text_is_told_from_what_is_none(tmp_path: Path) -> None:
    file = tmp_path / "f.csv"
    for written in ("é 1".encode(), b"\xef\xbb\xbf\xc3\xa9 1", "é 1".encode("utf-16")):
        file.write_bytes(written)
        assert text_of(file, 100, "a table") == "é 1"
    file.write_bytes(b"m/s\xb2 1")
    assert text_of(file, 100, "a table", code_page=True) == "m/s² 1"
    with pytest.raises(InputError, match="is not a text file; expected a table"):
        text_of(file, 100, "a table")
    file.write_bytes(b"PK\x00\x00")
    with pytest.raises(InputError, match="is not a text file"):
        text_of(file, 100, "a table", code_page=True)
    with pytest.raises(InputError, match="larger than"):
        text_of(file, 3, "a table")


def test_that_typed_rows_take_a_decimal_comma_between_blanks() -> None:
    assert typed_cells("1,5 ; 2  3") == ["1,5", "2", "3"]
    assert typed_cells("a b\t1,5") == ["a b", "1,5"]
    assert (number_of("1,5", " "), number_of("1,5", ";"), number_of("1,5", ",")) == (1.5, 1.5, None)


def test_that_records_are_read_by_their_names() -> None:
    assert records_of('# note\nid,words\na,"x, y"\n') == ({"id": "a", "words": "x, y"},)


def test_that_a_long_table_is_kept_as_text() -> None:
    table = table_of("1,2,3\n" * 1000)
    assert isinstance(table.rows, delimited.Rows)
    assert table.rows[1:][-1].line == 1000
