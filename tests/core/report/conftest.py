"""One short ride, reported once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="the report draws with matplotlib (extra 'report')")
pytest.importorskip("typst", reason="the report is set with typst (extra 'report')")

from core.examples import load_example
from core.project import Project
from core.report.book import PictureWish, ReportOptions
from core.report.document import ReportContent
from core.report.run_view import RunView
from core.report.write import ReportTarget, write_report
from core.results import Results
from core.solver.simulate import simulate

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
    """Three seconds of the Looping Star, up into the climb."""
    return ridden("looping_star", 3.0)


@pytest.fixture(scope="package")
def view(ride: tuple[Project, Results]) -> RunView:
    return RunView(*ride)


class Written:
    """The forms of one report, and the pictures that were asked for."""

    def __init__(self, folder: Path, run: tuple[Project, Results]) -> None:
        self.run = run
        self.wishes: list[PictureWish] = []
        self.shares: list[float] = []
        self.target = ReportTarget(
            pdf=folder / "r.pdf", html=folder / "r.html", json=folder / "r.json", csv=folder / "tables"
        )
        self.files = write_report(*run, self.target, options=OPTIONS, pictures=self._draw, on_progress=self._tell)
        self.content = ReportContent.model_validate_json(self.target.json.read_text(encoding="utf-8"))

    def _tell(self, share: float, what: str) -> None:
        assert what
        self.shares.append(share)

    def _draw(self, wish: PictureWish) -> bytes | None:
        """No picture for the first wish, so that both ways are gone."""
        self.wishes.append(wish)
        return None if len(self.wishes) == 1 else DOT


# A white PNG of one pixel.
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c63f80f00010101001bb6ee560000000049454e44ae426082"
)


@pytest.fixture(scope="package")
def written(ride: tuple[Project, Results], tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The report of the ride in all forms."""
    return Written(tmp_path_factory.mktemp("report"), ride)
