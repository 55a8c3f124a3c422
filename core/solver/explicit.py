"""Which explicit method advances a run: picks formulation, stabilisation and time stepping from the settings."""

from __future__ import annotations

from collections.abc import Callable

from ..base.arrays import Array
from ..base.errors import InputError
from . import integration
from .engine import Engine
from .integration import Log, Memory
from .methods.adams import Adams
from .methods.drivers import Driver, RungeKutta, Scipy
from .methods.event_landing import Landing, Stepper
from .methods.fixed import advance_fixed
from .methods.partition import PartitionedEquations
from .methods.state_vector import Equations, FlatEquations
from .scheme import Limits

DEFAULT_STEP = 2e-4  # s


def explicit_advance(
    engine: Engine, Y: Memory, P: Limits, end_paths: Array, end_path: int
) -> Callable[[Log, int], int]:
    """A function (log, max_steps) -> code that advances a run by the method of the engine's settings.

    end_paths (ng,): arc length at which each guide ends the run (inf: never); end_path: count of guides that must
    be past it; codes as genalpha.advance. Raises InputError for settings that contradict each other.
    """
    s = engine.settings
    adaptive = s.method.startswith("adaptive_")
    if adaptive and s.stabilisation == "baumgarte_step" and s.formulation == "augmented":
        raise InputError(
            "Stabilisation 'baumgarte_step' takes its constants from a fixed step, which method"
            f" '{s.method}' has not; choose 'baumgarte' with numbers, or a fixed-step method."
        )
    step = s.fixed_step or DEFAULT_STEP
    if not adaptive and s.formulation != "partitioning":

        def advance(log: Log, max_steps: int) -> int:
            return advance_fixed(engine, Y, P, log, step, end_paths, end_path, max_steps)

        return advance
    equations: Equations
    if s.formulation == "partitioning":
        equations = PartitionedEquations(engine, Y, rebase_every_step=not adaptive)
    else:
        equations = FlatEquations(engine, Y)
    try:
        stepper = _stepper(engine, equations, P.t_end, step)
    except ArithmeticError:  # where the first rates of change cannot be found, no step can
        return lambda log, max_steps: integration.STEP_TOO_SMALL
    landing = Landing(engine, Y, end_paths, end_path)
    return Driver(equations, stepper, Y, P, landing, s.sample_rate).advance


def _stepper(engine: Engine, equations: Equations, t_end: float, step: float) -> Stepper:
    """What takes the steps of a method. Raises ArithmeticError when there are no rates of change at the start."""
    s, t = engine.settings, engine.state.time
    y = equations.start(t)
    if not s.method.startswith("adaptive_"):
        return RungeKutta(equations, y, t_end, s.method, step, t)
    if s.method == "adaptive_adams":
        return Adams(equations, y, t_end, s, t)
    return Scipy(equations, y, t_end, s, t)
