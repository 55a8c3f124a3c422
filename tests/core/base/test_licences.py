"""The page of licences names what the program stands on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_that_the_page_of_licences_has_every_package_the_program_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"]]
    for name in ("report", "studio", "studies", "structure", "nastran"):
        asked += extras[name]
    names = {re.match(r"[\w.-]+", one)[0].lower().replace("-", "_") for one in asked} - {"ridewright"}  # type: ignore[index]
    page = (ROOT / "resources" / "guide" / "licences.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in page.splitlines()
        if line.startswith("| ")
    ]
    listed = {row[0].replace("-", "_"): row[1] for row in rows[1:]}
    assert names <= set(listed)
    assert all(listed.values())
