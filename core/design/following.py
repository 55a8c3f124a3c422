"""What a project keeps in step with itself: declared, named, and done to an edit by who takes the edit up.

Nothing else changes what an edit hands over: a field that follows from another part of the project has its step here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ..project.project import Project
from .entry_speeds import follow_ride


@dataclass(frozen=True)
class FollowStep:
    """A step of the pipeline behind every edit: what a person is told when it changes something, and the pure function
    that brings a project into step and hands back the same project where it is."""

    message: str
    follow: Callable[[Project], Project]


FOLLOWING: Final = (FollowStep("Elements drawn for the speed of the ride were brought to it.", follow_ride),)


def followed(project: Project, steps: Sequence[FollowStep] = FOLLOWING) -> tuple[Project, tuple[str, ...]]:
    """The project after the steps of a pipeline, in their order, and what is told of those that changed it."""
    messages = []
    for step in steps:
        made = step.follow(project)
        if made is not project:
            messages.append(step.message)
            project = made
    return project, tuple(messages)
