"""Pictures that are drawn while a report is written."""

from __future__ import annotations

import pytest

from ridewright.core.report.book import PictureWish, Stopped
from ridewright.core.report.coming_pictures import Coming, ComingPictures


def test_that_pictures_are_asked_for_before_they_are_waited_for_and_once() -> None:
    wishes = tuple(PictureWish(time, "Car/Rider", "head") for time in (1.0, 2.0))
    asked: list[tuple[PictureWish, Coming]] = []
    over = False
    pictures = ComingPictures(lambda *one: asked.append(one), lambda: over)
    pictures.expect((*wishes, wishes[0]))
    assert [wish for wish, _ in asked] == [*wishes]
    asked[0][1].set_result(b"png")
    asked[1][1].set_result(None)
    assert pictures(wishes[1]) is None
    assert pictures(wishes[0]) == b"png"
    assert len(asked) == 2
    over = True
    with pytest.raises(Stopped):
        pictures(PictureWish(3.0, "", ""))
