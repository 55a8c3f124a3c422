"""Findings, places and sentences as values: what is said, where it leads, and what files keep of it."""

from __future__ import annotations

import copy
import pickle

import pytest
from pydantic import ValidationError

from ridewright.core.base.errors import InputError, located
from ridewright.core.base.finding import Finding, keys_of, of_error
from ridewright.core.base.sentence import Sentence, say, together
from ridewright.core.base.where import NOWHERE, Where, section_where
from ridewright.core.base.wording import spoken
from ridewright.core.track.build import build_track, built_or_fault
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track

GAP = say(
    "'{name}' is {gap:.3g mm} off, {low:.1f (m)} to {high:.1f m} along",
    name="{a}",
    gap=0.00321,
    low=1,
    high=2,
)


def test_that_a_sentence_is_its_text_in_si_and_keeps_its_numbers() -> None:
    assert GAP == "'{a}' is 3.21 mm off, 1.0 to 2.0 m along"
    gap = GAP.quantities["gap"]
    assert (gap.value, gap.unit, gap.said_in) == (0.00321, "m", "mm")
    assert (
        GAP.rendered(lambda quantity: f"<{quantity.value:g}>") == "'{a}' is <0.00321> off, <1> to <2> along"
    )


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_that_a_sentence_keeps_them_over_a_border_of_processes(again) -> None:
    assert again(GAP).quantities == GAP.quantities
    error = again(InputError(GAP, Where(s=1.0)))
    assert isinstance(error.said, Sentence)
    assert error.where.s == 1.0


def test_that_sentences_within_and_behind_one_another_keep_them() -> None:
    whole = together(" ", (say("Because {why}.", why=GAP), "", "Mend it."))
    assert whole == f"Because {GAP}. Mend it."
    assert [one.value for one in whole.quantities.values()] == [0.00321, 1.0, 2.0]


@pytest.mark.parametrize("name", ["Axle", "Axle 1.2", "7"])
def test_that_a_path_is_read_as_it_is_written(name: str) -> None:
    where = Where(("train", "children", "Car 1", "joints", name, "rows", 3))
    assert keys_of(where.dotted) == where.path
    assert (where.element, where.row) == (f"Car 1/{name}", ("rows", 3))
    assert Where(("scenario", "assembly", "bodies", name)).element == name


def test_that_a_file_keeps_a_finding() -> None:
    where = Where(("track", "sections", "Loop"), 12.5, (1.0, 2.0, 3.0), "Loop", 0.5)
    finding = Finding(kind="kink", severity="error", message=GAP, where=where, value=0.1, unit="rad")
    written = finding.model_dump(mode="json")
    assert written["values"]["gap"] == {"value": 0.00321, "unit": "m"}
    assert written["s"] == written["arc_length"] == 12.5  # the latter as files of runs have it
    assert Finding.model_validate_json(finding.model_dump_json()) == finding
    older = {"kind": "energy", "message": "The numerics lost 2 J.", "time": 1.0, "arc_length": 7.0}
    assert Finding.model_validate(older).where == Where(s=7.0, time=1.0)


def test_that_an_error_says_the_closest_place() -> None:
    outer, inner = section_where("a"), section_where("a", 2)
    with pytest.raises(InputError) as raised, located(outer), located(inner):
        raise InputError("No.")
    assert raised.value.where == inner
    with pytest.raises(InputError) as raised, located(outer):
        raise InputError("No.", Where(s=3.0))
    assert raised.value.where == Where(outer.path, 3.0, None, "a")
    assert of_error("unbuilt", raised.value).where.s == 3.0
    assert not NOWHERE


def _curve(*points: tuple[float, float, float]) -> SplineSection:
    return SplineSection(name="curve", points=tuple(ControlPoint(x=x, y=y, z=z) for x, y, z in points))


def test_that_errors_of_a_track_say_where_they_are() -> None:
    twice = Track(name="t", sections=(_curve((0, 0, 5), (9, 0, 5), (9, 0, 5), (20, 0, 5)),))
    built, fault = built_or_fault(twice)
    assert built is None
    assert fault is not None
    assert fault.where.path == ("track", "sections", "curve", "points", 1)
    apart = StraightSection(name="apart", start=(0.0, 50.0, 5.0), length=10.0)
    _, fault = built_or_fault(Track(name="t", sections=(_curve((0, 0, 5), (9, 0, 5), (20, 0, 5)), apart)))
    assert fault is not None
    assert fault.where.path == ("track", "sections", "apart")
    assert isinstance(fault.said, Sentence)


def test_that_a_track_is_built_once_and_why_it_cannot_be_is_told_again() -> None:
    track = Track(name="t", sections=(_curve((0, 0, 5), (9, 0, 5), (20, 0, 5)),))
    assert build_track(track, ride=False) is built_or_fault(track)[0]
    twice = Track(name="t", sections=(_curve((0, 0, 5), (9, 0, 5), (9, 0, 5)),))
    first, second = built_or_fault(twice)[1], built_or_fault(twice)[1]
    assert first is not None
    assert second is not None
    assert (first.said, first.where) == (second.said, second.where)


def test_that_the_track_in_use_stays_built_however_many_others_are_looked_at() -> None:
    def track(name: str) -> Track:
        return Track(name=name, sections=(_curve((0, 0, 5), (9, 0, 5), (20, 0, 5)),))

    own = track("own")
    built = build_track(own, ride=False)
    for k in range(20):  # as a start page does for its pictures
        build_track(track(f"example {k}"), ride=False)
        assert build_track(own, ride=False) is built


def test_that_a_refusing_validator_keeps_its_numbers() -> None:
    straight = {"kind": "straight", "name": "a", "end": [9.0, 0.0, 0.0], "start": [0.0, 0.0, 0.0]}
    device = {"kind": "launch", "name": "L", "section": "a", "start": 10.0, "end": 5.0}
    with pytest.raises(ValidationError) as found:
        Track.model_validate({"name": "t", "sections": [straight], "devices": [device]})
    stated = spoken(found.value, "t")
    assert "end (5 m) must lie behind start (10 m)" in stated
    assert isinstance(stated, Sentence)
    assert [one.value for one in stated.quantities.values()] == [5.0, 10.0]
