"""Pictures that are drawn while a report is written."""

from __future__ import annotations

from threading import Timer

import pytest

from ridewright.core.report import coming_pictures
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


def test_that_a_picture_is_waited_for_however_late_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coming_pictures, "PATIENCE", 0.001)
    looks = 0

    def stopped() -> bool:
        nonlocal looks
        looks += 1
        return False

    def ask(_wish: PictureWish, coming: Coming) -> None:
        Timer(0.05, lambda: coming.set_result(b"late")).start()

    assert ComingPictures(ask, stopped)(PictureWish(1.0, "", "")) == b"late"
    assert looks > 3
