"""What a run that has ended says against its own numbers: energy that the numerics made or lost, joints that open,
springs that were strained when it began, bodies that bend further than their model goes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.errors import InputError
from ..base.finding import Finding
from ..base.sentence import say
from ..base.where import Where
from ..model.consistency import element_where, unstiffened
from ..project.project import Project
from ..project.sampling import ASSESSED_RATE
from ..project.scenario import SolverSettings
from ..results.results import Results, first_car_at
from .restraint_loads import restraint_findings
from .start import out_of_balance, start_note

ENERGY = 0.01  # share of the energy that is converted; more than that is seen in speeds and loads
SLOW = (
    0.02  # share of the kinetic energy; more than that is seen where a mechanism is as slow as at its start
)
STRAINED = 0.01  # share of the energy that is converted; more than that in springs at the start shakes a ride
ROUNDING = 1e-9  # of the stored energy, of which less is nothing
APART = 0.01  # m or rad; what is drawn further apart begins elsewhere than it is seen
ASSESSED = (
    "rider/",
    "seat/",
    "coupling/",
)  # what the names of signals begin with that limits are held against
OPEN = 1e-4  # m or rad; what a drawing is exact to


def run_finding(
    results: Results, kind: str, message: str, time: float, where: Where | None = None
) -> Finding:
    """A finding against a run from an instant (s) on, with the place of the first car then; where: what of the project
    it is about."""
    own = Where() if where is None else where
    return Finding(
        kind=kind, message=message, where=own.filled(Where(s=first_car_at(results, time), time=time))
    )


def check_run(results: Results, settings: SolverSettings) -> tuple[Finding, ...]:
    """Findings against a run: its energy ledger, its constraints, how it began, and bodies that bend far.

    Parameters
    ----------
    results
        What came out.
    settings
        With which it was run.

    Returns
    -------
    The findings.
    """
    begun = (*_start(results), *_settling(results), *_drawn(results))
    own = (*_energy(results, settings), *_constraints(results, settings), *begun)
    held = restraint_findings(results)
    return (*own, *_sampling(results), *bending_findings(results), *_uncontrolled(results, settings), *held)


def _uncontrolled(results: Results, settings: SolverSettings) -> tuple[Finding, ...]:
    """Stress of flexible bodies in a run whose steps have a tolerance that does not look at it (`step_size`)."""
    controlled = settings.method == "generalized_alpha" and settings.rho_infinity < 1.0
    if not results.names.flexible or settings.fixed_step is not None or controlled:
        return ()
    what = "without numerical damping (rho_infinity 1)"
    if settings.method != "generalized_alpha":
        what = f"of the method {settings.method}"
    return (
        run_finding(
            results,
            "stress",
            f"Steps {what} go by metres and radians, not by the stress of flexible bodies, which may be several"
            " percent off: take rho_infinity below 1 with the program's own method, or see with --accuracy how far.",
            float(results.states.time[0]) if len(results.states.time) else 0.0,
        ),
    )


def _sampling(results: Results) -> tuple[Finding, ...]:
    """Signals that limits are held against, and that are too slow for some of them."""
    time = results.sample_time
    if len(time) < 2 or not any(name.startswith(ASSESSED) for name in results.channels):
        return ()
    rate = (len(time) - 1) / float(time[-1] - time[0])
    if not rate < ASSESSED_RATE * (1.0 - 1e-6):
        return ()
    way = "run it again" if "project" in results.provenance else "record faster"
    text = say(
        "The signals of the run have {rate:.4g} samples a second: criteria that need more are not applicable, and what"
        " comes between two samples is not seen. With {needed:g} all of them apply that need no faster filter; {way}.",
        rate=rate, needed=ASSESSED_RATE, way=way,
    )  # fmt: skip
    return (run_finding(results, "sampling", text, float(time[0])),)


def bending_findings(results: Results) -> tuple[Finding, ...]:
    """Flexible bodies that bend further than a linear deformation can be: what is fixed to them moves wrongly, too."""
    if not results.names.flexible:
        return ()
    from .deflection import SMALL_TURN, deflection  # compiled kernels, slow to load
    from .stress import stress_of

    try:
        bodies = stress_of(results)
    except InputError:  # a damaged project: who asks for stress is told
        return ()
    found = []
    for one in bodies:
        bent = deflection(one)
        if bent.small:
            continue
        at = float(one.time[int(np.argmax(bent.turns > SMALL_TURN))])
        text = say(
            "'{body}' bends by up to {turn:.2g rad}, its interfaces by {away:.2g m}; a deformation that is linear holds"
            " to about {small:g rad}, so that its motion, its stress and the loads of all it carries are wrong. Divide"
            " it into several bodies, or make it stiffer.",
            body=one.flexible.name, turn=bent.most, away=bent.largest, small=SMALL_TURN,
        )  # fmt: skip
        found.append(run_finding(results, "bending", text, at, _flexible_where(results, one.flexible.name)))
    return tuple(found)


def _flexible_where(results: Results, name: str) -> Where:
    """Where in the project of a run a flexible body is."""
    path, _, own = name.rpartition("/")
    kind = results.provenance.get("project", {}).get("scenario", {}).get("kind")
    return element_where(path, "flexibles", own).under(
        *(("train",) if kind == "ride" else ("scenario", "assembly"))
    )


def structure_findings(project: Project) -> tuple[Finding, ...]:
    """What imported structures of a ride leave out."""
    found = () if project.assembly is None else unstiffened(project.assembly)
    return tuple(
        one.model_copy(update={"kind": "stiffening", "where": replace(one.where, time=0.0)}) for one in found
    )


def _energy(results: Results, settings: SolverSettings) -> tuple[Finding, ...]:
    ledger, time = results.energy, results.states.time
    if len(time) < 2:
        return ()
    stored, residual, converted = ledger.potential + ledger.elastic, ledger.residual, _converted(results)
    worst = int(np.argmax(np.abs(residual)))
    size = abs(float(residual[worst]))
    if not size > max(ENERGY * converted, ROUNDING * float(np.abs(stored).max())):
        return _slow(results, settings)
    word, share = "made" if residual[worst] > 0.0 else "lost", size / converted
    first = int(np.argmax(np.abs(residual) > ENERGY * converted))
    text = say(
        "The numerics {word} {size:.3g J} until {time:.2f s}, {share:.2g %} of the energy at play; {cure}.",
        word=word, size=size, time=time[worst], share=share, cure=_cure(settings),
    )  # fmt: skip
    return (run_finding(results, "energy", text, float(time[first])),)


def _converted(results: Results) -> float:
    """The energy (J) at play: the largest kinetic one, or what another kind changes by."""
    ledger = results.energy
    terms = (ledger.contact_elastic, ledger.contact_loss, ledger.friction_loss)
    changing = (*terms, ledger.potential + ledger.elastic, ledger.dissipated, ledger.drag, ledger.driven)
    return max(float(ledger.kinetic.max()), *(float(np.ptp(values)) for values in changing))


def _slow(results: Results, settings: SolverSettings) -> tuple[Finding, ...]:
    """A mechanism that comes back to the speed it began with has to have its energy there, however much it exchanged
    in between."""
    ledger, time = results.energy, results.states.time
    start = float(ledger.kinetic[0])
    size = np.abs(ledger.residual)
    if not start > ROUNDING * _converted(results):
        return ()
    share = size / np.maximum(ledger.kinetic, start)
    worst = int(np.argmax(share))
    if not share[worst] > SLOW:
        return ()
    word = "made" if ledger.residual[worst] > 0.0 else "lost"
    at = float(time[int(np.argmax(share > SLOW))])
    text = say(
        "The numerics {word} {size:.3g J} until {time:.2f s}, {share:.2g %} of the kinetic energy there; {cure}.",
        word=word, size=size[worst], time=time[worst], share=share[worst], cure=_cure(settings),
    )  # fmt: skip
    return (run_finding(results, "energy", text, at),)


def _start(results: Results) -> tuple[Finding, ...]:
    """A ride that begins with strained springs is shaken by what no ride before it has left in them, unless they are in
    balance with its loads: couplers of a long train on a slope hold its weight."""
    if not len(results.energy.elastic):  # a measured ride
        return ()
    strained, converted = float(results.energy.elastic[0]), _converted(results)
    if out_of_balance(results) is None or not strained > STRAINED * converted:
        return ()
    text = say(
        "The springs hold {strained:.3g J} when the ride begins, {share:.2g %} of the energy at play, as if drawn there"
        " by force; start settled, or where the track is straight and level.",
        strained=strained, share=strained / converted,
    )  # fmt: skip
    return (run_finding(results, "start", text, float(results.states.time[0])),)


def _settling(results: Results) -> tuple[Finding, ...]:
    """A train that was to start at rest against its motion, and found none."""
    stated, why = start_note(results), results.provenance.get("assembly", {}).get("unsettled")
    if stated is None or not why:
        return ()
    at = float(results.states.time[0]) if len(results.states.time) else 0.0
    # a run of an earlier version knows no reason
    text = f"{stated} {why}" if isinstance(why, str) else stated
    return (run_finding(results, "start", text, at),)


def _drawn(results: Results) -> tuple[Finding, ...]:
    """What was drawn far apart begins where the joints close, which may be far from what is meant."""
    report = results.provenance.get("assembly", {})
    apart, moved = report.get("violation_before", 0.0), report.get("translation", 0.0)
    if not (isinstance(apart, float) and isinstance(moved, float) and apart > APART):
        return ()
    text = say(
        "The model is drawn open by {apart:.2g} (m or rad) at {row}; '{body}' was moved by {moved:.2g m} before the run"
        " began. Draw it closed.",
        apart=apart, row=report.get("worst_before"), body=report.get("translated"), moved=moved,
    )  # fmt: skip
    at = float(results.states.time[0]) if len(results.states.time) else 0.0
    return (Finding(kind="start", message=text, where=Where(time=at)),)


def _constraints(results: Results, settings: SolverSettings) -> tuple[Finding, ...]:
    off, time = results.violations, results.states.time
    found = []
    for what, values in (("Joints", off.joints), ("Guides", off.guides)):
        if values.size and float(values.max()) > OPEN:
            worst, first = int(np.argmax(values)), int(np.argmax(values > OPEN))
            text = say(
                "{what} open by {most:.2g} (m or rad) at {time:.2f s}; {cure}.",
                what=what, most=values[worst], time=time[worst], cure=_cure(settings),
            )  # fmt: skip
            found.append(run_finding(results, "constraints", text, float(time[first])))
    return tuple(found)


def _cure(settings: SolverSettings) -> str:
    """The way out, for the method that was used."""
    if settings.method == "generalized_alpha":
        return "take a smaller step" if settings.fixed_step else "take a smaller tolerance"
    step = "step" if settings.fixed_step else "tolerance"
    return f"take a smaller {step}, another stabilisation, or the program's own method (generalized_alpha)"
