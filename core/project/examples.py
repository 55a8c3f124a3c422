"""The bundled example projects as values."""

from __future__ import annotations

from ..base.bundled import example_names, example_path
from .project import Project, load_project


def list_examples() -> tuple[str, ...]:
    """The bundled example projects, rides and rigs.

    Returns
    -------
    Their names, in alphabetical order.
    """
    return example_names()


def load_example(name: str) -> Project:
    """A bundled example project.

    Parameters
    ----------
    name
        One of `list_examples`.

    Returns
    -------
    The project.

    Raises
    ------
    InputError
        Naming those there are when it is unknown.
    """
    return load_project(example_path(name))
