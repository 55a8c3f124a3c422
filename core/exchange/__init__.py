"""File formats of tracks, one file or folder each: every one that has a FORMAT is one (`core.exchange.base`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..base.delimited import lines_of, table_of
from ..base.errors import InputError
from ..base.folder import modules_with
from ..base.system_words import because
from ..track.build import BuiltTrack
from .base import Format, Imported, ReadOptions, Report, WriteOptions
from .thesis_table import COLUMN_NAMES

__all__ = [
    "Format",
    "Imported",
    "ReadOptions",
    "Report",
    "WriteOptions",
    "export_track",
    "format_named",
    "formats",
    "guess_reader",
    "guess_writer",
    "import_track",
    "readers",
    "writers",
]


@cache
def formats() -> tuple[Format, ...]:
    """All formats, those that can be read first, by their titles."""
    found: list[Format] = [module.FORMAT for module in modules_with(__name__, "FORMAT")]
    return tuple(sorted(found, key=lambda one: (one.read is None, one.title.lower())))


def readers() -> tuple[Format, ...]:
    """The formats a track can be read from."""
    return tuple(f for f in formats() if f.read is not None)


def writers() -> tuple[Format, ...]:
    """The formats a track can be written to."""
    return tuple(f for f in formats() if f.write is not None)


def format_named(name: str) -> Format:
    """The format with an id; raises InputError naming those there are."""
    for entry in formats():
        if entry.id == name:
            return entry
    raise InputError(f"There is no format '{name[:40]}'; choose {', '.join(f.id for f in formats())}.")


def _by_ending(path: Path, among: tuple[Format, ...]) -> Format | None:
    name = path.name.lower()
    fitting = [(ending, f) for f in among for ending in f.extensions if name.endswith(ending)]
    return max(fitting, key=lambda pair: len(pair[0]))[1] if fitting else None


def guess_reader(path: Path) -> Format:
    """The format a file is to be read as: by its ending, text tables by the numbers in a row.

    Files with endings of no format are taken for the one that takes any. Raises InputError when the file cannot be
    read, or is of a kind that can only be written.
    """
    found = _by_ending(path, readers())
    if found is not None and found.columns is None:
        return found
    written = _by_ending(path, writers())
    if found is None and written is not None:
        raise InputError(
            f"{path}: {written.title} can be written but not read; import one of {_endings(readers())}."
        )
    columns = _columns(path)
    reported = [one for one in readers() if one.columns == columns] + [
        one for one in readers() if one.any_ending
    ]
    return reported[0]


def _refuse_rail(path: Path) -> None:
    """By its name, whatever format it is said to be of."""
    if path.is_file() and _columns(path) == len(COLUMN_NAMES):
        raise InputError(
            f"{path}: is the {len(COLUMN_NAMES)}-column table of one rail, which other programs read; import the "
            "project it came from, or a table of the centreline in 9 columns (x y z, n, b)."
        )


def guess_writer(path: Path) -> Format:
    """The format a file is to be written as, by its ending; raises InputError naming the endings there are."""
    found = _by_ending(path, writers())
    if found is None:
        raise InputError(f"{path}: the ending says no format to write; choose one of {_endings(writers())}.")
    return found


def import_track(path: Path, options: ReadOptions | None = None, format_id: str | None = None) -> Imported:
    """Read a track from a file, in the format named or the one guessed. Raises InputError naming file and place."""
    if not path.name:
        raise InputError(f"'{path}' names no file; give the name of the file to read.")
    chosen = guess_reader(path) if format_id is None else format_named(format_id)
    if chosen.read is None:
        raise InputError(f"{chosen.title} can be written but not read; choose one of {_ids(readers())}.")
    if chosen.columns is not None:
        _refuse_rail(path)
    return chosen.read(path, options or ReadOptions())


def export_track(
    built: BuiltTrack, path: Path, options: WriteOptions | None = None, format_id: str | None = None
) -> Report:
    """Write a track to a file, in the format named or the one its ending says. Raises InputError."""
    if not path.name:
        raise InputError(f"'{path}' names no file; give the name of the file to write.")
    chosen = guess_writer(path) if format_id is None else format_named(format_id)
    if chosen.write is None:
        raise InputError(f"{chosen.title} can be read but not written; choose one of {_ids(writers())}.")
    return chosen.write(built, path, options or WriteOptions())


def _endings(formats: tuple[Format, ...]) -> str:
    return ", ".join(ending for f in formats for ending in f.extensions)


def _ids(formats: tuple[Format, ...]) -> str:
    return ", ".join(f.id for f in formats)


def _columns(path: Path) -> int:
    """Number of columns of the last line of a text file; raises InputError when it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - 4096))
            tail = file.read(4096).decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({because(error)}).") from None
    except ValueError:
        raise InputError(f"{str(path)!r}: not a file name.") from None
    last = table_of("\n".join(line for _, line in lines_of(tail)[-1:]), blanks=True)
    return len(last.rows[-1].cells) if last.rows else 0
