"""Load cases run one after the other, and the envelopes of what carries them: joints, footings, couplings, wheels and
stress, side by side."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import told
from ..edits.load_cases import with_load_case
from ..model.assembly import Assembly
from ..model.bodies import GROUND
from ..model.masses import MassBudget, mass_budget
from ..model.placement import placed_model
from ..project.project import Project, parse_project
from ..results.results import Results
from ..run.simulate import simulate
from .stress import stress_of

EnvelopeKind = Literal["footing", "joint", "wheel", "coupling", "stress"]
#: What each kind is called over its rows, and the unit of its figures.
KINDS: Final[dict[EnvelopeKind, tuple[str, str]]] = {
    "footing": ("Forces on footings", "N"),
    "joint": ("Forces in joints", "N"),
    "wheel": ("Forces of wheels and guides", "N"),
    "coupling": ("Forces of couplings", "N"),
    "stress": ("Von Mises stress", "Pa"),
}


class Extreme(NamedTuple):
    """The largest amount of something over a run, with its unit, and when (s). name: of the element, with what of it
    where it has several ("Car 1 to 2, tension")."""

    kind: EnvelopeKind
    name: str
    value: float
    time: float

    @property
    def unit(self) -> str:
        """SI."""
        return KINDS[self.kind][1]


@dataclass(frozen=True)
class CaseRun:
    """A load case and its run; ended: why the run ended early, "" when it is complete."""

    name: str
    masses: MassBudget
    extremes: tuple[Extreme, ...]
    ended: str


class EnvelopeRow(NamedTuple):
    """One element over all load cases: its amounts in their order, None where a run has none; which case governs."""

    kind: EnvelopeKind
    name: str
    values: tuple[float | None, ...]
    governs: int

    @property
    def largest(self) -> float:
        """The amount in the case that governs."""
        value = self.values[self.governs]
        return 0.0 if value is None else value


@told
@dataclass(frozen=True)
class Envelopes:
    """Load cases with their runs."""

    runs: tuple[CaseRun, ...]

    @property
    def rows(self) -> tuple[EnvelopeRow, ...]:
        """One row an element, see `side_by_side`."""
        return side_by_side(self.runs)

    def __repr__(self) -> str:
        return f"Envelopes({', '.join(run.name for run in self.runs)}; {len(self.rows)} rows)"


def run_load_cases(
    project: Project,
    names: Collection[str] = (),
    on_case: Callable[[float, str], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Envelopes:
    """Run a project once with every load case.

    Parameters
    ----------
    project
        With load cases.
    names
        Of those that are run; all unless given.
    on_case
        Called with (done share of all, name of the case) as the runs go on.
    should_stop
        Polled by the runs.

    Returns
    -------
    Mass, extremes and end of every run, in the order of the cases; what is stopped has the cases before.

    Raises
    ------
    InputError
        For a project without load cases, or without one of that name.
    """
    cases = [case.name for case in project.load_cases if not names or case.name in names]
    unknown = next((name for name in names if name not in cases), None)
    if unknown is not None:
        with_load_case(project, unknown)
    if not cases:
        raise InputError("The project has no load cases; make the usual ones first.")
    out: list[CaseRun] = []
    for k, name in enumerate(cases):

        def told(share: float, _time: float, _end: float | None, k: int = k, name: str = name) -> None:
            if on_case is not None:
                on_case((k + share) / len(cases), name)

        made = with_load_case(project, name)
        results = simulate(made, on_progress=told, should_stop=should_stop)
        if results.status.name == "stopped":
            break
        ended = "" if results.status.complete else results.status.sentence
        assert made.assembly is not None
        out.append(CaseRun(name, mass_budget(made.assembly), extremes_of(results), ended))
    return Envelopes(tuple(out))


def extremes_of(results: Results) -> tuple[Extreme, ...]:
    """The largest force in every joint, footing, guide and coupling of a run, and the largest stress of every flexible
    body; joints of riders are left out. Raises InputError for a run that does not know its project."""
    project = parse_project(results.provenance.get("project"), "the project stored with the run")
    top = project.assembly
    if top is None:
        return ()
    return (*_reactions(top, results), *_couplings(top, results), *_stress(results))


def side_by_side(runs: Collection[CaseRun]) -> tuple[EnvelopeRow, ...]:
    """The extremes of load cases, one row an element, kind by kind; the largest amount of each kind first."""
    every: dict[tuple[EnvelopeKind, str], list[float | None]] = {}
    for k, run in enumerate(runs):
        for one in run.extremes:
            every.setdefault((one.kind, one.name), [None] * len(runs))[k] = one.value
    rows = []
    for (kind, name), values in every.items():
        governs = int(np.argmax([-1.0 if value is None else value for value in values]))
        rows.append(EnvelopeRow(kind, name, tuple(values), governs))
    order = [*KINDS]
    return tuple(sorted(rows, key=lambda row: (order.index(row.kind), -row.largest)))


def _largest(kind: EnvelopeKind, name: str, time: Array, amount: Array) -> Extreme:
    k = int(np.argmax(amount))
    return Extreme(kind, name, float(amount[k]), float(time[k]))


def _reactions(top: Assembly, results: Results) -> Iterator[Extreme]:
    """Of joints, of the interfaces of flexible bodies with the ground, and of guides."""
    drawn, states = placed_model(top), results.states
    kinds: dict[str, EnvelopeKind] = {}
    for path, joint in top.own("joint").items():
        grounded = GROUND in drawn.connected(path.rpartition("/")[0], joint)
        kinds[path] = "footing" if grounded else "joint"
    for path, body in top.own("flexible").items():
        for end in body.interfaces:
            if end.body == GROUND:
                kinds[f"{path}/{end.node}"] = "footing"
    rows = [*results.names.joints, *results.names.guides]
    guides = {*results.names.guides}
    for row, name in enumerate(rows):
        kind: EnvelopeKind | None = "wheel" if name in guides else kinds.get(name)
        if kind is not None:
            yield _largest(kind, name, states.time, np.linalg.norm(states.reactions[:, row, :3], axis=1))


def _couplings(top: Assembly, results: Results) -> Iterator[Extreme]:
    for coupling in top.couplings:
        channel = results.channels.get(f"coupling/{coupling.name}/force")
        if channel is not None:
            for word, sign in (("tension", 1.0), ("compression", -1.0)):
                amount = np.maximum(sign * channel.values, 0.0)
                yield _largest("coupling", f"{coupling.name}, {word}", results.sample_time, amount)


def _stress(results: Results) -> Iterator[Extreme]:
    if not results.names.flexible:
        return
    for one in stress_of(results):
        if one.known:
            envelope = one.superposition.envelope(one.modal)
            k = int(np.argmax(envelope.worst))
            yield Extreme(
                "stress", one.flexible.name, float(envelope.worst[k]), float(one.time[envelope.instant[k]])
            )
