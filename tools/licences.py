"""The licences of what the program stands on: `python -m tools.licences` writes the page of the guide anew.

Read from what is installed: every distribution that an extra of the program needs, directly or through others. With
`--texts FILE` the licence texts that the distributions carry are put into one file, for a bundle.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from ridewright.core.base.atomic import replacing

PAGE: Final = Path(__file__).parents[1] / "resources" / "guide" / "licences.md"
HEAD: Final = """# Licences

Ridewright is under the MIT licence. It stands on the packages below, each under the licence of its authors; they are
installed beside it as they are. *Brought by* names the extra that needs a package; those of the core are always there.
Written by `python -m tools.licences` from what is installed; with `--texts FILE` it writes the texts of the licences.

| Package | Licence | Brought by | Note |
|---|---|---|---|
"""
PROGRAM: Final = "ridewright"
EXTRAS: Final = ("", "studio", "studies", "structure", "nastran")  # what a bundle holds
#: What distributions that name no SPDX expression mean.
SAID: Final = {
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
#: What their metadata leave out.
KNOWN: Final = {"graphemeu": "MIT"}
BSD: Final = {True: "BSD-3-Clause", False: "BSD-2-Clause"}  # by whether the text has the third clause
THIRD: Final = "endorse or promote"  # its words
NOTES: Final = {
    "pyside6_essentials": "used under the LGPL: the libraries are separate files that a user may replace",
    "shiboken6": "used under the LGPL: the libraries are separate files that a user may replace",
    "moocore": "used under the LGPL: a separate package that a user may replace",
    "imageio-ffmpeg": "brings ffmpeg, a program of its own, under the GPL-3.0-or-later; the bundle has it without",
    "vtk": "BSD-3-Clause for VTK itself; the libraries inside it are listed in its licence folder",
}
TEXTS: Final = re.compile(r"(^|/)(LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*$", re.IGNORECASE)
OWN: Final = re.compile(r"(^|/)(LICEN[CS]E|COPYING)(\.(txt|md|rst))?$", re.IGNORECASE)


def needed() -> dict[str, str]:
    """Names of all distributions that the program needs, and the first extra that brings each ('' for the core)."""
    found: dict[str, str] = {}
    for extra in EXTRAS:
        for name in _below(PROGRAM, frozenset([extra]), set()):
            found.setdefault(name, extra)
    found.pop(PROGRAM)
    return dict(sorted(found.items()))


def _below(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    try:
        one = distribution(name)
    except PackageNotFoundError:
        raise SystemExit(f"{name} is not installed; make the whole environment first (make test).") from None
    key = _name(one)
    if (key, extras) in seen:
        return
    seen.add((key, extras))
    yield key
    for line in one.requires or ():
        wanted = Requirement(line)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from _below(wanted.name, frozenset(wanted.extras), seen)


def _name(one: Distribution) -> str:
    return one.metadata["Name"].lower()


def licence(name: str) -> str:
    """The licence of an installed distribution as an SPDX expression. Raises SystemExit where none is to be read."""
    meta = distribution(name).metadata
    said = meta.get("License-Expression") or KNOWN.get(name)
    if said:
        return str(said)
    field = (meta.get("License") or "").strip().split("\n")[0]
    classes = [
        one.split("::")[-1].strip() for one in meta.get_all("Classifier") or () if one.startswith("License")
    ]
    for word in (field, *classes):
        if word in SAID.values() or word in BSD.values() or " OR " in word:
            return word
        if word in SAID:
            return SAID[word]
        if word.startswith("BSD"):
            return BSD[THIRD in " ".join(_text(distribution(name), OWN).split())]
    raise SystemExit(f"The licence of {name} is not to be read from its metadata; add it to KNOWN.")


def page() -> str:
    """The page of the guide as Markdown: package, licence, the extra that brings it, note."""
    rows = (
        f"| {name} | {licence(name)} | {extra or 'core'} | {NOTES.get(name, '')} |\n"
        for name, extra in needed().items()
    )
    return HEAD + "".join(rows)


def texts() -> str:
    """The licence files of all distributions, one after the other under their names and versions."""
    parts = []
    for name in needed():
        one = distribution(name)
        parts.append(f"{name} {one.version}\n{'=' * 70}\n{licence(name)}\n\n{_text(one)}\n")
    return "\n\n".join(parts)


def _text(one: Distribution, which: re.Pattern[str] = TEXTS) -> str:
    # what stands outside of the packages is not there where they were installed into a folder of their own
    found = [
        file for file in one.files or () if which.search(str(file)) and Path(str(file.locate())).is_file()
    ]
    return "\n\n".join(
        Path(str(file.locate())).read_text(encoding="utf-8", errors="replace").strip() for file in found
    )


def main() -> None:
    """Write the page; or the texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, metavar="FILE", help="write the licence texts there instead")
    wanted = parser.parse_args()
    target, said = (PAGE, page()) if wanted.texts is None else (wanted.texts, texts())
    with replacing(target) as part:
        part.write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main()
