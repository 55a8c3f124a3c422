"""The guide as a site: every page and picture that a page leads to is there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ridewright.core.base.bundled import example_names
from tools import site


def test_that_the_site_is_built_and_no_link_of_it_is_broken(tmp_path: Path) -> None:
    (tmp_path / "0.0.9").mkdir()
    site.build(tmp_path)
    (version,) = {path.name for path in tmp_path.iterdir() if path.is_dir()} - {"0.0.9"}
    made = tmp_path / version
    listed = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [one["version"] for one in listed] == [version, "0.0.9"]
    assert f"{version}/index.html" in (tmp_path / "index.html").read_text(encoding="utf-8")
    for page in ("index", "first-ride", "python-reference", "notebooks/first-ride", "developing/adding"):
        assert (made / f"{page}.html").is_file()
    shown = (made / "gallery.html").read_text(encoding="utf-8")
    for name in example_names():
        assert f"pictures/examples/{name}.png" in shown, "run python -m tools.example_pictures"
        assert (made / "pictures" / "examples" / f"{name}.png").is_file()
    found = json.loads((made / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("heartline" in entry["text"].lower() for entry in found["docs"])


def test_that_a_broken_link_ends_the_build(tmp_path: Path) -> None:
    guide = tmp_path / "guide"
    shutil.copytree(site.ROOT / site.GUIDE, guide)
    with (guide / "first-ride.md").open("a", encoding="utf-8") as page:
        page.write("\n[nowhere](no-such-page.md)\n")
    with pytest.raises(SystemExit, match="1 warning"):
        site.build(tmp_path / "site", guide)
