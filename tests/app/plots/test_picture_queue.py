"""Pictures of a report, drawn in the window's thread a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.runs import Run
from ridewright.app.report.picture_queue import Asked, PictureQueue
from ridewright.app.report.pictures import ReportStudio
from ridewright.core.report.book import PictureWish
from ridewright.core.report.coming_pictures import Coming


@pytest.fixture
def run(with_run: Document) -> Run:
    assert with_run.current_run is not None
    return with_run.current_run


@pytest.fixture
def queue(run: Run, with_run: Document) -> Iterator[PictureQueue]:
    made = PictureQueue(run.project, run.results, with_run)
    yield made
    made.close()


def wished(run: Run, *times: float) -> list[Asked]:
    """Pictures that are asked for."""
    rider = next(iter(run.results.names.riders))
    return [Asked(PictureWish(time, rider, "head"), Coming()) for time in times]


def test_that_what_is_asked_for_comes_whether_the_scene_was_there_or_not(
    run: Run, queue: PictureQueue, with_run: Document, qtbot: QtBot
) -> None:
    ahead = PictureQueue(run.project, run.results, with_run)
    ahead.make_ready()
    qtbot.waitUntil(lambda: ahead._studio is not None and ahead._doing is None, timeout=60_000)
    pictures = []
    for one in (queue, ahead):
        asked = wished(run, 0.5, 1.0)
        for wish in asked:
            one.draw(wish)
        qtbot.waitUntil(lambda asked=asked: all(wish.coming.done() for wish in asked), timeout=60_000)
        pictures.append([wish.coming.result() for wish in asked])
    works = queue._studio is not None and queue._studio.works
    ahead.close()
    ahead.make_ready()  # too late, and of no effect
    if not works:
        pytest.skip("nothing draws off screen here")
    assert pictures[0] == pictures[1]
    assert pictures[0][0] != pictures[0][1]
    assert all(QImage.fromData(data).width() for data in pictures[0] if data is not None)


def test_that_nobody_waits_for_a_picture_that_cannot_be_drawn(
    run: Run, queue: PictureQueue, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(self: ReportStudio, wish: PictureWish) -> Iterator[QImage | None]:
        yield None
        raise RuntimeError("no memory")

    monkeypatch.setattr(ReportStudio, "draw", draw)
    queue._studio = ReportStudio(run.project, run.results)
    if not queue._studio.works:
        pytest.skip("nothing draws off screen here")
    asked = wished(run, 0.5, 1.0)
    with qtbot.captureExceptions() as raised:
        for wish in asked:
            queue.draw(wish)
        qtbot.waitUntil(lambda: all(wish.coming.done() for wish in asked), timeout=60_000)
    assert [wish.coming.result() for wish in asked] == [None, None]
    assert len(raised) == 1


def test_that_a_queue_closed_at_work_answers_what_it_draws(
    run: Run, queue: PictureQueue, qtbot: QtBot
) -> None:
    first, second = wished(run, 0.5, 1.0)
    queue.draw(first)
    queue.draw(second)
    qtbot.waitUntil(lambda: len(queue._asked) == 1, timeout=60_000)
    queue.forget()
    queue.close()
    qtbot.waitUntil(first.coming.done, timeout=10_000)
    assert queue._studio is None
