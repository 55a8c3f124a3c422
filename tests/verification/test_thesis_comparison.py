"""The comparison with the thesis in the guide is the one of its numbers, and its numbers are those of the ride."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from tools.thesis.conclusions import CONCLUSIONS, table
from tools.thesis.rides import figures_of, ride

GUIDE = Path(str(resources.files("ridewright.resources"))) / "guide"
NUMBERS = json.loads((GUIDE / "thesis-numbers.json").read_text(encoding="utf-8"))
PAGE = (GUIDE / "thesis-comparison.md").read_text(encoding="utf-8")


def test_that_the_table_in_the_guide_is_that_of_the_numbers() -> None:
    text, count = table(NUMBERS["looping_star"], NUMBERS["gatekeeper"])
    assert text in PAGE
    assert sum(count.values()) == len(CONCLUSIONS)


def test_that_disagreement_is_said_where_a_number_disagrees() -> None:
    """A ride that loses nothing agrees less than one that loses the printed 4 %; a worse bank turns the verdict."""
    star, gate = NUMBERS["looping_star"], NUMBERS["gatekeeper"]
    energy = next(c for c in CONCLUSIONS if "4 % slower" in c.statement)
    assert energy.check({**star, "speed_lost_percent": 4.0}, gate)[0] == "agrees"
    assert energy.check(star, gate)[0] == "agrees in part"
    bank = next(c for c in CONCLUSIONS if "suits the speed" in c.statement)
    assert bank.check(star, gate)[0] == "agrees"
    assert bank.check(star, {**gate, "nca_rails_rms": 2.0 * star["nca_rails_rms"]})[0] == "disagrees"


def test_that_the_looping_star_still_gives_the_numbers_of_the_guide() -> None:
    found = figures_of(ride("looping_star"))
    assert found.keys() == NUMBERS["looping_star"].keys()
    tiny = {"guide_violation": 1e-8, "speed_lost_percent": 0.02}
    for name, value in NUMBERS["looping_star"].items():
        assert found[name] == pytest.approx(value, rel=0.01, abs=tiny.get(name, 1e-3)), name
