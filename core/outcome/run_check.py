"""What a run that has ended says against its own numbers: energy that the numerics made or lost, joints that open,
springs that were strained when it began, bodies that bend further than their model goes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..base.errors import InputError
from ..base.frozen import Frozen
from ..model.consistency import unstiffened
from ..project.project import Project
from ..project.scenario import SolverSettings
from ..results.results import Results, first_car_at
from ..solver.channels import ASSESSED_RATE
from .start import start_note

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


class RunFinding(Frozen):
    """One sentence on why figures of a run may not be trusted, or on what it asks too much of, from an instant (s) and
    a place (m) on."""

    kind: Literal[
        "energy",
        "constraints",
        "start",
        "rating",
        "slack",
        "swing",
        "stiffening",
        "sampling",
        "uncoupled",
        "bending",
        "buckling",
        "stress",
    ]
    message: str
    time: float
    arc_length: float | None = None


def check_run(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    """Findings against a run with these settings: its energy ledger, its constraints, how it began, and bodies that
    bend far."""
    begun = (*_start(results), *_settling(results), *_drawn(results))
    own = (*_energy(results, settings), *_constraints(results, settings), *begun)
    return (*own, *_sampling(results), *bending_findings(results), *_uncontrolled(results, settings))


def _uncontrolled(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    """Stress of flexible bodies in a run whose steps have a tolerance that does not look at it (`step_size`)."""
    controlled = settings.method == "generalized_alpha" and settings.rho_infinity < 1.0
    if not results.names.flexible or settings.fixed_step is not None or controlled:
        return ()
    what = "without numerical damping (rho_infinity 1)"
    if settings.method != "generalized_alpha":
        what = f"of the method {settings.method}"
    return (
        RunFinding(
            kind="stress",
            message=f"Steps {what} go by metres and radians, not by the stress of flexible bodies, which may be several"
            " percent off: take rho_infinity below 1 with the program's own method, or see with --accuracy how far.",
            time=float(results.states.time[0]) if len(results.states.time) else 0.0,
        ),
    )


def _sampling(results: Results) -> tuple[RunFinding, ...]:
    """Signals that limits are held against, and that are too slow for some of them."""
    time = results.sample_time
    if len(time) < 2 or not any(name.startswith(ASSESSED) for name in results.channels):
        return ()
    rate = (len(time) - 1) / float(time[-1] - time[0])
    if not rate < ASSESSED_RATE * (1.0 - 1e-6):
        return ()
    way = "run it again" if "project" in results.provenance else "record faster"
    return (
        RunFinding(
            kind="sampling",
            message=f"The signals of the run have {rate:.4g} samples a second: criteria that need more are not"
            f" applicable, and what comes between two samples is not seen. With {ASSESSED_RATE:g} all of them apply"
            f" that need no faster filter; {way}.",
            time=float(time[0]),
            arc_length=first_car_at(results, float(time[0])),
        ),
    )


def bending_findings(results: Results) -> tuple[RunFinding, ...]:
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
        message = (
            f"'{one.flexible.name}' bends by up to {bent.most:.2g} rad, its interfaces by {bent.largest:.2g} m; a"
            f" deformation that is linear holds to about {SMALL_TURN:g} rad, so that its motion, its stress and the"
            " loads of all it carries are wrong. Divide it into several bodies, or make it stiffer."
        )
        found.append(
            RunFinding(kind="bending", message=message, time=at, arc_length=first_car_at(results, at))
        )
    return tuple(found)


def structure_findings(project: Project) -> tuple[RunFinding, ...]:
    """What imported structures of a ride leave out."""
    found = () if project.assembly is None else unstiffened(project.assembly)
    return tuple(
        RunFinding(kind="stiffening", message=one.message[0].upper() + one.message[1:], time=0.0)
        for one in found
    )


def _energy(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    ledger, time = results.energy, results.states.time
    if len(time) < 2:
        return ()
    stored, residual, converted = ledger.potential + ledger.elastic, ledger.residual, _converted(results)
    worst = int(np.argmax(np.abs(residual)))
    size = abs(float(residual[worst]))
    if not size > max(ENERGY * converted, ROUNDING * float(np.abs(stored).max())):
        return _slow(results, settings)
    word, share = "made" if residual[worst] > 0.0 else "lost", 100.0 * size / converted
    first = int(np.argmax(np.abs(residual) > ENERGY * converted))
    return (
        RunFinding(
            kind="energy",
            message=f"The numerics {word} {size:.3g} J until {time[worst]:.2f} s, {share:.2g} % of the energy at play;"
            f" {_cure(settings)}.",
            time=float(time[first]),
            arc_length=first_car_at(results, float(time[first])),
        ),
    )


def _converted(results: Results) -> float:
    """The energy (J) at play: the largest kinetic one, or what another kind changes by."""
    ledger = results.energy
    terms = (ledger.contact_elastic, ledger.contact_loss, ledger.friction_loss)
    changing = (*terms, ledger.potential + ledger.elastic, ledger.dissipated, ledger.drag, ledger.driven)
    return max(float(ledger.kinetic.max()), *(float(np.ptp(values)) for values in changing))


def _slow(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
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
    return (
        RunFinding(
            kind="energy",
            message=f"The numerics {word} {size[worst]:.3g} J until {time[worst]:.2f} s,"
            f" {100.0 * share[worst]:.2g} % of the kinetic energy there; {_cure(settings)}.",
            time=at,
            arc_length=first_car_at(results, at),
        ),
    )


def _start(results: Results) -> tuple[RunFinding, ...]:
    """A ride that begins with strained springs is shaken by what no ride before it has left in them."""
    scenario = results.provenance.get("project", {}).get("scenario", {})
    if not len(results.energy.elastic):  # a measured ride
        return ()
    strained, converted = float(results.energy.elastic[0]), _converted(results)
    if scenario.get("kind") != "ride" or not strained > STRAINED * converted:
        return ()
    return (
        RunFinding(
            kind="start",
            message=f"The springs hold {strained:.3g} J when the ride begins, {100.0 * strained / converted:.2g} % of"
            " the energy at play, as if drawn there by force; start settled, or where the track is straight and level.",
            time=float(results.states.time[0]),
            arc_length=first_car_at(results, float(results.states.time[0])),
        ),
    )


def _settling(results: Results) -> tuple[RunFinding, ...]:
    """A train that was to start at rest against its motion, and found none."""
    said = start_note(results)
    if said is None or not results.provenance.get("assembly", {}).get("unsettled"):
        return ()
    at = float(results.states.time[0]) if len(results.states.time) else 0.0
    return (RunFinding(kind="start", message=said, time=at, arc_length=first_car_at(results, at)),)


def _drawn(results: Results) -> tuple[RunFinding, ...]:
    """What was drawn far apart begins where the joints close, which may be far from what is meant."""
    report = results.provenance.get("assembly", {})
    apart, moved = report.get("violation_before", 0.0), report.get("translation", 0.0)
    if not (isinstance(apart, float) and isinstance(moved, float) and apart > APART):
        return ()
    return (
        RunFinding(
            kind="start",
            message=f"The model is drawn open by {apart:.2g} (m or rad) at {report.get('worst_before')}; '"
            f"{report.get('translated')}' was moved by {moved:.2g} m before the run began. Draw it closed.",
            time=float(results.states.time[0]) if len(results.states.time) else 0.0,
        ),
    )


def _constraints(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    off, time = results.violations, results.states.time
    found = []
    for what, values in (("Joints", off.joints), ("Guides", off.guides)):
        if values.size and float(values.max()) > OPEN:
            worst, first = int(np.argmax(values)), int(np.argmax(values > OPEN))
            message = (
                f"{what} open by {values[worst]:.2g} (m or rad) at {time[worst]:.2f} s; {_cure(settings)}."
            )
            at = float(time[first])
            place = first_car_at(results, at)
            found.append(RunFinding(kind="constraints", message=message, time=at, arc_length=place))
    return tuple(found)


def _cure(settings: SolverSettings) -> str:
    """The way out, for the method that was used."""
    if settings.method == "generalized_alpha":
        return "take a smaller step" if settings.fixed_step else "take a smaller tolerance"
    step = "step" if settings.fixed_step else "tolerance"
    return f"take a smaller {step}, another stabilisation, or the program's own method (generalized_alpha)"
