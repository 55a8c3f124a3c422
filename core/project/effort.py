"""How long a run will take, told before it starts where that is absurd."""

from __future__ import annotations

from ..base.sentence import written
from .project import Project
from .scenario import ADAPTIVE, EXPLICIT

MANY = 1_000_000  # steps of a run that nobody is warned of
MINUTE = 60.0  # s, taken for a ride that ends by its place
PER_BODY = 7e-6  # s of a common processor for a body and a step
USUAL_STEP = 2e-4  # s, of the explicit methods where none is given


def long_run(project: Project) -> str:
    """A sentence on the steps and the time a run takes at least, where they are absurd; else empty."""
    settings, top = project.settings, project.assembly
    if top is None:
        return ""
    adaptive = settings.method in ADAPTIVE
    fixed = None if adaptive else settings.fixed_step or (USUAL_STEP if settings.method in EXPLICIT else None)
    name, step = ("maximum", settings.max_step) if fixed is None else ("fixed", fixed)
    duration = project.scenario.duration
    steps = (MINUTE if duration is None else duration) / step
    if steps <= MANY:
        return ""
    length = "a minute of riding" if duration is None else f"{duration:g} s"
    seconds = steps * PER_BODY * max(len(top.every("body")), 1)
    way_out = "leave it empty, or take a longer one" if name == "fixed" else "take a longer one"
    return (
        f"A {name} step size of {written(step, 'g')} s makes {_count(steps)} steps of {length}, which take about"
        f" {_time(seconds)}; {way_out}."
    )


def _count(steps: float) -> str:
    return f"{steps / 1e9:.3g} thousand million" if steps >= 1e9 else f"{steps / 1e6:.3g} million"


def _time(seconds: float) -> str:
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.2g} {unit}" if seconds < 10.0 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
