"""The errors a person may see: one sentence that names the place and the way out."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used: a file, a field, a track or a model.

    The message is one sentence for the person: which file or element, what was found, what is allowed.
    The command line prints it and ends with exit code 2; the studio shows it in the Problems panel.
    """


class LimitTableError(InputError):
    """A limit table that cannot be used. It is the fault of no record, so no criterion may be left out for it."""
