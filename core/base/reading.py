"""Files are read whole up to a size that what they should be never has: a device, or a file of another kind, may have
no end."""

from __future__ import annotations

from pathlib import Path

from .errors import InputError
from .system_words import because

DIGITS = (
    9  # of the whole numbers by which things are counted here; Python makes no number of thousands of digits
)

_waiting = [True]


def never_wait() -> None:
    """From now on this process reads no pipes, which may keep it waiting for ever: it has a window to keep alive."""
    _waiting[0] = False


def read_file(path: Path, maximum: int, what: str) -> bytes:
    """Content of a file of at most so many bytes; what it should be, with its article, for the refusal.

    Raises InputError when it is larger, cannot be read, or its name is none.
    """
    content = _begin(path, maximum + 1)
    if len(content) > maximum:
        raise InputError(f"{path}: larger than {maximum / 1e6:g} MB; this is not {what}.")
    return content


def must_be_readable(path: Path) -> None:
    """Refuse a file that cannot be read before a window opens for it. Raises InputError as `read_file` does."""
    _begin(path, 1)


def _begin(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most so many."""
    try:
        if not _waiting[0] and path.is_fifo():
            raise InputError(
                f"{path}: is a pipe, for which a window cannot wait; save what comes out of it as a file."
            )
        with path.open("rb") as file:
            return file.read(most)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({because(error)}); check the path.") from None
    except ValueError:
        raise InputError(f"{str(path)!r}: not a file name.") from None


def natural(text: str) -> int | None:
    """The whole number that a text of digits is; None for any other text, and for one of more than DIGITS."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None
