"""The date of a report: as given, as a point in time, and in words."""

from __future__ import annotations

import datetime

from ..base.errors import InputError

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def timestamp(date: str) -> datetime.datetime:
    """The date of the report as a point in time, UTC where it names no zone.

    Raises InputError when it is not ISO 8601, such as 2026-11-21 or 2026-11-21T15:30:00+01:00.
    """
    try:
        moment = datetime.datetime.fromisoformat(date)
    except ValueError:
        raise InputError(
            f"date {date!r}: expected ISO 8601, such as 2026-11-21 or 2026-11-21T15:30:00+01:00."
        ) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)


def date_words(date: str) -> str:
    """The day in words, such as 21 November 2026. Raises InputError as `timestamp`."""
    moment = timestamp(date)
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def time_words(date: str) -> str:
    """Day and time of day in words, such as 21 November 2026, 15:30 (UTC+01:00); the day alone where the date has no
    time. Raises InputError as `timestamp`."""
    if "T" not in date and " " not in date.strip():
        return date_words(date)
    moment = timestamp(date)
    return f"{date_words(date)}, {moment:%H:%M} ({moment.tzname()})"
