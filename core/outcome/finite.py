"""Figures of a run that are no numbers: its results are damaged, and are refused instead of summed up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from ..base.errors import InputError


@contextmanager
def finite_figures() -> Iterator[None]:
    """For what is computed from results (as a block or a decorator): a figure that is no number raises InputError."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] != "finite_number":
            raise
        what = " ".join(str(part) for part in (error.title, *first["loc"]))
        raise InputError(
            f"The run cannot be summed up, a figure is no number ({what}): its results are damaged; run the project"
            " again."
        ) from None
