"""Actions are declared where they are done: `@action` makes a method of a group of commands an entry of a menu.

Menus, tool bar, keys and command search are built from what the groups declare. An action is spoken of as the attribute
of its class, `RunCommands.run`, which the type checker knows; on an object the same name is the method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeVar, get_args, overload

from ..studio import Studio
from .conditions import ALWAYS, Condition

MenuName = Literal["File", "Edit", "View", "Track", "Train", "Run", "Results", "Help"]
MENUS: Final[tuple[MenuName, ...]] = get_args(MenuName)

G = TypeVar("G")
P = ParamSpec("P")


class Group:
    """Commands on one subject."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio


class Action(Generic[G, P]):
    """A method as an entry of a menu: what it is called, where it stands, when it can be done.

    It stands behind the action before it in its group, or behind `after`. Its id, the name of the method, is the object
    name of the QAction and is unique among all groups.
    """

    def __init__(
        self,
        do: Callable[Concatenate[G, P], None],
        text: str,
        menu: MenuName,
        icon: str,
        shortcut: str,
        tip: str,
        when: Condition,
        tool: bool,
        line_above: bool,
        after: Action[Any, Any] | None,
    ) -> None:
        """do: the method; the rest as `action` says."""
        self.do, self.text, self.menu = do, text, menu
        self.icon, self.shortcut, self.tip, self.when = icon, shortcut, tip, when
        self.tool, self.line_above, self.after = tool, line_above, after
        self.id = ""
        self.text_now: Callable[[G], str] | None = None
        self.icon_now: Callable[[G], str] | None = None
        self.on_now: Callable[[G], bool] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.id, self.owner = name, owner
        self.__doc__ = self.do.__doc__

    @overload
    def __get__(self, group: None, owner: type) -> Action[G, P]: ...
    @overload
    def __get__(self, group: G, owner: type) -> Callable[P, None]: ...
    def __get__(self, group: G | None, owner: type) -> Action[G, P] | Callable[P, None]:
        if group is None:
            return self
        bound: Callable[P, None] = self.do.__get__(group, owner)
        return bound

    # -- what changes while the studio runs, as methods of the group

    def texts(self, function: Callable[[G], str]) -> Callable[[G], str]:
        """The decorated method says what the action is called now."""
        self.text_now = function
        return function

    def icons(self, function: Callable[[G], str]) -> Callable[[G], str]:
        """The decorated method names the icon of now."""
        self.icon_now = function
        return function

    def switched(self, function: Callable[[G], bool]) -> Callable[[G], bool]:
        """The decorated method says whether it is on: the action is one that is switched on and off."""
        self.on_now = function
        return function


def action(
    text: str,
    menu: MenuName,
    *,
    icon: str = "",
    shortcut: str = "",
    tip: str = "",
    when: Condition = ALWAYS,
    tool: bool = False,
    line_above: bool = False,
    after: Action[Any, Any] | None = None,
) -> Callable[[Callable[Concatenate[G, P], None]], Action[G, P]]:
    """Declare the decorated method an action.

    text: its name in the menu; icon: name of a drawing in resources; shortcut: keys, as Qt writes them, several with
    "; " between; tip: one sentence; when: condition for doing it; tool: it is in the tool bar of every workspace;
    line_above: a line stands above it; after: the action it stands behind, where that is not the one declared before.
    """

    def declare(method: Callable[Concatenate[G, P], None]) -> Action[G, P]:
        return Action(method, text, menu, icon, shortcut, tip, when, tool, line_above, after)

    return declare


def collect(groups: Iterable[type[Group]]) -> tuple[Action[Any, Any], ...]:
    """All actions of the groups in the order of the menus; ValueError when two have the same id."""
    found = [one for group in groups for one in vars(group).values() if isinstance(one, Action)]
    ids = [one.id for one in found]
    twice = {id for id in ids if ids.count(id) > 1}
    if twice:
        raise ValueError(f"Two actions are called {', '.join(sorted(twice))}.")

    def with_followers(one: Action[Any, Any]) -> Iterator[Action[Any, Any]]:
        yield one
        for other in found:
            if other.after is one:
                yield from with_followers(other)

    ordered = tuple(one for first in found if first.after is None for one in with_followers(first))
    if len(ordered) < len(found):
        lost = {one.id for one in found} - {one.id for one in ordered}
        raise ValueError(f"Actions stand behind one that no group declares: {', '.join(sorted(lost))}.")
    return ordered
