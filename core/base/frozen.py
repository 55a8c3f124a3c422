"""The base of every description: immutable, strict about unknown fields, no NaN or infinity."""

from __future__ import annotations

import functools
import math
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import InputError
from .wording import spoken

T = TypeVar("T")
Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^/\x00-\x1f]+$")]


class Frozen(BaseModel):
    """A value object: hashable by content, edited only by making a new one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, ser_json_inf_nan="null")


if TYPE_CHECKING:
    Named = Frozen
    Spoken = Frozen
else:

    class Named(Frozen):
        """A description that is shown by its name and how many parts it has."""

        def __repr__(self) -> str:
            name = getattr(self, "name", None)
            if name is None:
                return super().__repr__()
            lists = {k: v for k, v in self if isinstance(v, tuple) and v and not isinstance(v[0], float)}
            named = {k: v.name for k, v in self if isinstance(v, BaseModel) and hasattr(v, "name")}
            parts = [f"{k}={v!r}" for k, v in (named | {k: len(v) for k, v in lists.items()}).items()]
            return f"{type(self).__name__}({', '.join([repr(name), *parts])})"

        __str__ = __repr__

    class _Constructor(type(BaseModel)):
        """What calling the class goes through; reading files and validating go past it."""

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            if args:
                raise InputError(f"{cls.__name__}: takes its fields by name, such as name=...")
            try:
                return super().__call__(**cls.from_arrays(fields))
            except ValidationError as error:
                raise InputError(spoken(error, cls.__name__)) from error

    class Spoken(Named, metaclass=_Constructor):
        """A description that scripts make by its constructor: arrays are taken, and fields that it cannot have raise
        InputError."""

        @classmethod
        def from_arrays(cls, fields: dict[str, Any]) -> dict[str, Any]:
            """The fields with arrays as lists."""
            return {
                name: value.tolist() if hasattr(value, "tolist") else value for name, value in fields.items()
            }


def told(cls: type[T]) -> type[T]:
    """A class that scripts may make by its constructor although the program does: arguments that it does not take, or
    lacks, raise InputError in place of Python's own complaint. Of whatever it is made, it can be shown."""
    made, takes, shown = cls.__init__, signature(cls), cls.__repr__

    @functools.wraps(made)
    def init(self: T, *args: Any, **fields: Any) -> None:
        try:
            made(self, *args, **fields)
        except TypeError as error:
            try:
                takes.bind(*args, **fields)
            except TypeError as wrong:
                raise InputError(
                    f"{cls.__name__}: {wrong}; it takes {', '.join(takes.parameters)}."
                ) from None
            raise error

    @functools.wraps(shown)
    def text(self: T) -> str:
        try:
            return shown(self)
        except (
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ):  # made by hand, of other things than it says
            return (
                f"{cls.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in takes.parameters)})"
            )

    cls.__init__ = init  # type: ignore[method-assign, assignment]
    cls.__repr__ = text  # type: ignore[method-assign, assignment]
    return cls


def unit_quaternion(value: Quat) -> Quat:
    """Euler parameters scaled to unit length; raises ValueError when they have none."""
    norm = math.hypot(*value)
    if norm < 1e-6:
        raise ValueError("Euler parameters have no length; [1, 0, 0, 0] means unrotated")
    e0, e1, e2, e3 = (c / norm for c in value)
    return (e0, e1, e2, e3)


def kept_quaternion(value: Quat) -> Quat:
    """Euler parameters of unit length that scaling them once more leaves as they are, as reading a file does."""
    for _ in range(8):
        scaled = unit_quaternion(value)
        if scaled == value:
            break
        value = scaled
    return value
