"""Words of a person (names, files) as they are: Qt takes a text that begins like HTML for HTML."""

from __future__ import annotations

from html import escape


def plain_tip(text: str) -> str:
    """A tool tip that shows a text as it is."""
    return f"<span>{escape(text)}</span>".replace("\n", "<br>") if "<" in text else text
