"""Trouble with input becomes a message that says what to do."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from ....core.base.errors import InputError
from ....core.base.system_words import because
from ...widgets import dialogs, units
from ..studio import Studio


class HasStudio(Protocol):
    @property
    def studio(self) -> Studio: ...


S = TypeVar("S", bound=HasStudio)
P = ParamSpec("P")
Command = Callable[Concatenate[S, P], None]


def guarded(title: str) -> Callable[[Command[S, P]], Command[S, P]]:
    """A command whose InputError and file trouble is shown under `title`, and logged."""

    def around(command: Command[S, P]) -> Command[S, P]:
        @functools.wraps(command)
        def inner(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            try:
                command(self, *args, **kwargs)
            except (InputError, OSError) as error:
                place = (
                    "" if isinstance(error, InputError) or error.filename is None else f"{error.filename}: "
                )
                reason = units.told(error) if isinstance(error, InputError) else f"{place}{because(error)}."
                self.studio.log(f"{title}: {reason}", "warning")
                dialogs.message(self.studio.parent, title, reason, bad=True)

        return inner

    return around
