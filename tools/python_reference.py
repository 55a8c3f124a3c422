"""The reference of the Python door, from its docstrings; `python -m tools.python_reference` writes it to the guide."""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

from ridewright.core import api
from ridewright.core.base.atomic import replacing
from ridewright.core.outcome.rider_view import Judgement, RiderJudgement
from ridewright.core.pointmass.result import PointRide
from ridewright.core.results.results import Channel, Results, Status
from ridewright.core.studies.calibrate import Calibration, Fitted
from ridewright.core.studies.store import Table

WIDE: Final = 118  # letters of a line
PAGE: Final = Path(__file__).parents[1] / "resources" / "guide" / "python-reference.md"
HEAD: Final = """# Reference of the Python door

Made from the docstrings by `python -m tools.python_reference`; how the door is used is told in [Python](python.md).
Lengths in m, times in s, angles in rad, masses in kg, loads in g; whatever cannot be used raises `rw.InputError` with
one sentence.
"""
EDITS: Final = """## Edits

Each gives a changed copy of the project and leaves the old one as it is. A `Path` is the place of an element as names
from the top, `("Car 1", "Rider", "Head")`; `()` is the train or the rig itself.
"""
LISTED: Final = ("Parameters", "Raises")  # sections of a docstring, numpy style, that name things
RETURNED: Final = (PointRide, Results, Status, Channel, Judgement, RiderJudgement, Table, Calibration, Fitted)


def page() -> str:
    """The page as Markdown: functions, edits, and what they return, each in alphabetical order."""
    names = [name for name in api.__all__ if name not in ("__version__", "edits")]
    parts = [HEAD, "## Functions\n"]
    parts += [_entry(f"rw.{name}", getattr(api, name)) for name in names if not _is_class(api, name)]
    parts.append(EDITS)
    parts += [_entry(f"rw.edits.{name}", getattr(api.edits, name)) for name in api.edits.__all__]
    parts.append("## Values\n")
    parts += [_entry(f"rw.{name}", getattr(api, name)) for name in names if _is_class(api, name)]
    parts += [_entry(one.__name__, one) for one in RETURNED]
    return "\n".join(parts)


def _is_class(module: Any, name: str) -> bool:
    return inspect.isclass(getattr(module, name))


def _entry(title: str, thing: Any) -> str:
    said = _markdown(inspect.getdoc(thing) or "")
    if inspect.isclass(thing):
        return f"### `{title}`\n\n{said}\n{_fields(thing)}{_properties(thing)}"
    return f"### `{title}`\n\n```python\n{_signature(title, thing)}\n```\n\n{said}\n"


def _signature(title: str, function: Any) -> str:
    """The head of a function as one writes it; annotations are text already."""
    found = inspect.signature(function)
    parts = []
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = "" if one.default is one.empty else f" = {one.default!r}"
        parts.append(f"{one.name}: {one.annotation}{default}")
    line = f"{title}({', '.join(parts)}) -> {found.return_annotation}"
    if len(line) <= WIDE:
        return line
    return f"{title}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {found.return_annotation}"


def _fields(thing: type) -> str:
    """Names of the fields of a dataclass."""
    if not is_dataclass(thing):
        return ""
    names = ", ".join(f"`{one.name}`" for one in fields(thing) if not one.name.startswith("_"))
    return "\n" + textwrap.fill(f"Fields: {names}.", WIDE) + "\n"


def _properties(thing: type) -> str:
    """The public properties of a class that say what they are."""
    found = {name: one for name, one in vars(thing).items() if isinstance(one, property) and name[0] != "_"}
    lines = [f"- `{name}`: {_markdown(one.__doc__)}" for name, one in found.items() if one.__doc__]
    return "\n" + "\n".join(lines) + "\n" if lines else ""


def _markdown(text: str) -> str:
    """A docstring in lines of the page, with what Markdown would take for a tag kept as text."""
    parts = [_part(part) for part in inspect.cleandoc(text).split("\n\n")]
    return re.sub(r"(?<!`)<(?=\w)", "&lt;", "\n\n".join(parts))


def _part(text: str) -> str:
    """A paragraph, or a section with its heading; parameters and errors as a list."""
    heading, _, rest = text.partition("\n")
    if not re.match(r"-+(\n|$)", rest):
        return textwrap.fill(text, WIDE)
    body = rest.partition("\n")[2]
    if heading not in LISTED:
        return textwrap.fill(f"**{heading}:** {body}", WIDE)
    named = re.split(r"^(\w+)\n", body, flags=re.MULTILINE)[1:]
    rows = [
        textwrap.fill(f"- `{name}`: {' '.join(what.split())}", WIDE, subsequent_indent="  ")
        for name, what in zip(named[::2], named[1::2], strict=True)
    ]
    return "\n".join((f"**{heading}:**\n", *rows))


def main() -> None:
    """Write the page."""
    with replacing(PAGE) as part:
        part.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
