"""The errors a person may see: one sentence that names the place and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from .where import NOWHERE, Where


class InputError(ValueError):
    """Input that cannot be used: a file, a field, a track or a model.

    The message is one sentence for the person: which file or element, what was found, what is allowed; made by `say`
    it keeps the numbers in it as values. where: what of the project it is about, and where on the track, for whoever
    leads a person there. The command line prints it and ends with exit code 2; the studio shows it in the Problems
    panel.
    """

    def __init__(self, message: str = "", where: Where = NOWHERE) -> None:
        super().__init__(message)
        self.where = where

    @property
    def said(self) -> str:
        """The sentence, with its numbers as values where it was made by `say`."""
        return str(self) if not self.args or not isinstance(self.args[0], str) else self.args[0]

    def again(self) -> Self:
        """The same error as another one, for whoever asks again what is kept.

        One that was raised keeps all frames alive that it passed. Raised by another thread it would lose them, and
        what ends with them, in that thread: widgets whose signals are let go of there while the window sends one wait
        for one another for ever.
        """
        made = type(self).__new__(type(self), *self.args)
        made.args = self.args
        vars(made).update(vars(self))
        return made


class LimitTableError(InputError):
    """A limit table that cannot be used. It is the fault of no record, so no criterion may be left out for it."""


@contextmanager
def located(where: Where) -> Iterator[None]:
    """Errors of input raised within are about this place, unless they say a closer one."""
    try:
        yield
    except InputError as error:
        error.where = error.where.filled(where)
        raise
