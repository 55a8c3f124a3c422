"""The printed report: typst sets the content with the template in resources/report."""

from __future__ import annotations

from typing import Any

from ..base.atomic import scratch_folder
from ..base.errors import InputError
from .dates import timestamp
from .document import ReportContent
from .figures.canvas import font_folder
from .template import template_text

TEMPLATE = "report.typ"
# What the fonts of the program hold; other scripts are looked for among the fonts of the system.
OWN_LETTERS = ((0x20, 0x24F), (0x370, 0x3FF), (0x400, 0x45F), (0x2000, 0x22FF))


def report_pdf(content: ReportContent, files: dict[str, bytes], template: str = "") -> bytes:
    """The report as PDF; the same content and drawings give the same bytes.

    files: drawings by the names the content uses; template: a folder whose report.typ is taken, where it has one.
    Raises InputError where typst is not installed, or does not take the template.
    """
    return bytes(_compile(content, files, template, format="pdf"))


def report_pages(
    content: ReportContent, files: dict[str, bytes], ppi: float = 110.0, template: str = ""
) -> tuple[bytes, ...]:
    """The printed pages as PNG pictures, to look at; ppi: pixels an inch. Raises as `report_pdf`."""
    pages = _compile(content, files, template, format="png", ppi=ppi)
    return tuple(pages) if isinstance(pages, list) else (bytes(pages),)


def _compile(content: ReportContent, files: dict[str, bytes], own: str, **how: Any) -> Any:
    try:
        import typst
    except ImportError:
        raise InputError(
            "the PDF report needs typst; install it with: pip install 'ridewright[report]', or ask for --html."
        ) from None
    text = content.model_dump_json()
    with scratch_folder("ridewright-report") as folder:
        (folder / TEMPLATE).write_text(template_text(TEMPLATE, own), encoding="utf-8")
        (folder / "content.json").write_text(text, encoding="utf-8")
        (folder / "figures").mkdir()
        for file, data in files.items():
            (folder / "figures" / file).write_bytes(data)
        compiler = typst.Compiler(
            str(folder / TEMPLATE),
            root=str(folder),
            font_paths=[str(font_folder())],
            ignore_system_fonts=_own_letters_only(text),
        )
        try:
            return compiler.compile(timestamp=timestamp(content.title.date), **how)
        except RuntimeError as error:
            if not own:
                raise
            why = str(error).partition("\n")[0]
            raise InputError(f"{own}/{TEMPLATE}: typst does not take this template ({why}).") from None


def _own_letters_only(text: str) -> bool:
    return all(ord(c) < 0x20 or any(a <= ord(c) <= b for a, b in OWN_LETTERS) for c in set(text))
