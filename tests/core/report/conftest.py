"""One short ride, reported once for all tests."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import Pictures, PictureWish, ReportOptions
from ridewright.core.report.document import ReportContent
from ridewright.core.report.run_view import RunView
from ridewright.core.report.write import ReportTarget, write_report
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

DATE = "2026-11-21T15:30:00+00:00"
OPTIONS = ReportOptions(date=DATE, moments=2)


def ridden(name: str, seconds: float) -> tuple[Project, Results]:
    """An example and the first seconds of its run."""
    project = load_example(name)
    scenario = project.scenario.model_copy(update={"duration": seconds})
    project = project.model_copy(update={"scenario": scenario})
    return project, simulate(project)


@pytest.fixture(scope="package")
def ride() -> tuple[Project, Results]:
    """The first seconds of the Looping Star, up into the climb."""
    return ridden("looping_star", 2.5)


@pytest.fixture(scope="package")
def view(ride: tuple[Project, Results]) -> RunView:
    return RunView(*ride)


class Written:
    """The forms of one report, and the pictures that were asked for."""

    def __init__(self, folder: Path, run: tuple[Project, Results]) -> None:
        self.run = run
        self.wishes: list[PictureWish] = []
        self.expected: tuple[PictureWish, ...] = ()
        self.shares: list[float] = []
        self.target = ReportTarget(
            pdf=folder / "r.pdf", html=folder / "r.html", json=folder / "r.json", csv=folder / "tables"
        )
        self.files = write_report(
            *run, self.target, options=OPTIONS, pictures=self.pictures(), on_progress=self._tell
        )
        self.content = ReportContent.model_validate_json(self.target.json.read_text(encoding="utf-8"))

    def _tell(self, share: float, what: str) -> None:
        assert what
        self.shares.append(share)

    def pictures(self) -> Pictures:
        """A renderer that has no picture for the first wish, so that both ways are gone."""
        self.wishes = []

        return Renderer(self)


class Renderer:
    """Draws for a report, and keeps which pictures it was told of ahead."""

    def __init__(self, report: Written) -> None:
        self._report = report
        report.expected = ()

    def expect(self, wishes: tuple[PictureWish, ...]) -> None:
        assert not self._report.wishes
        self._report.expected = wishes

    def __call__(self, wish: PictureWish) -> bytes | None:
        self._report.wishes.append(wish)
        return None if len(self._report.wishes) == 1 else DOT


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


# A white picture of one pixel (PNG specification, ISO/IEC 15948, clause 5).
DOT = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\xff"))
    + _chunk(b"IEND", b"")
)


@pytest.fixture(scope="package")
def drawing() -> None:
    """For tests that draw: a core without the extra "report" has nothing to draw with."""
    pytest.importorskip("matplotlib", reason="the report draws with matplotlib (extra 'report')")


@pytest.fixture(scope="package")
def written(
    drawing: None, ride: tuple[Project, Results], tmp_path_factory: pytest.TempPathFactory
) -> Written:
    """The report of the ride in all forms."""
    pytest.importorskip("typst", reason="the PDF is set by typst (extra 'report')")
    return Written(tmp_path_factory.mktemp("report"), ride)
