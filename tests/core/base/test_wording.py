"""Refusals speak the words of the user, whatever library found the fault."""

from __future__ import annotations

import errno
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import h5py
import numpy as np
import pytest
from pydantic_core import PydanticKnownError
from pydantic_core.core_schema import ErrorType

from ridewright.core.base.system_words import because
from ridewright.core.base.wording import in_words, json_fault, worded

#: Nothing of this may stand in a sentence for a person.
FOREIGN = re.compile(
    r"Input should|Unable to|synchronously|np\.|numpy|h5py|pydantic|object at 0x|Errno|Traceback|NoneType|__|float\(\)|"
    r"Expecting|literal|tuple|dictionary|mapping|instance|validat|attribute|str\b|\bint\b",
    re.IGNORECASE,
)
CONTEXT = {
    "gt": 1.0, "ge": 1.0, "lt": 1.0, "le": 1.0, "multiple_of": 2.0, "min_length": 1, "max_length": 3,
    "actual_length": 5, "field_type": "List", "expected": "'a' or 'b'", "tag": "x", "expected_tags": "'a'",
    "discriminator": "'kind'", "pattern": "x", "error": ValueError("own words"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ErrorType.__args__)
def test_that_every_fault_of_a_field_has_words_of_its_own(kind: str) -> None:
    said = worded({"type": kind, "msg": f"Value error, own words about {kind.split('_')[0]}", "ctx": CONTEXT})
    assert said
    if kind not in ("value_error", "assertion_error"):
        assert not FOREIGN.search(said), said
        assert "own words" not in said
    assert PydanticKnownError  # the list is that of the library in use


def broken(action) -> BaseException:
    try:
        action()
    except Exception as error:
        return error
    raise AssertionError("nothing was wrong")


def hdf(action):
    with h5py.File(io.BytesIO(), "w") as file:
        file["a"] = [1.0]
        file.attrs["mark"] = np.bytes_("x")
        action(file)


FAULTS = {
    "a missing part": lambda: hdf(lambda f: f["nowhere"]),
    "a missing mark": lambda: hdf(lambda f: f.attrs["nowhere"]),
    "no HDF5": lambda: h5py.File(io.BytesIO(b"not one"), "r"),
    "a number that is none": lambda: float("1,5"),
    "a whole number that is none": lambda: int("x"),
    "a table": lambda: np.ones(6).reshape(4, 2),
    "rows of all lengths": lambda: np.array([[1.0], [1.0, 2.0]]),
    "JSON": lambda: json.loads("{"),
    "JSON, comma": lambda: json.loads('{"a": 1 "b": 2}'),
    "JSON, end": lambda: json.loads("{} {}"),
    "JSON, text": lambda: json.loads('"abc'),
    "JSON, deep": lambda: json.loads("[" * 100_000),
    "XML": lambda: ET.fromstring("<a><b></a>"),
    "XML, nothing": lambda: ET.fromstring(""),
    "XML, text": lambda: ET.fromstring("plain"),
    "characters": lambda: b"\xff\xfe\x00".decode("utf-8"),
    "a file": lambda: Path("/nonexistent/file").read_bytes(),
    "anything": lambda: {}["x"],
}


@pytest.mark.parametrize("name", FAULTS)
def test_that_what_a_library_says_is_told_in_plain_words(name: str) -> None:
    said = in_words(broken(FAULTS[name]))
    assert said
    assert not FOREIGN.search(said), said
    assert not said.endswith(".")


def test_that_places_in_a_text_are_kept() -> None:
    assert in_words(broken(lambda: json.loads('{\n"a": }'))) == "a value is missing at line 2, column 6"
    assert "line 1" in in_words(broken(lambda: ET.fromstring("<a><b></a>")))


def test_that_the_system_is_quoted_in_words() -> None:
    for number in (errno.ENOSPC, errno.EROFS, errno.EACCES, errno.ENOENT, errno.EIO, errno.ELOOP):
        said = because(OSError(number, "Raw text of the system"))
        assert "Raw" not in said
    assert because(OSError()) == "the system gave no reason"


@pytest.mark.parametrize("said", ["np.bytes_(b'text')", "'text'", "b'text'"])
def test_that_what_is_no_number_is_named_as_it_stands(said: str) -> None:
    assert in_words(ValueError(f"could not convert string to float: {said}")) == "'text' is no number"


def test_that_a_text_that_is_cut_off_ends_in_the_middle() -> None:
    """Cut anywhere before its end a text is said to be cut off; one with a fault of its own is not."""
    whole = '{"name": "a b",\n "list": [1, 2.5, {"x": null}]}'
    for end in range(1, len(whole)):
        with pytest.raises(json.JSONDecodeError) as caught:
            json.loads(whole[:end])
        if not whole[:end].endswith(("n", "nu", "nul", "2.")):  # those could be faults of their own
            assert json_fault(caught.value).startswith("ends in the middle of line "), whole[:end]
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads('{"a": }')
    assert json_fault(caught.value) == "not valid JSON (a value is missing at line 1, column 7)"
