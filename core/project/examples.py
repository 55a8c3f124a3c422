"""The bundled example projects as values."""

from __future__ import annotations

from ..base.bundled import example_names, example_path
from .project import Project, load_project


def list_examples() -> tuple[str, ...]:
    """Names of the bundled example projects, rides and rigs, in alphabetical order."""
    return example_names()


def load_example(name: str) -> Project:
    """The bundled project called `name`. Raises InputError naming those there are when it is unknown."""
    return load_project(example_path(name))
