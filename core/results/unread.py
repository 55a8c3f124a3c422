"""Arrays of a run that are still in its file: each is read when it is first asked for, by whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from threading import Lock
from typing import Any, ClassVar, NamedTuple, TypeVar

from ..base.arrays import Array
from ..base.beside import each
from ..base.host import processors
from .results import Channel, Results, States

Part = TypeVar("Part", States, Channel)


class Waiting(NamedTuple):
    """An array that has not been read: its shape, what reads it, and the lock of who does."""

    shape: tuple[int, ...]
    read: Callable[[], Array]
    lock: Lock


class Unread:
    """A dataclass some of whose arrays have not been read; to everybody else it is that dataclass.

    Any thread may ask for an array, and none is read twice. What reads an array is let go of once it has.
    """

    KIND: ClassVar[type]

    @classmethod
    def of(cls, known: Mapping[str, Any], waiting: Mapping[str, Waiting]) -> Any:
        """One with fields that are known, and others that wait, by their names."""
        made = object.__new__(cls)
        vars(made).update(known, _waiting=dict(waiting))
        return made

    def __getattr__(self, name: str) -> Any:
        own = vars(self)
        waiting = own.get("_waiting", {}).get(name)
        if waiting is None:
            if name in own:  # another thread has just read it
                return own[name]
            raise AttributeError(f"{self.KIND.__name__} has no '{name}'.")
        with waiting.lock:
            if name not in own:
                own[name] = waiting.read()
                del own["_waiting"][name]
        return own[name]

    def shape_of(self, name: str) -> tuple[int, ...]:
        """The shape of an array, which need not be read for that."""
        own = vars(self)
        shape: tuple[int, ...] = own[name].shape if name in own else own["_waiting"][name].shape
        return shape

    def whole(self) -> Any:
        """The dataclass with all its arrays, read."""
        return self.KIND(**{entry.name: getattr(self, entry.name) for entry in fields(self.KIND)})

    def __reduce__(self) -> tuple[Any, ...]:
        return self.KIND, tuple(getattr(self, entry.name) for entry in fields(self.KIND))


class UnreadStates(Unread, States):
    """The motion of a run."""

    KIND = States


class UnreadChannel(Unread, Channel):
    """A signal of a run."""

    KIND = Channel

    @property
    def shape(self) -> tuple[int, ...]:
        return self.shape_of("values")


def read_beside(arrays: Iterable[tuple[object, str]]) -> None:
    """Read arrays, each by what has it and its name, on all processors. Raises InputError for those damaged."""
    for _ in each(lambda one: getattr(*one), arrays):
        pass


def read_signals(results: Results, *states: str) -> None:
    """Read all channels of a run, and some arrays of its states. Raises InputError for those that are damaged."""
    read_beside(
        [
            *((one, "values") for one in results.channels.values()),
            *((results.states, name) for name in states),
        ]
    )


def read_ahead(results: Results, *states: str) -> None:
    """Begin to read some arrays of the states beside what follows, which waits for those it asks for; what is damaged
    is said to who asks."""
    beside = ThreadPoolExecutor(processors())
    for name in states:
        beside.submit(getattr, results.states, name)
    beside.shutdown(wait=False)


def whole(results: Results) -> Results:
    """A run with all its arrays read. Raises InputError for those that are damaged."""
    parts: tuple[Channel | States, ...] = (results.states, *results.channels.values())
    read_beside((part, entry.name) for part in parts for entry in fields(part))
    channels = {name: _whole(channel) for name, channel in results.channels.items()}
    return replace(results, states=_whole(results.states), channels=channels)


def read_rest(results: Results) -> Iterator[None]:
    """Read what waits of a run, array by array. Raises InputError as `whole` does."""
    parts: tuple[Channel | States, ...] = (*results.channels.values(), results.states)
    for part in parts:
        for entry in fields(part):
            getattr(part, entry.name)
            yield


def _whole(part: Part) -> Part:
    return part.whole() if isinstance(part, Unread) else part
