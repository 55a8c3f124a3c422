"""What a model says beside its ride: rest, small motions, stress, and the same ride rigid."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import InputError
from ..base.frozen import told
from ..project.project import Project
from .door import door

if TYPE_CHECKING:
    from ..cross_check.check import CrossCheck
    from ..multibody.compile import State, System
    from ..outcome.envelopes import Envelopes
    from ..outcome.rigid import RigidRun
    from ..outcome.stress import BodyStress
    from ..outcome.touches import Touches
    from ..results.results import Results
    from ..run.static_loads import StaticSolution
    from ..solver.balance import Equilibrium
    from ..solver.modes import Mode
    from ..steelwork.tables import SteelAnswer


@told
@dataclass(frozen=True)
class Modes:
    """The modes about a state: the compiled system (its bodies' names), the state of rest or of motion they are about,
    and the modes, slowest first."""

    system: System
    about: Equilibrium | State
    modes: tuple[Mode, ...]

    def __repr__(self) -> str:
        shown = ", ".join(f"{mode.frequency:.4g}" for mode in self.modes[:5])
        return f"Modes({len(self.modes)}: {shown}{', ...' if len(self.modes) > 5 else ''} Hz)"


@door
def equilibrium(project: Project) -> StaticSolution:
    """Static equilibrium at the start of the scenario, drives off.

    Parameters
    ----------
    project
        A ride or a rig. Of a train the first car of each row of coupled cars is held where the ride starts, the others
        hang on their couplings.

    Returns
    -------
    How far `bodies` come from where they are drawn (m, rad), and the `loads` of guides (wheels), force elements,
    couplings, joints and seats (N, N m).

    Raises
    ------
    InputError
        When there is no equilibrium.
    """
    from ..run.static_loads import static_loads

    return static_loads(project)


@door
def modes(project: Project, *, time: float | None = None, lowest: int | None = None) -> Modes:
    """Small motions about a state: frequencies (Hz), dampings and shapes.

    Parameters
    ----------
    project
        A ride or a rig.
    time
        s after the start of the scenario, up to which it is run; None for the static equilibrium at its start, with
        drives off.
    lowest
        How many of the slowest are returned; None for all.

    Returns
    -------
    The compiled system, the state that the modes are about, and the modes, slowest first.

    Raises
    ------
    InputError
        When there is no equilibrium or no such state, or for fewer than one of them.
    """
    from ..solver.modes import modes_at, modes_at_rest

    if lowest is not None and lowest < 1:
        raise InputError(f"modes: the lowest {lowest}: must be at least 1; leave it out for all.")
    if time is None:
        return Modes(*modes_at_rest(project, lowest))
    if not time >= 0.0:
        raise InputError(f"modes: a time of {time:g} s: must be from 0; leave it out for those at rest.")
    return Modes(*modes_at(project, time, lowest))


@door
def stress(run: Results) -> tuple[BodyStress, ...]:
    """Stress of every flexible body of a run.

    Parameters
    ----------
    run
        Of a project with flexible bodies.

    Returns
    -------
    For each body `places` of its spots (m, in its own axes), `superposition` for the history at a spot or the largest
    at all (Pa), `loads` at an interface (N, N m), and `cases`: static load cases of these or of a rigid run.

    Raises
    ------
    InputError
        When the run has no flexible body.
    """
    from ..outcome.stress import stress_of

    return stress_of(run)


@told
@dataclass(frozen=True)
class Contacts:
    """What contacts did in a run: of each pair of surfaces, and of each rider whom something outside may touch."""

    pairs: dict[str, Touches]
    riders: dict[str, Touches]

    def __repr__(self) -> str:
        met = sum(one.count > 0 for one in self.pairs.values())
        return f"Contacts({len(self.pairs)} pairs, {met} met; {len(self.riders)} riders)"


@door
def contacts(run: Results) -> Contacts:
    """What contacts did in a run.

    Parameters
    ----------
    run
        Of a project with contacts; without any there is nothing in what is returned.

    Returns
    -------
    Of each pair of surfaces, and of all pairs of a rider with what is not his: how often they met, the largest force
    (N) with its time (s) and place (m), the fastest impact (m/s), the impulse (N s), the longest time without contact
    (s) and the widest gap in it (m).

    Raises
    ------
    InputError
        For what is no run.
    """
    from ..outcome.touches import touches_of_pairs, touches_of_riders

    return Contacts(touches_of_pairs(run), touches_of_riders(run))


@door
def rigid_run(run: Results, bodies: Collection[str] | None = None) -> RigidRun:
    """Run the ride of a run again with flexible bodies rigid.

    Parameters
    ----------
    run
        Of a project with flexible bodies.
    bodies
        Paths of those that are made rigid; by default all.

    Returns
    -------
    `loads`: forces (N) and moments (N m) at their interfaces over the run; `words`: what there is to say against them.

    Raises
    ------
    InputError
        When there is no such flexible body, or the run ends early.
    """
    from ..outcome.rigid import rigid_run as again

    return again(run, bodies)


@door
def run_load_cases(project: Project, names: Collection[str] = ()) -> Envelopes:
    """Run a project once with every load case that is kept with it (`rw.edits.set_load_cases`).

    Parameters
    ----------
    project
        A ride or a rig with load cases.
    names
        Of the cases that are run; by default all.

    Returns
    -------
    `runs`: each case with its masses (kg) and the largest forces (N) and stresses (Pa); `rows`: the same side by side.

    Raises
    ------
    InputError
        For a project without load cases, without one of that name, and for what cannot be simulated.
    """
    from ..outcome.envelopes import run_load_cases as run_cases

    return run_cases(project, names)


@door
def steelwork(what: Project | Results, rate: float = 400.0, *, life: bool = False) -> SteelAnswer:
    """Ride over the steel that carries the track: spine, rails and columns as a frame of beams on its footings.

    Parameters
    ----------
    what
        A run, whose wheels load the track, or a project, whose ride as points does. The sections are those of the
        project's `steelwork`.
    rate
        Steps a second (1/s).
    life
        Ride over it once more for fatigue.

    Returns
    -------
    `lives`: where asked for, members whose life is shortest, by EN 1993-1-9; `members`: largest von Mises stress (Pa)
    of each, the largest first; `footings`: what each bears, N and N m in world axes, downwards positive; `ride`:
    reactions and deflections over time; `frame`: nodes, beams, K and M.

    Raises
    ------
    InputError
        Without a track, and without a train that rolls on it.
    """
    from ..steelwork.tables import steelwork_of

    return steelwork_of(what, rate, life=life)


@door
def cross_check(project: Project, engine: str = "exudyn", *, step: float | None = None) -> CrossCheck:
    """Ride a project here and in a second engine, in two accuracies each, and compare.

    Parameters
    ----------
    project
        A ride or a rig.
    engine
        "exudyn" or "mujoco"; the extra `cross-check` installs both.
    step
        s, the longer one of the other engine's two steps; by default 1 ms, or a thousandth of a shorter ride.

    Returns
    -------
    `agrees`: whether nothing differs by more than both engines are off; `agreements` of every quantity of every body,
    joint, guide and force element; `findings`: what differs, with time and size; `left_out`: what the other engine does
    not have, taken out of both rides, and `cost`: what that changes.

    Raises
    ------
    InputError
        When the engine is not installed or cannot have the mechanism, and when a ride cannot be made.
    """
    from ..cross_check.check import cross_check as checked

    return checked(project, engine, step=step)
