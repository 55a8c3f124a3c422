"""The templates of the report: the program's own, or those of a folder of the user's."""

from __future__ import annotations

from importlib import resources

from ..base.errors import InputError
from ..base.reading import read_file
from ..base.user_folders import expanded

NAMES = ("report.typ", "report.html")
LARGEST = 5_000_000  # bytes


def template_text(name: str, folder: str = "") -> str:
    """The template of a name: from the folder where it has one, else the program's own.

    Raises InputError when the folder has neither template, or one cannot be read.
    """
    if folder:
        position = expanded(folder)
        if not any((position / one).is_file() for one in NAMES):
            raise InputError(
                f"{position}: has neither {' nor '.join(NAMES)}; copy those of the program there and change them."
            )
        if (position / name).is_file():
            try:
                return read_file(position / name, LARGEST, "a template").decode("utf-8")
            except UnicodeDecodeError:
                raise InputError(f"{position / name}: is no UTF-8 text.") from None
    return resources.files("ridewright.resources").joinpath("report", name).read_text(encoding="utf-8")
