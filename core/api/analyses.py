"""What a model says beside its ride: rest, small motions, stress, and the same ride rigid."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.errors import InputError
from ..base.frozen import told
from ..project.project import Project
from .door import door

if TYPE_CHECKING:
    from ..multibody.compile import State, System
    from ..outcome.contact_peaks import ContactPeaks, Peak
    from ..outcome.contact_stiffness import Stiffness
    from ..outcome.envelopes import Envelopes
    from ..outcome.free_riders import FreeRiderSummary
    from ..outcome.rigid import RigidRun
    from ..outcome.second_engine import CrossCheck
    from ..outcome.stress import BodyStress
    from ..outcome.stress_life import SpotLife
    from ..outcome.touches import Touches
    from ..results.results import Results
    from ..run.static_loads import StaticSolution
    from ..solver.balance import Equilibrium
    from ..solver.modes import Mode
    from ..steelwork.girder import Axle, Girder, Passage
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


@door
def stress_life(
    run: Results,
    category: float | None = None,
    partial: float | None = None,
    rides: float | None = None,
) -> tuple[SpotLife, ...]:
    """Fatigue of the flexible bodies of a run, by EN 1993-1-9, where their stress changes most.

    Parameters
    ----------
    run
        Of a project with flexible bodies, as a ride that comes again and again.
    category
        Of the detail, Pa: the range that it stands 2 million times; by default that of the spine in the steelwork of
        the run's project.
    partial
        Factor of its strength, 1.0 to 1.35; by default likewise.
    rides
        How many are planned; by default likewise.

    Returns
    -------
    Spots, the shortest life first: `body`, `where`, `fatigue` with ranges (Pa), damage a ride and the equivalent range,
    and `share` of the life that the planned rides take.

    Raises
    ------
    InputError
        When the run has no flexible body with stress, for figures that are not above zero, and without rainflow.
    """
    from ..outcome.stress_life import stress_lives

    return stress_lives(run, category, partial, rides)


@told
@dataclass(frozen=True)
class Contacts:
    """What contacts did in a run: of each pair of surfaces, of each rider whom something outside may touch, and of each
    who sits freely."""

    pairs: dict[str, Touches]
    riders: dict[str, Touches]
    free: dict[str, FreeRiderSummary] = field(default_factory=dict)

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
    (s) and the widest gap in it (m). Of riders who sit freely (`free`) airtime as felt (s), and the same for every part
    of seat and restraint, with its largest load (N) and how far a segment slid along it (m).

    Raises
    ------
    InputError
        For what is no run.
    """
    from ..outcome.free_riders import free_rider_summaries
    from ..outcome.touches import touches_of_pairs, touches_of_riders

    return Contacts(touches_of_pairs(run), touches_of_riders(run), free_rider_summaries(run))


@door
def contact_peaks(run: Results) -> ContactPeaks:
    """What contacts did to heads, thighs and chests, and the peaks that they caused.

    Parameters
    ----------
    run
        Of a project in which surfaces touch riders.

    Returns
    -------
    `blows`, of each contact of a head HIC15 and 3 ms value (g) within its hardest time; `pressed`, compression of the
    thighs (N) and how deep pads are pressed into the chest (m, a proxy); `peaks`, values that a contact caused.

    Raises
    ------
    InputError
        For a run without its project.
    """
    from ..outcome.contact_peaks import contact_peaks

    return contact_peaks(run)


@door
def half_and_twice(
    run: Results, peaks: Sequence[Peak] | None = None, *, whole: bool = False
) -> tuple[Stiffness, ...]:
    """Peaks that contacts caused, with each of these contacts half and twice as stiff: two rides a contact.

    Parameters
    ----------
    run
        The run.
    peaks
        Of `contact_peaks`; all by default.
    whole
        Let the whole train ride again. By default, where there are several riders, each rides alone while the seat
        moves as in the run, and once more with nothing changed.

    Returns
    -------
    For each peak the results with the contact `half` and `twice` as stiff, that with nothing changed (`again`) and
    whether it `holds`, within 2 % of the limit of the run's own value; and a `sentence`.

    Raises
    ------
    InputError
        For a run without its project, and for a contact whose stiffness cannot be changed.
    """
    from ..outcome.contact_peaks import contact_peaks
    from ..outcome.contact_stiffness import half_and_twice

    return half_and_twice(run, contact_peaks(run).peaks if peaks is None else peaks, whole=whole)


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
def steelwork(
    what: Project | Results,
    rate: float = 400.0,
    *,
    life: bool = False,
    checks: bool = False,
    two_way: bool = False,
    watch: Sequence[str] = (),
) -> SteelAnswer:
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
    checks
        Combine the train with weight, wind, ice, earthquake and temperature by the project's `steelwork.actions`.
    two_way
        Of a project: ride it on rails that give, run and steel in turn until both agree.
    watch
        With `life`: members that are judged in any case, by their names.

    Returns
    -------
    `lives`: where asked for, members whose life is shortest, by EN 1993-1-9, with their stress over time; `checks`:
    where asked for, how far members are used by strength and buckling, and of every combination deflection and loads of
    footings; `members`: largest von Mises stress (Pa) of each, the largest first; `footings`: what each bears, N and
    N m in world axes, downwards positive; `ride`: reactions and deflections over time; `frame`: nodes, beams, K and M;
    `two_way`: where asked for, the rounds, the last run and how near both have come.

    Raises
    ------
    InputError
        Without a track, without a train that rolls on it, for the results of a run that is to be ridden two-way, and
        for a member to watch that is not there.
    """
    from ..steelwork.tables import steelwork_of

    return steelwork_of(what, rate, life=life, checks=checks, two_way=two_way, watch=watch)


@door
def passage(
    girder: Girder,
    axles: Sequence[Axle],
    speed: float,
    *,
    at: Collection[float] | None = None,
    after: float = 0.0,
    rate: float | None = None,
    slowly: bool = False,
    gravity: float = 9.81,
    acceleration: float = 0.0,
    lifts: bool = False,
) -> Passage:
    """Axles that pass a plain girder: what both do to each other.

    Parameters
    ----------
    girder
        `rw.Girder`: length, stiffness, mass, supports, an elastic foundation.
    axles
        `rw.Axle`, each a constant force, a mass that rolls on the girder, a sprung mass, or several of these.
    speed
        m/s, when the first axle comes.
    at
        Places (m) where deflection, moment and stress are kept; by default the middle.
    after
        s, how long the girder is looked at after the last axle has left, or has come to a stand.
    rate
        Instants a second (1/s); by default as many as passage and girder ask for.
    slowly
        Without inertia of girder and masses.
    gravity
        m/s^2.
    acceleration
        m/s^2, constant; axles that it brakes to a stand remain there.
    lifts
        Whether masses leave the girder where they would have to be pulled; else they are held down.

    Returns
    -------
    Over time: deflection (m), moment (N m) and stress (Pa) at the places, of every axle its force (N) on the girder and
    the deflection (m) under it, reactions (N); beyond the girder's own weight.

    Raises
    ------
    InputError
        For what is no girder or no axle, and for too many instants.
    """
    from ..steelwork.girder import passage as passes

    return passes(
        girder, axles, speed, at=at, after=after, rate=rate, slowly=slowly, gravity=gravity,
        acceleration=acceleration, lifts=lifts,
    )  # fmt: skip


@door
def cross_check(
    project: Project, engine: str = "exudyn", *, step: float | None = None, duration: float | None = None
) -> CrossCheck:
    """Ride a project here and in a second engine, in two accuracies each, and compare.

    Parameters
    ----------
    project
        A ride or a rig.
    engine
        "exudyn" or "mujoco"; the extra `cross-check` installs both.
    step
        s, the longer one of the other engine's two steps; by default 1 ms, or a thousandth of a shorter ride, and a
        fifth of that where surfaces touch.
    duration
        s, of the ride that is compared; by default the project's.

    Returns
    -------
    `agrees`: whether nothing differs by more than both engines are off; `agreements` of every quantity of every body,
    joint, guide and force element, and of every criterion; `findings`: what differs, with time and size; `left_out`:
    what the other engine does not have, taken out of both rides, and `cost`: what that changes.

    Raises
    ------
    InputError
        When the engine is not installed or cannot have the mechanism, and when a ride cannot be made.
    """
    from ..cross_check.check import cross_check as checked

    return checked(project, engine, step=step, duration=duration)
