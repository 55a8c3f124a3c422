"""Trouble with input becomes a message that says what to do."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol

from ridewright.app.widgets import dialogs
from ridewright.app.work.studio import Studio
from ridewright.core.base.errors import InputError
from ridewright.core.base.system_words import because

P = ParamSpec("P")


class HasStudio(Protocol):
    studio: Studio


def guarded(title: str) -> Callable[[Callable[Concatenate[HasStudio, P], None]], Callable[..., None]]:
    """A command whose InputError and file trouble is shown under `title`, and logged."""

    def around(command: Callable[Concatenate[HasStudio, P], None]) -> Callable[..., None]:
        @functools.wraps(command)
        def inner(self: HasStudio, *args: P.args, **kwargs: P.kwargs) -> None:
            try:
                command(self, *args, **kwargs)
            except (InputError, OSError) as error:
                place = (
                    "" if isinstance(error, InputError) or error.filename is None else f"{error.filename}: "
                )
                reason = str(error) if isinstance(error, InputError) else f"{place}{because(error)}."
                self.studio.window.log(f"{title}: {reason}", "warning")
                dialogs.message(self.studio.window, title, reason, bad=True)

        return inner

    return around
