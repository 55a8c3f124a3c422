"""The program `ridewright`: reads the command line, runs one command, turns every ending into an exit code."""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from ..base.errors import InputError
from ..base.nearest import the_nearest
from ..base.system_words import because
from ..base.version import VERSION
from . import (
    check,
    contact_peaks,
    criteria,
    cross_check,
    design,
    equilibrium,
    examples,
    export_table,
    export_track,
    fit,
    girder,
    human,
    import_frame,
    import_structure,
    import_survey,
    import_track,
    info,
    limits,
    load_cases,
    make_flexible,
    mass_division,
    mechanisms,
    modes,
    origin,
    put_seat,
    report,
    ride_point,
    schema,
    seats,
    section,
    simulate,
    spectrum,
    steelwork,
    stress,
    study,
    textbook,
    train,
    who_may_ride,
)

MAX_SHOWN = 700  # characters of a complaint; what was typed may be of any length
DONE = 0
ENDED_EARLY = 1
BAD_INPUT = 2
BROKEN = 3
#: What a stream answers that is full, has gone with its terminal, or was closed.
SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EBADF, errno.ENXIO, errno.EPIPE)

COMMANDS = (
    simulate,
    cross_check,
    ride_point,
    textbook,
    check,
    equilibrium,
    modes,
    mass_division,
    section,
    design,
    train,
    human,
    put_seat,
    fit,
    import_structure,
    make_flexible,
    import_track,
    import_frame,
    import_survey,
    export_table,
    export_track,
    mechanisms,
    criteria,
    limits,
    load_cases,
    origin,
    report,
    info,
    seats,
    spectrum,
    steelwork,
    girder,
    stress,
    study,
    who_may_ride,
    contact_peaks,
    schema,
    examples,
)


NOT_A_NUMBER = re.compile(r"invalid (float|int) value: (.*)")


BAD_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


def _bad_choice(found: re.Match[str]) -> str:
    known = [name.strip("'") for name in found[2].split(", ")]
    return f"invalid choice: '{found[1]}'; {the_nearest(found[1], known)}choose from {', '.join(known)}"


def _no_number(found: re.Match[str]) -> str:
    return f"{found[2]} is no {'whole ' if found[1] == 'int' else ''}number"


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a wrong command line as one sentence, like any other bad input."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # "-0.02,0.01,0" is a list of numbers behind an option, as "-0.02" is one, and no option of its own.
        self._negative_number_matcher = re.compile(r"^-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(,.*)?$")

    def error(self, message: str) -> NoReturn:
        message = BAD_CHOICE.sub(_bad_choice, NOT_A_NUMBER.sub(_no_number, message))
        raise InputError(f"{message} (see '{self.prog} --help').")


def parser() -> Parser:
    """The command line: one sub-command per module of `COMMANDS`."""
    top = Parser(
        prog="ridewright",
        description="Ride a coaster track with a multibody vehicle and seated riders; see what it does to them.",
        epilog="Exit codes: 0 done, 1 the run ended early, 2 bad input, 3 a fault of the program.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"ridewright {VERSION}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    argv: arguments without the program's name, sys.argv by default. Codes: 0 done, 1 the run ended early or was
    interrupted, 2 bad input (one sentence on stderr), 3 a fault of the program (the traceback is in a log file).
    """
    _say_everything()
    try:
        _refuse_unusable(sys.argv[1:] if argv is None else argv)
        arguments = parser().parse_args(argv)
        code: int = arguments.run(arguments)
        if sys.stdout is not None:  # closed by whoever started us
            sys.stdout.flush()
    except InputError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _complain("interrupted; nothing was written.")
        return ENDED_EARLY
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough.
        _silence()
        return DONE
    except OSError as error:
        if error.filename is not None:
            _complain(f"{error.filename}: cannot be used ({because(error)}); choose another file or folder.")
            return BAD_INPUT
        if error.errno not in SYSTEM:
            return _broken(error, argv)
        _silence()
        _complain(f"the output cannot be written ({because(error)}); send it somewhere else.")
        return BAD_INPUT
    except MemoryError:
        _complain(
            "this needs more memory than the machine has; lower settings.sample_rate or the duration,"
            " or thin out what is read."
        )
        return BAD_INPUT
    except Exception as error:
        return _broken(error, argv)
    return code


def _refuse_unusable(argv: Sequence[str]) -> None:
    """No file and no name holds a null character; the file system would answer with a fault. And "--" behind an option
    is taken for the end of all options, and leaves it without its value."""
    for text in argv:
        if text.startswith("--") and text.endswith("=--"):
            raise InputError(f"{text}: the option has no value; give one or leave it out.")
        if "\0" in text:
            raise InputError(f"{text!r}: holds a null character, which no name can have; leave it out.")


def _broken(error: Exception, argv: Sequence[str] | None) -> int:
    _complain(f"a fault of the program ({type(error).__name__}); please report it with {_log(argv)}.")
    return BROKEN


def _complain(sentence: str) -> None:
    text = " ".join(sentence.split())
    if len(text) > MAX_SHOWN:
        text = text[: MAX_SHOWN // 2] + " ... " + text[-MAX_SHOWN // 2 :]
    with suppress(OSError):  # nobody is there to read it
        print("ridewright: " + text, file=sys.stderr)


def _say_everything() -> None:
    """Characters that the terminal has not are written as their codes instead of stopping the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _silence() -> None:
    """Nothing more can be written on stdout; Python must not complain about it at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _log(argv: Sequence[str] | None) -> Path:
    """Keep the traceback for whoever mends the fault; returns where."""
    handle, name = tempfile.mkstemp(prefix="ridewright-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"ridewright {VERSION}, Python {sys.version}\n")
        file.write(f"arguments: {list(sys.argv[1:] if argv is None else argv)!r}\n\n")
        file.write(traceback.format_exc())
    return Path(name)
