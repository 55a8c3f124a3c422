"""Tracks that cannot be described or built are refused with one sentence that names the place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.track.build import build_track
from ridewright.core.track.description import Track


def spline(*points: tuple[float, ...], name: str = "a", **more: Any) -> dict[str, Any]:
    nodes = [dict(zip(("x", "y", "z"), p, strict=True), **more) for p in points]
    return {"kind": "spline", "name": name, "points": nodes}


def straight(name: str, end: list[float], **more: Any) -> dict[str, Any]:
    return {"kind": "straight", "name": name, "end": end, **more}


def track(*sections: dict[str, Any], **more: Any) -> Track:
    return Track.model_validate({"name": "t", "sections": list(sections), **more})


LINE = ((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (20.0, 2.0, 0.0))


@pytest.mark.parametrize(
    ("sections", "more", "message"),
    [
        ([spline((1.0, 2.0, 3.0))], {}, "fewer than 2 points"),
        ([spline(*LINE[:2])], {"closed": True}, "at least 3 points"),
        ([spline(LINE[0], LINE[1], LINE[1], LINE[2])], {}, "point 2 and point 3 are at the same place"),
        ([spline(*LINE, (5.0, 0.1, 0.0))], {}, "section 'a', point 3 the track reverses"),
        ([straight("s", [5.0, 0.0, 0.0])], {}, "'s' is the first one and needs its start"),
        ([spline(*LINE), straight("s", [20.0, 2.0, 0.0])], {}, "'s' ends where it starts"),
        (
            [straight("s", [9.0, 0.0, 0.0], start=[0.0, 0.0, 0.0]), straight("w", [18.0, 1.0, 0.0])],
            {},
            r"section 's', end the straight meets its neighbour with a kink of 6\.34 deg",
        ),
        ([spline(*LINE, (9e4, 0.0, 0.0))], {}, "90 km long, at most 20 km"),
        (
            [spline(*LINE), straight("s", [40.0, 6.0, 0.0], start=[20.0, 3.0, 0.0])],
            {},
            r"'s' starts 1\.000 m from where the track has come to",
        ),
    ],
)
def test_that_tracks_that_cannot_be_built_are_refused_by_place(
    sections: list[dict[str, Any]], more: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        build_track(track(*sections, **more))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"sections": []}, "sections"),
        ({"gauge": 0.0}, "gauge"),
        ({"gauge": float("nan")}, "gauge"),
        ({"frame": "darboux"}, "frame"),
        ({"table_step": -1.0}, "table_step"),
        ({"sections": [spline(*LINE), spline(*LINE)]}, "two sections are named 'a'"),
        ({"sections": [{**spline(*LINE), "kind": "loop"}]}, "loop"),
        ({"sections": [spline((0.0, 0.0, float("inf")), *LINE)]}, "sections.0.spline.points.0.z"),
        ({"sections": [spline(*LINE, bank=3.0)]}, "bank"),
        ({"sections": [{"kind": "table", "name": "r", "positions": [[0, 0, 0]] * 5}]}, "positions"),
        (
            {"sections": [{"kind": "table", "name": "r", "positions": [[0, 0, 0]] * 7, "up": [[0, 0, 1]] * 6}]},
            "up has 6",
        ),
        (
            {"sections": [{"kind": "table", "name": "r", "positions": [[0, 0, 0]] * 6, "up": [[0, 0, 1]] * 6,
                           "cant": [0.0] * 6}]},
            "only one of",
        ),
    ],
)  # fmt: skip
def test_that_wrong_descriptions_are_refused_with_the_field(change: dict[str, Any], where: str) -> None:
    data = {"name": "t", "sections": [spline(*LINE)], **change}
    with pytest.raises(ValidationError) as refusal:
        Track.model_validate(data)
    error = refusal.value.errors()[0]
    assert where in ".".join(str(p) for p in error["loc"]) + " " + error["msg"]


def test_that_a_table_of_useless_rows_is_refused() -> None:
    table = {"kind": "table", "name": "r", "positions": [[float(k % 2), 0.0, 0.0] for k in range(20)]}
    with pytest.raises(InputError, match="'r' has only 2 usable rows"):
        build_track(track(table))


def test_that_a_repeated_point_at_a_section_border_is_one_point() -> None:
    once = build_track(track(spline(*LINE), spline((30.0, 5.0, 1.0), (40.0, 9.0, 1.0), name="b")))
    again = build_track(
        track(spline(*LINE, (30.0, 5.0, 1.0)), spline((30.0, 5.0, 1.0), (40.0, 9.0, 1.0), name="b"))
    )
    assert again.length == once.length
    assert again.sections == once.sections
    assert [st.s for st in again.stations] == [st.s for st in once.stations]


def test_that_sections_meet_where_the_next_one_begins() -> None:
    built = build_track(
        track(
            straight("run", [10.0, 0.0, 0.0], start=[0.0, 0.0, 0.0]),
            spline((20.0, 1.0, 0.0), (30.0, 5.0, 1.0), name="turn"),
            spline((38.0, 12.0, 2.0), (42.0, 20.0, 2.0), name="climb"),
            straight("out", [44.0, 30.0, 2.0]),
        )
    )
    assert [span.name for span in built.sections] == ["run", "turn", "climb", "out"]
    places = built.centreline.position([span.s0 for span in built.sections] + [built.length])
    expected = [[0, 0, 0], [10, 0, 0], [38, 12, 2], [42, 20, 2], [44, 30, 2]]
    assert np.abs(places - expected).max() < 1e-11
    assert built.sections[0].s1 == built.sections[1].s0


def test_that_large_and_small_tracks_are_built() -> None:
    for scale in (0.2, 30.0):
        points = tuple(
            tuple(scale * v for v in p) for p in ((0, 0, 0), (50, 5, 0), (100, 30, 8), (120, 80, 3))
        )
        built = build_track(track(spline(*points, cant=0.1), gauge=0.1))
        assert built.length == pytest.approx(scale * 167.0, rel=0.05)
        speed = np.linalg.norm(
            built.paths["left_rail"].sample(np.linspace(0, built.length, 999))[:, 1, :3], axis=1
        )
        assert np.abs(speed - 1.0).max() < 1e-7


def test_that_a_kept_refusal_is_another_error_each_time() -> None:
    """One that two threads raise is torn between them: the one lets go of the frames of the other."""
    bent = track(spline(LINE[0], LINE[1], LINE[1], LINE[2]))
    errors = []
    for _ in range(3):
        with pytest.raises(InputError) as caught:
            build_track(bent)
        errors.append(caught.value)
    assert len({id(error) for error in errors}) == 3
    assert all(error.__traceback__ is not None for error in errors)
    assert len({(error.said, error.where) for error in errors}) == 1
