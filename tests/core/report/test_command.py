"""The command `ridewright report`."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from ridewright.core.base.bundled import example_path
from ridewright.core.cli.program import BAD_INPUT, DONE, main
from ridewright.core.report import plugins
from ridewright.core.report.book import Pictures, PictureWish
from ridewright.core.report.figures import canvas
from ridewright.core.results.file import write_results
from tests.core.report.conftest import DATE, ridden


class Closing:
    """A renderer that holds something."""

    closed = False

    def __call__(self, _wish: object) -> bytes:
        return b""

    def close(self) -> None:
        self.closed = True


def test_that_the_command_writes_what_is_asked_for(
    drawing: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_results(ridden("spatial_double_pendulum", 0.3)[1], tmp_path / "results.h5")
    arguments = [
        "report",
        str(tmp_path / "results.h5"),
        "--no-pdf",
        "--html",
        "--json",
        str(tmp_path / "r.json"),
    ]
    arguments += ["--csv", str(tmp_path / "tables"), "--date", DATE, "--drawings", "--moments", "1"]
    assert main(arguments) == DONE
    assert (tmp_path / "report.html").is_file()
    assert not (tmp_path / "report.pdf").exists()
    data = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert data["format"] == "ridewright-report"
    assert data["title"]["date"] == DATE
    assert len(list((tmp_path / "tables").glob("*_bodies_1.csv"))) == 1
    assert str(tmp_path / "report.html") in capsys.readouterr().out


def test_that_a_project_file_is_run_first(drawing: None, tmp_path: Path) -> None:
    project = tmp_path / "swing.ridewright"
    project.write_text(example_path("planar_pendulum").read_text(encoding="utf-8"), encoding="utf-8")
    assert (
        main(["report", str(project), "--no-pdf", "--json", str(tmp_path / "r.json"), "--date", DATE]) == DONE
    )
    assert (
        "pendulum"
        in json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["title"]["project"].lower()
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.h5"], "nowhere.h5"),
        ([str(example_path("planar_pendulum")), "--moments", "99"], "--moments 99"),
        (
            [str(example_path("planar_pendulum")), "--no-pdf", "--html", "--date", "soon", "-o", "x.pdf"],
            "ISO 8601",
        ),
    ],
)
def test_that_bad_input_is_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["report", *arguments]) == BAD_INPUT
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_that_pictures_come_from_the_first_plug_in_that_can(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def __init__(self, name: str, made: object) -> None:
            self.name, self.made = name, made

        def load(self) -> object:
            if isinstance(self.made, Exception):
                raise self.made
            return lambda project, results: self.made

    def draw(wish: object) -> bytes:
        return b""

    found = [Entry("c", draw), Entry("a", ImportError("no studio")), Entry("b", None)]
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: found if group == "ridewright.pictures" else []
    )
    ridden = SimpleNamespace(states=SimpleNamespace(time=[0.0]))
    assert plugins.find_pictures(None, ridden) is draw
    with plugins.rendering(None, ridden) as drawn:
        assert drawn is draw
    found.insert(0, Entry("a", closing := Closing()))
    with plugins.rendering(None, ridden) as drawn:
        assert drawn is closing
        assert not closing.closed
    assert closing.closed
    found.pop(0)
    found.pop(0)
    assert plugins.find_pictures(None, ridden) is None


class Drawing:
    """Draws the name of the part that is looked at, and keeps which thread it was in."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.ready = 0

    def make_ready(self) -> None:
        self.ready += 1

    def __call__(self, wish: PictureWish) -> bytes:
        self.threads.add(threading.get_ident())
        if wish.part == "bad":
            raise RuntimeError("no picture")
        return wish.part.encode()


def test_that_who_asks_writes_beside_and_draws_here(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = Drawing()
    monkeypatch.setattr(plugins, "find_pictures", lambda project, results: drawing)
    one, two = PictureWish(1.0, "", "one"), PictureWish(1.0, "", "two")

    def write(pictures: Pictures | None) -> tuple[int, list[bytes | None]]:
        assert pictures is not None
        pictures.expect((one, two))  # type: ignore[attr-defined]
        return threading.get_ident(), [pictures(two), pictures(one), pictures(one)]

    thread, found = plugins.drawn_here(None, None, write)
    assert found == [b"two", b"one", b"one"]
    assert drawing.threads == {threading.get_ident()} != {thread}
    assert drawing.ready == 1
    monkeypatch.setattr(plugins, "find_pictures", lambda project, results: None)
    assert plugins.drawn_here(None, None, lambda pictures: pictures) is None


@pytest.mark.parametrize("part", ["bad", "good"])
def test_that_trouble_on_either_side_ends_both(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "find_pictures", lambda project, results: Drawing())

    def write(pictures: Pictures | None) -> None:
        assert pictures is not None
        pictures(PictureWish(1.0, "", part))
        raise ValueError("nothing to write")

    with pytest.raises(RuntimeError if part == "bad" else ValueError):
        plugins.drawn_here(None, None, write)


@pytest.mark.parametrize(("missing", "form"), [("matplotlib", "--no-pdf"), ("typst", "--moments=0")])
def test_that_a_core_without_the_extra_says_what_to_install(
    missing: str,
    form: str,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if missing == "typst":
        request.getfixturevalue("drawing")
    monkeypatch.setitem(sys.modules, missing, None)
    canvas._matplotlib.cache_clear()
    project = tmp_path / "swing.ridewright"
    project.write_text(example_path("planar_pendulum").read_text(encoding="utf-8"), encoding="utf-8")
    arguments = [
        "report",
        str(project),
        form,
        "-o",
        str(tmp_path / "r.pdf"),
        "--json",
        str(tmp_path / "r.json"),
    ]
    assert main(arguments) == BAD_INPUT
    assert "pip install 'ridewright[report]'" in capsys.readouterr().err
    assert not (tmp_path / "r.json").exists()
