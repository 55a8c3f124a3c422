"""The picture of report pages in the user guide: track, limit checks and governing moments of the Looping Star.

    .venv/bin/python -m tools.report_pages          resources/guide/pictures/report_pages.png

`make screenshots` calls it at its end. The pages are those of `ridewright report` with rendered pictures.
"""

from __future__ import annotations

import datetime
import io
import re
import tempfile
from pathlib import Path

from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from ridewright.core.project.examples import load_example
from ridewright.core.report.book import ReportOptions
from ridewright.core.report.plugins import find_pictures
from ridewright.core.report.write import ReportTarget, write_report
from ridewright.core.run.simulate import simulate

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "resources" / "guide" / "pictures" / "report_pages.png"
TITLES = ("Track", "Limit checks", "Governing moments")
WIDTH, GAP = 560, 12  # px
BETWEEN = "#8f979f"


def pages_named(pdf: bytes, titles: tuple[str, ...]) -> tuple[int, ...]:
    """The pages, counted from zero, on which sections of these titles begin; the contents are left aside."""
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    heads = [[line.strip() for line in text.splitlines()] for text in texts]
    return tuple(
        next(
            k
            for k, head in enumerate(heads)
            if k > 0 and any(re.fullmatch(rf"\d+ *{title}", line) for line in head)
        )
        for title in titles
    )


def side_by_side(pages: list[QImage]) -> QImage:
    """Pages beside one another with a gap between."""
    height = max(page.height() for page in pages)
    sheet = QImage(
        sum(page.width() for page in pages) + GAP * (len(pages) - 1), height, QImage.Format.Format_RGB32
    )
    sheet.fill(BETWEEN)
    painter = QPainter(sheet)
    x = 0
    for page in pages:
        painter.drawImage(x, 0, page)
        x += page.width() + GAP
    painter.end()
    return sheet


def main() -> None:
    """Ride, report, and write the picture."""
    project = load_example("looping_star")
    results = simulate(project)
    with tempfile.TemporaryDirectory() as name:
        target = ReportTarget(pdf=Path(name) / "r.pdf", pages=Path(name) / "pages")
        files = write_report(
            project,
            results,
            target,
            options=ReportOptions(date=datetime.date.today().isoformat(), moments=3),
            pictures=find_pictures(project, results),
        )
        shown = [files[1 + k] for k in pages_named(files[0].read_bytes(), TITLES)]
        pages = [
            QImage(str(file)).scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
            for file in shown
        ]
    side_by_side(pages).save(str(PICTURE))
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
