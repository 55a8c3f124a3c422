"""A project ridden twice here and twice in another engine, and what is to be said of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..edits.changes import set_scenario
from ..multibody.compile import System, compile_system
from ..outcome.second_engine import Agreement, Cost, CrossCheck, design_hash
from ..project.project import Project
from ..project.scenario import SolverSettings
from ..results.results import Results
from ..results.sampler import Sampler
from ..run.simulate import simulate
from .compare import Laid, Quantity, Rides, compare, compare_masses
from .criteria import compare_criteria, judge_other, judge_ours, judged_bodies
from .engines import engine as engine_of
from .engines.base import Engine, Masses, OtherRun
from .model import read_model
from .translate import translate
from .where import element_of

STEP: Final = 1e-3  # s, the longer one of the other engine, and of the duration
STEP_TOUCHING: Final = 2e-4  # s, the same where surfaces touch
JUDGED: Final = 1000  # instants a second that criteria need
FINER: Final = 100.0  # a tenth can halve the error of a chaotic motion only, and says too little of it
INSTANTS: Final = 2000
SLOW: Final = 1.0  # m/s and rad/s that speeds are small against where they are small themselves
#: Steps in which an implicit method that starts without the multipliers of its scheme finds them.
START: Final = 40
AT_JOINT, OF_GUIDE, LOAD = "force at the joint", "force of the guide", "load of the force element"
MODAL: Final = "bending"
SHARED: Final = frozenset({AT_JOINT, OF_GUIDE})  # what constraints that imply one another leave open


def cross_check(
    project: Project,
    other: str = "exudyn",
    *,
    step: float | None = None,
    duration: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> CrossCheck:
    """Ride a project here and in another engine, in two accuracies each, and compare.

    Parameters
    ----------
    project
        A ride or a rig.
    other
        The name of the engine.
    step
        s, the longer one of its fixed steps, the shorter is half of it; by default 1 ms, or a thousandth of a ride that
        is shorter than a second, and a fifth of that where surfaces touch.
    duration
        s, of the ride, where it is not to be the project's.
    should_stop
        Asked now and then.

    Returns
    -------
    What agrees, what differs by more than the errors of both, and what could not be translated.

    Raises
    ------
    InputError
        When the engine is unknown, not installed or cannot have the mechanism, and when a ride cannot be made.
    """
    if step is not None and not 1e-7 <= step <= 0.1:
        raise InputError(f"cross-check: a step of {step:g} s: must be from 0.0000001 to 0.1 s.")
    found = engine_of(other)
    if duration is not None:
        project = set_scenario(project, {"duration": duration})
    return check_with(project, found, step=step, should_stop=should_stop)


def checked(asked: tuple[Project, str, float | None]) -> CrossCheck:
    """The same as one argument, for a process of its own: project, engine and duration (s)."""
    project, other, duration = asked
    return cross_check(project, other, duration=duration)


def check_with(
    project: Project,
    engine: Engine,
    *,
    step: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> CrossCheck:
    """The same with an engine in place of its name."""
    whole = _ride(project, should_stop)
    reduced, left_out = translate(project, engine)
    coarse = _ride(reduced, should_stop) if left_out else whole
    finer = reduced.model_copy(update={"settings": finer_settings(reduced.settings)})
    fine = _ride(finer, should_stop)
    end = min(float(run.states.time[-1]) for run in (coarse, fine))
    model = read_model(reduced, fine)
    longest = (STEP_TOUCHING if model.touching else STEP) * min(end, 1.0) if step is None else step
    judged = judged_bodies(reduced, fine)
    instants, steps = _instants(end, longest, judged)
    runs = [engine.ride(model, h, instants) for h in steps]
    system = compile_system(reduced, speed=fine.provenance.get("start_speed"))
    masses = masses_of(system)
    ours = Rides(*(laid_run(run, instants, masses, model.gravity) for run in (coarse, fine)))
    theirs = Rides(*(laid_other(run, model_names(fine), model.gravity) for run in runs))
    open_forces = bool(fine.size.redundant)
    agreements = compare(
        instants,
        ours,
        theirs,
        unjudged=SHARED if open_forces else frozenset(),
        forces=SHARED | {LOAD},
        start=START * steps[0],
    )
    if judged:
        begun = int(np.searchsorted(instants, START * steps[0]))
        both = [judge_ours(reduced, run, instants, begun) for run in (coarse, fine)]
        other = [judge_other(reduced, fine, run, begun) for run in runs]
        sample = float(instants[1] - instants[0])
        agreements += compare_criteria((both[0], both[1]), (other[0], other[1]), sample)
    differing = sorted((one for one in agreements if not one.holds), key=_order)
    findings = (
        *compare_masses(masses, runs[-1].masses, engine.name, lambda name: element_of(name, reduced)),
        *(one.finding(engine.name, element_of(one.name, reduced)) for one in differing),
    )
    return CrossCheck(
        project=project.name,
        engine=runs[-1].version or engine.name,
        duration=end,
        steps=(steps[0], steps[1]),
        ours=(accuracy_words(reduced.settings), accuracy_words(finer.settings)),
        agreements=agreements,
        findings=findings,
        left_out=left_out,
        cost=_cost(whole, coarse) if left_out else None,
        open_forces=open_forces,
        recorded=_devices(reduced) if model.pushed else (),
        design=design_hash(project),
    )


def _devices(project: Project) -> tuple[str, ...]:
    return () if project.track is None else tuple(device.name for device in project.track.devices)


def _order(one: Agreement) -> tuple[float, float]:
    assert one.since is not None
    return one.since, -one.difference / max(one.allowed, 1e-300)


def _ride(project: Project, should_stop: Callable[[], bool] | None) -> Results:
    run = simulate(project, should_stop=should_stop)
    if run.status.name == "stopped":
        raise KeyboardInterrupt
    if len(run.states.time) < 2:
        raise InputError(f"{project.name}: the run ended at its start: {run.status.sentence}")
    return run


def finer_settings(settings: SolverSettings) -> SolverSettings:
    """The settings with a hundredth of the tolerances, or half of a fixed step."""
    step = settings.fixed_step
    return settings.model_copy(
        update={
            # what is stored between steps is read off straight lines: they too must be finer by enough to be seen
            "max_step": max(0.5 * settings.max_step / FINER ** (1.0 / 3.0), 1e-7),
            "tolerance": max(settings.tolerance / FINER, 1e-12),
            "relative_tolerance": max(settings.relative_tolerance / FINER, 1e-13),
            "absolute_tolerance": max(settings.absolute_tolerance / FINER, 1e-14),
            "fixed_step": None if step is None else 0.5 * step,
        }
    )


def accuracy_words(settings: SolverSettings) -> str:
    """By what a run's accuracy is told."""
    if settings.fixed_step is not None:
        return f"step {settings.fixed_step:g} s"
    if settings.method == "generalized_alpha":
        return f"tolerance {settings.tolerance:g}"
    return f"relative tolerance {settings.relative_tolerance:g}"


def _instants(end: float, step: float, judged: bool) -> tuple[Array, tuple[float, float]]:
    """Instants (s) that are compared, a millisecond apart where criteria are judged, and the two steps, which divide
    their distance."""
    most = max(INSTANTS, math.ceil(end * JUDGED)) if judged else INSTANTS
    count = max(2, min(most, round(end / step)))
    between = end / count
    parts = max(1, math.ceil(between / step - 1e-9))
    return np.linspace(0.0, end, count + 1), (between / parts, 0.5 * between / parts)


def masses_of(system: System) -> Masses:
    """Masses and inertias as our equations have them."""
    lines, mass, inertia = system.inertia, {}, {}
    for b, name in enumerate(system.names):
        line = lines[system.layout.rigid[b]]
        mass[name] = float(line[0])
        block = system.blocks.get(b)
        turning = np.zeros((3, 3)) if block is None else block[3:6, 3:6]
        inertia[name] = np.diag(line[3:6]) + turning
    return Masses(mass, inertia)


def model_names(run: Results) -> dict[str, tuple[str, ...]]:
    """Names along the axes of a run, by what they are."""
    names = run.names
    return {"bodies": names.bodies, "joints": names.joints, "guides": names.guides}


def laid_run(run: Results, instants: Array, masses: Masses, gravity: Array) -> Laid:
    """One of our runs at some instants (s), as quantities."""
    sampler, names = Sampler(run.states, instants), run.names
    motions = [sampler.body(b) for b in range(len(names.bodies))]
    position, velocity, omega = (
        np.stack([getattr(m, what) for m in motions], axis=1)
        for what in ("position", "velocity", "angular_velocity")
    )
    axes = np.stack([rotation_matrix(m.orientation) for m in motions], axis=1)
    out = _moving(names.bodies, position, axes, velocity, omega)
    out |= _energy(names.bodies, position, velocity, omega, masses, gravity)
    n = len(names.joints)
    # what forces are small against: the weight of everything, and what force elements do
    force = float(np.linalg.norm(gravity)) * sum(masses.mass.values())
    force = max([force, *np.abs(run.states.spring_force).ravel()])
    pulls = run.states.reactions[:, :, :3]
    forces = sampler.linear(pulls.reshape(len(pulls), -1)).reshape(len(instants), -1, 3)
    for what, own, values in (
        (AT_JOINT, names.joints, forces[:, :n]),
        (OF_GUIDE, names.guides, forces[:, n:]),
    ):
        if own:
            out[what] = Quantity("N", own, values, force)
    if names.flexible:
        modal, counts = sampler.linear(run.states.modal), list(names.flexible.items())
        out[MODAL] = _modal({
            name: modal[:, start : start + count]
            for (name, count), start in zip(counts, np.cumsum([0] + [c for _, c in counts]), strict=False)
        })  # fmt: skip
    if names.springs:
        loads = sampler.linear(run.states.spring_force)[:, :, None]
        out[LOAD] = Quantity("N or N m", names.springs, loads, force)
    return out


def laid_other(run: OtherRun, names: dict[str, tuple[str, ...]], gravity: Array) -> Laid:
    """A ride of another engine as the same quantities."""
    bodies = tuple(run.masses.mass)
    out = _moving(bodies, run.position, run.axes, run.velocity, run.angular_velocity)
    out |= _energy(bodies, run.position, run.velocity, run.angular_velocity, run.masses, gravity)
    for what, kind in ((AT_JOINT, "joints"), (OF_GUIDE, "guides")):
        own = tuple(name for name in names[kind] if name in run.forces)
        if own:
            out[what] = Quantity("N", own, np.stack([run.forces[name] for name in own], axis=1))
    if run.modal:
        out[MODAL] = _modal(run.modal)
    if run.loads:
        loads = np.stack(list(run.loads.values()), axis=1)[:, :, None]
        out[LOAD] = Quantity("N or N m", tuple(run.loads), loads)
    return out


def _modal(of: dict[str, Array]) -> Quantity:
    """Modal coordinates (n, modes) of flexible bodies, each with zeros behind where another has more."""
    most = max(values.shape[1] for values in of.values())
    rows = [np.pad(values, ((0, 0), (0, most - values.shape[1]))) for values in of.values()]
    return Quantity("m", tuple(of), np.stack(rows, axis=1))


def _moving(
    names: tuple[str, ...], position: Array, axes: Array, velocity: Array, omega: Array
) -> dict[str, Quantity]:
    # the distance of two rotation matrices over root two is the angle between them, where that is small
    flat = axes.reshape(*axes.shape[:2], 9) / math.sqrt(2.0)
    return {
        "place": Quantity("m", names, position),
        "orientation": Quantity("rad", names, flat),
        "velocity": Quantity("m/s", names, velocity, SLOW),
        "angular velocity": Quantity("rad/s", names, omega, SLOW),
    }


def _energy(
    names: tuple[str, ...], position: Array, velocity: Array, omega: Array, masses: Masses, gravity: Array
) -> dict[str, Quantity]:
    """Kinetic energy and that in gravity, from the engine's own masses, against its start."""
    m = np.array([masses.mass[name] for name in names])
    inertia = np.stack([masses.inertia[name] for name in names])
    moving = 0.5 * (velocity**2).sum(axis=2) @ m
    moving += 0.5 * np.einsum("nbi,bij,nbj->n", omega, inertia, omega)
    held = -(position @ gravity) @ m
    return {
        "energy": Quantity(
            "J",
            ("kinetic", "potential"),
            np.stack([moving, held - held[0]], axis=1)[:, :, None],
        )
    }


def _cost(whole: Results, reduced: Results) -> Cost:
    """What the ride with everything and the one that is compared are apart, where both have a body."""
    end = min(float(run.states.time[-1]) for run in (whole, reduced))
    times = np.linspace(0.0, end, INSTANTS + 1)
    one, other = Sampler(whole.states, times), Sampler(reduced.states, times)
    place = speed = (0.0, "", 0.0)
    for b, name in enumerate(whole.names.bodies):
        if name not in reduced.names.bodies:
            continue
        x, y = one.body(b), other.body(reduced.names.bodies.index(name))
        apart = np.linalg.norm(x.position - y.position, axis=1)
        faster = np.linalg.norm(x.velocity - y.velocity, axis=1)
        k, n = int(np.argmax(apart)), int(np.argmax(faster))
        place = max(place, (float(apart[k]), name, float(times[k])))
        speed = max(speed, (float(faster[n]), name, float(times[n])))
    return Cost(place=place, speed=speed)
