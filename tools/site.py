"""The guide as a site with search: `python -m tools.site [FOLDER]` builds it, broken links are errors.

    FOLDER/0.1.0/...       the site of this version (FOLDER: out/site)
    FOLDER/versions.json   the versions that are there, for the menu of versions
    FOLDER/index.html      leads to the newest

The front page is made from the README, notebooks become pages. mkdocs calls the functions that are named on_...
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
GUIDE: Final = "resources/guide/"
LOGO: Final = ROOT / "resources" / "icons" / "ridewright.svg"
LINK: Final = re.compile(r"(!?\[[^\]]*\])\(([^)#]+)(#[^)]*)?\)")
LEADS_ON: Final = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}/index.html">\n'
)


def on_files(files: Any, config: Any) -> Any:
    """Add the front page and the notebooks to the pages of the guide."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "index.md", content=front_page()))
    files.append(File.generated(config, LOGO.name, abs_src_path=str(LOGO)))
    for notebook in sorted((ROOT / GUIDE / "notebooks").glob("*.ipynb")):
        name = f"notebooks/{notebook.stem}.md"
        files.append(File.generated(config, name, content=notebook_page(notebook)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links from pages to notebooks lead to the pages made from them."""
    return markdown.replace(".ipynb)", ".md)")


def front_page() -> str:
    """The README, its links seen from the guide; what the guide does not have keeps its words without the link."""

    def seen(found: re.Match[str]) -> str:
        words, target, heading = found[1], found[2], found[3] or ""
        if target.startswith(GUIDE):
            return f"{words}({target.removeprefix(GUIDE)}{heading})"
        return found[0] if "://" in target else words.strip("![]")

    return LINK.sub(seen, (ROOT / "README.md").read_text(encoding="utf-8"))


def notebook_page(path: Path) -> str:
    """The cells of a notebook as Markdown, with a link to the notebook itself."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    parts = [
        text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
        for cell, text in zip(cells, texts, strict=True)
    ]
    return "\n\n".join([*parts, f"The notebook itself: `{GUIDE}notebooks/{path.name}`."])


def build(folder: Path, guide: Path = ROOT / GUIDE) -> None:
    """Build the site of this version from the pages of a guide. Raises SystemExit where a link leads nowhere."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort

    from ridewright.core.base.version import VERSION

    config = load_config(
        str(ROOT / "tools" / "site.yml"), docs_dir=str(guide), site_dir=str(folder / VERSION)
    )
    config.plugins.on_startup(command="build", dirty=False)
    try:
        make(config)
    except Abort as error:
        raise SystemExit(str(error)) from None
    there = sorted((path.name for path in folder.iterdir() if path.is_dir()), key=_numbers, reverse=True)
    listed = [
        {"version": one, "title": one, "aliases": ["latest"] if one == there[0] else []} for one in there
    ]
    (folder / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    (folder / "index.html").write_text(LEADS_ON.format(there[0]), encoding="utf-8")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(one) for one in re.findall(r"\d+", version))


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "site")
