"""A start out of balance: which first moments of a run say nothing about the track, and are not judged."""

from __future__ import annotations

from ..results.results import Results

#: Seconds that riders and cars take to settle from where they are drawn: a body that sways at 2 Hz with a third of the
#: critical damping has a tenth of its swing left after half a second, and what is stiffer settles faster.
SETTLING = 0.5


def out_of_balance(results: Results) -> str | None:
    """Why a ride did not begin at rest against its own motion; None where it did, and for what is no ride."""
    scenario = _dict(_dict(results.provenance.get("project")).get("scenario"))
    if scenario.get("kind") != "ride":
        return None
    if _dict(results.provenance.get("assembly")).get("unsettled"):
        return "no rest was found under the loads of the start"
    return None if scenario.get("settled", False) else "the ride starts as drawn"


def judged_from(results: Results) -> int:
    """Index of the first sample that is judged: behind the settling of a start out of balance, 0 otherwise and where a
    run is too short to have as much left behind it."""
    time = results.sample_time
    if len(time) < 2 or out_of_balance(results) is None or not len(results.states.time):
        return 0
    until = float(results.states.time[0]) + SETTLING
    return int(time.searchsorted(until)) if float(time[-1]) - until >= SETTLING else 0


def start_note(results: Results) -> str | None:
    """What is to be said beside a verdict on a run whose first moments are left out, or should be."""
    why = out_of_balance(results)
    if why is None:
        return None
    way = "Let it start in equilibrium, or further ahead on a straight."
    if judged_from(results):
        return (
            f"The first {SETTLING:g} s are not judged: {why}, and what riders and cars feel while they settle is no"
            f" property of the ride. {way}"
        )
    return (
        f"The run is too short to leave out its first {SETTLING:g} s, in which riders and cars settle ({why}): what is"
        f" felt there is no property of the ride. {way}"
    )


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
