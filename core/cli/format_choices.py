"""File formats of tracks as choices of an option, looked up when they are asked for: they take a while to load."""

from __future__ import annotations

from collections.abc import Iterator


class _Told(str):
    """An id that says in the help what it stands for."""

    words: str

    def __new__(cls, ident: str, words: str) -> _Told:
        made = super().__new__(cls, ident)
        made.words = words
        return made

    def __str__(self) -> str:
        return self.words


class FormatChoices:
    """Ids of formats (`core.exchange`) that can be read or written."""

    def __init__(self, of: str) -> None:
        """of: "readers" or "writers", functions of `core.exchange`."""
        self._of = of

    def __contains__(self, ident: object) -> bool:
        return ident in set(self)

    def __iter__(self) -> Iterator[str]:
        from .. import exchange

        for one in getattr(exchange, self._of)():
            yield _Told(one.id, f"{one.id} ({one.title}, {one.extensions[0]})")
