"""The report from the studio: the numbers of the screen, rendered pictures, progress and cancel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from vtkmodules.vtkRenderingCore import vtkActor, vtkTextActor

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.injury_panel.panel import InjuryPanel
from ridewright.app.report.dialog import ReportDialog
from ridewright.app.report.pictures import HEIGHT, WIDTH, ReportStudio, portions
from ridewright.app.shell.application import make_window
from ridewright.app.widgets.settings import Settings
from ridewright.app.work import threads
from ridewright.app.work.task import end_tasks
from ridewright.core.report.book import PictureWish, ReportOptions
from ridewright.core.report.document import ReportContent
from ridewright.core.report.write import ReportTarget, write_report
from tests.app import kept_window

DATE = "2026-11-21T15:30:00+00:00"
LEADING = re.compile(r"[−-]?\d[\d.,]*(?:e[+−-]?\d+)?")


@pytest.fixture
def panel(
    with_run: Document,
    playback: Playback,
    settings: Settings,
    shown: Callable[..., QWidget],
    qtbot: object,
) -> Iterator[InjuryPanel]:
    made = InjuryPanel(with_run, playback, settings)
    shown(made)
    qtbot.waitUntil(lambda: made.model.rowCount() > 0, timeout=120_000)  # type: ignore[attr-defined]
    yield made
    end_tasks(made)


@pytest.fixture
def dialog(
    with_run: Document, settings: Settings, tmp_path: Path, shown: Callable[..., QWidget]
) -> Iterator[ReportDialog]:
    settings.last_folder = tmp_path
    run = with_run.current_run
    assert run is not None
    made = ReportDialog(run, "Looping Star", settings)
    made.path.setText(str(tmp_path / "ride.pdf"))
    made.moments.setValue(1)
    shown(made, 500, 400)
    yield made
    made.close()


def number(text: str) -> float:
    """The number a text begins with."""
    found = LEADING.match(text)
    assert found is not None, text
    return float(found.group().replace("−", "-").replace(",", ""))


RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def close(a: str, b: str) -> bool:
    """Whether two texts show one number, each rounded to the places it has."""
    a, b = (re.sub(r"\s×\s10", "e", text).translate(RAISED) for text in (a, b))

    def place(text: str) -> float:
        shown = LEADING.match(text)
        assert shown is not None
        digits, _, exponent = shown.group().replace("−", "-").partition("e")
        return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))

    return abs(number(a) - number(b)) <= 0.5001 * (place(a) + place(b))


def test_that_the_report_says_what_the_screen_says(
    panel: InjuryPanel, with_run: Document, tmp_path: Path
) -> None:
    pypdf = pytest.importorskip("pypdf")
    run = with_run.current_run
    assert run is not None
    target = ReportTarget(pdf=tmp_path / "r.pdf", json=tmp_path / "r.json")
    write_report(
        run.project, run.results, target, options=ReportOptions(date=DATE, moments=1, uncertainty=True)
    )
    content = ReportContent.model_validate_json(target.json.read_text(encoding="utf-8"))
    tables = {table.id: table for table in content.tables()}
    checks, apart = tables["limit_checks"], tables["limits_apart"]
    pdf = re.sub(r"\s", "", "".join(page.extract_text() for page in pypdf.PdfReader(target.pdf).pages))
    sentences = pdf.partition("Furtherinside")[2].partition("Rulesbehindthelimits")[0]
    keys = [column.key for column in checks.columns]
    shown = panel.model
    assert shown.rowCount() == len(checks.rows) + len(apart.rows)
    assert len(checks.rows) > 20
    near = checks.printed_rows
    assert near is not None
    assert near > 8
    for k, row in enumerate((*checks.rows, *apart.rows)):
        said = {key: cell for key, cell in zip(keys, row, strict=True)}

        def on_screen(title: str, k: int = k) -> str:
            return str(shown.index(k, panel.model.column(title)).data() or "")

        assert on_screen("Margin").removesuffix(" %") == said["margin"].text
        assert on_screen("Verdict").removesuffix(", not meant for it") == said["verdict"].text
        assert close(on_screen("Value"), said["value"].text)
        assert close(on_screen("Limit"), said["limit"].text)
        assert close(on_screen("When"), said["time"].text)
        # what is far inside, or is not meant for a ride, paper names in a sentence
        told = ("value", "uncertainty", "limit", "unit") if k < near else ("criterion",)
        assert re.sub(r"\s", "", "".join(said[key].text for key in told)) in (pdf if k < near else sentences)


def test_that_the_dialog_writes_the_report_with_rendered_pictures(
    dialog: ReportDialog, tmp_path: Path, qtbot: object
) -> None:
    dialog.html.setChecked(True)
    dialog.begin()
    assert not dialog.make.isEnabled()
    qtbot.waitUntil(lambda: dialog.job is None, timeout=120_000)  # type: ignore[attr-defined]
    assert dialog.written == (tmp_path / "ride.pdf", tmp_path / "ride.html"), dialog.note.text()
    page = (tmp_path / "ride.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 1
    assert (tmp_path / "ride.pdf").read_bytes().startswith(b"%PDF")
    assert dialog.open_button.isEnabled()
    assert "Saved" in dialog.note.text()


def test_that_cancel_ends_the_report_without_a_file(
    dialog: ReportDialog, tmp_path: Path, qtbot: object
) -> None:
    dialog.begin()
    assert dialog.job is not None
    with qtbot.waitSignal(dialog.job.progressed, timeout=60_000):  # type: ignore[attr-defined]
        pass
    dialog.reject()
    qtbot.waitUntil(lambda: dialog.job is None, timeout=60_000)  # type: ignore[attr-defined]
    assert dialog.isVisible()
    assert "Stopped" in dialog.note.text()
    assert list(tmp_path.glob("*.pdf")) == []


@pytest.mark.usefixtures("no_window")
def test_that_a_window_closed_while_a_report_is_made_ready_leaves_no_thread(
    settings: Settings, make_run: Callable[..., Run], qtbot: object
) -> None:
    window, _ = make_window(settings)
    kept_window.first_shown(window, qtbot)
    window.document.add_run(make_run())
    window.actions_table.by_id["report"].trigger()
    assert "report ahead" in threads.running()
    kept_window.close(window)
    assert threads.running() == ()


def test_that_trouble_is_told_in_the_dialog(dialog: ReportDialog, tmp_path: Path, qtbot: object) -> None:
    (tmp_path / "file").write_text("in the way")
    dialog.path.setText(str(tmp_path / "file" / "ride.pdf"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.job is None, timeout=120_000)  # type: ignore[attr-defined]
    assert "cannot be written" in dialog.note.text()
    assert dialog.written == ()
    assert dialog.make.isEnabled()


def test_that_closing_the_dialog_ends_the_thread(
    with_run: Document, settings: Settings, tmp_path: Path, shown: Callable[..., QWidget]
) -> None:
    run = with_run.current_run
    assert isinstance(run, Run)
    made = ReportDialog(run, "Looping Star", settings)
    made.path.setText(str(tmp_path / "ride.pdf"))
    shown(made, 500, 400)
    made.begin()
    assert "report" in threads.running()
    made.close()
    assert "report" not in threads.running()
    assert list(tmp_path.glob("*.pdf")) == []


def test_that_a_picture_drawn_part_by_part_is_that_drawn_at_once(with_run: Document) -> None:
    run = with_run.current_run
    assert isinstance(run, Run)
    whole, parts = ReportStudio(run.project, run.results), ReportStudio(run.project, run.results, at_once=3)
    try:
        if not (whole.works and parts.works):
            pytest.skip("nothing draws off screen here")
        rider = next(iter(run.results.names.riders))
        for time in (0.5, 1.0):  # the second in larger parts
            wish = PictureWish(time, rider, "head")
            (at_once,) = (one for one in whole.draw(wish) if one is not None)
            *pieces, last = parts.draw(wish)
            assert pieces
            assert not any(pieces)
            assert isinstance(last, QImage)
            assert last == at_once
    finally:
        whole.close()
        parts.close()


def test_that_everything_is_in_one_part_and_what_is_seen_through_is_the_last() -> None:
    solid, clear = vtkActor(), vtkActor()
    clear.GetProperty().SetOpacity(0.5)
    flat = vtkTextActor()
    props = [flat, clear, *[solid] * 7]
    assert [len(part) for part in portions(props, (0, 1, 2))] == [0, 1, 2, 2, 2, 2]
    assert portions(props, (0, 1, 2))[-1] == [flat, clear]
    assert [len(part) for part in portions(props, (100,))] == [7, 2]  # all that is left
    assert portions([], (0, 5)) == [[], []]


WITHOUT_DISPLAY = """
import sys
from ridewright.app.report.pictures import find
from ridewright.core.project.examples import load_example
from ridewright.core.report.book import PictureWish
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

project = load_example("planar_pendulum")
draw = find(project, simulate(project))
sys.stdout.buffer.write(b"none" if draw is None else draw(PictureWish(0.5, "", "")))
"""


@pytest.mark.parametrize("window", ["", "vtkOSOpenGLRenderWindow"])
def test_that_pictures_without_a_display_are_drawn_or_politely_left_out(window: str) -> None:
    surroundings = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    if window:  # most machines have no OSMesa: the case in which drawing would end the program
        surroundings["VTK_DEFAULT_OPENGL_WINDOW"] = window
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_DISPLAY],
        env=surroundings,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    if done.stdout != b"none":
        image = QImage.fromData(done.stdout)
        assert (image.width(), image.height()) == (WIDTH, HEIGHT)
        line = {image.pixel(x, HEIGHT // 2) for x in range(WIDTH)}
        assert len(line) > 10  # a pendulum before a sky, not an empty window
