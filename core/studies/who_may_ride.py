"""Everybody who may ride: bodies on seats behind restraints, each ridden freely, as a study and as its answer.

A study whose parameters are called "seat", "restraint", "ride" and "body", each where there is a choice; who does not
fit is not ridden. Admitted are those who fit, stay in their seat to the end of the ride and keep every limit. Beside
them rides an average man whose pelvis is fixed: what is beyond a limit on him is the ride's, whatever holds people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.frozen import told
from ..base.sentence import together
from ..human.anthropometry import person_for
from ..human.population import Named, free
from .answers import MinMargin, min_margins
from .by_ride import ByRide
from .one_run import MARGIN, STATES
from .seated_run import FIT, LEFT
from .store import Table
from .study import Change, Keep, Level, Parameter, Plan, Study

BODY, SEAT, RESTRAINT, RIDE = "body", "seat", "restraint", "ride"
REFERENCE: Final = "average man, pelvis fixed"
Verdict = Literal["may ride", "beyond a limit", "leaves the seat", "does not fit", "not ridden"]
STAYED: Final = ("may ride", "beyond a limit")  # whose margins count


def study_of(
    project: str,
    seats: Sequence[str],
    bodies: Sequence[Named],
    *,
    shapes: Sequence[str] = (),
    restraints: Sequence[str] = (),
    cases: Sequence[str] = (),
    by_ride: bool = False,
) -> Study:
    """The study of who may ride.

    Parameters
    ----------
    project
        What it is called, or its file.
    seats
        Paths of the seats on which everybody is seated in turn, on all of them at once.
    bodies
        Whom.
    shapes, restraints
        Keys of the library that the seats are made; none leaves them as they are.
    cases
        Names of load cases of the project, each of which is ridden; none rides it as it is.
    by_ride
        Whether more rides then find the statures and masses between which people may ride.

    Returns
    -------
    The study: a run for every body, seat, restraint and load case, and for the man whose pelvis is fixed.

    Raises
    ------
    InputError
        Without seats or bodies, and for two bodies of one name.
    """
    if not seats or not bodies:
        raise InputError("Who may ride: name a seat and somebody to sit there.")
    labels = [one.label for one in bodies]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"Who may ride: two bodies are called '{twice}'; give each its own name.")

    parameters = [
        Parameter(name=name, levels=tuple(_level(key, edit, key, targets) for key in keys))
        for name, edit, keys, targets in (
            (SEAT, "seat", shapes, seats), (RESTRAINT, "restraint", restraints, seats),
            (RIDE, "load case", cases, ("",)),
        )
        if keys
    ]  # fmt: skip
    average = person_for(None, None, percentile="50")
    fixed = Named(REFERENCE, free(average, "braced").model_copy(update={"held": True}))
    people = tuple(body_level(one, seats) for one in (*bodies, fixed))
    return Study(
        name="Who may ride", project=project, ride="multibody",
        notes="Bodies on seats behind restraints, each ridden freely.",
        parameters=(*parameters, Parameter(name=BODY, levels=people)), plan=Plan(kind="grid"),
        keep=Keep(seats=tuple(seats)), admitted=by_ride,
    )  # fmt: skip


def body_level(one: Named, seats: Sequence[str]) -> Level:
    """Somebody as the level of a study who takes the place of whoever sits on some seats."""
    return _level(one.label, "passenger", one.person.model_dump_json(exclude_defaults=True), seats)


def _level(label: str, edit: str, value: str, targets: Sequence[str]) -> Level:
    return Level(
        label=label, changes=tuple(Change(edit=edit, target=target, value=value) for target in targets)
    )


class Ridden(NamedTuple):
    """Somebody on a seat in a ride: what the seat is made of, the restraint and the ride ("" as the project has them),
    verdict with its reason, least margin and what governs (None, "" where nothing does), misfits in words, longest time
    off the pan (s), widest gap (m) and largest load of the restraint (N), None where nothing was ridden."""

    run: int
    body: str
    seat: str
    restraint: str
    ride: str
    verdict: Verdict
    reason: str
    margin: float | None
    governs: str
    misfits: str
    airtime: float | None
    gap: float | None
    load: float | None


@told
@dataclass(frozen=True)
class WhoMayRide:
    """Everybody who was looked at, in the order of the runs, the least margin of every criterion among those who stayed
    in their seats to the end with the run that governs it, the rides of the man whose pelvis is fixed, and between
    which statures and masses people may ride by the outcome of rides, where it was asked for."""

    rows: tuple[Ridden, ...]
    margins: tuple[MinMargin, ...]
    references: tuple[Ridden, ...] = ()
    admitted: tuple[ByRide, ...] = ()

    def __repr__(self) -> str:
        admitted = sum(row.verdict == "may ride" for row in self.rows)
        return f"WhoMayRide({len(self.rows)} looked at, {admitted} may ride)"

    def row(self, run: int) -> Ridden:
        """That of a run by its number."""
        return next(row for row in (*self.rows, *self.references) if row.run == run)

    def sentences(self) -> list[str]:
        """Of each seat, restraint and ride, who may ride and who not, in a sentence."""
        groups: dict[tuple[str, str, str], list[Ridden]] = {}
        for row in self.rows:
            groups.setdefault((row.seat, row.restraint, row.ride), []).append(row)
        fixed = {(row.seat, row.restraint, row.ride): row for row in self.references}
        return [
            together(" ", (_sentence(where, rows), *_of_the_ride(fixed.get(where))))
            for where, rows in groups.items()
        ]


def _sentence(where: tuple[str, str, str], rows: Sequence[Ridden]) -> str:
    said = ", ".join(word for word in where if word)
    may = [row.body for row in rows if row.verdict == "may ride"]
    if len(rows) > 12:
        text = f"{len(may)} of {len(rows)} may ride"
        for verdict in ("beyond a limit", "leaves the seat", "does not fit", "not ridden"):
            number = sum(row.verdict == verdict for row in rows)
            text += f", {number} {verdict}" if number else ""
    else:
        text = f"may ride: {', '.join(may) or 'nobody'}"
        text += "".join(f"; {row.body} {row.verdict}" for row in rows if row.verdict != "may ride")
    return f"{said}: {text}." if said else f"{text[:1].upper()}{text[1:]}."


def _of_the_ride(fixed: Ridden | None) -> tuple[str, ...]:
    """What keeps everybody out, as it is beyond a limit even with the pelvis fixed."""
    if fixed is None or fixed.verdict != "beyond a limit":
        return ()
    return (f"The ride itself is beyond a limit, with the pelvis fixed as well: {fixed.governs}.",)


def answer_of(table: Table) -> WhoMayRide:
    """What came of a study of who may ride, as far as it has been run. Raises InputError for another study."""
    names = [parameter.name for parameter in table.study.parameters]
    if not is_who(table.study):
        raise InputError(f"{table.study.name}: is no study of who may ride.")
    rows = []
    for k in range(len(table)):
        words = {
            name: table.study.parameters[c].shown(float(table.values[k, c])) for c, name in enumerate(names)
        }
        number = {name: _number(table, name, k) for name in (MARGIN, "airtime", "seat_gap", "restraint_load")}
        verdict = _verdict(table, k, number[MARGIN])
        misfits, left, governs = (
            table.texts.get(name, ("",) * len(table))[k] for name in (FIT, LEFT, MARGIN)
        )
        rows.append(
            Ridden(
                int(table.run[k]), words[BODY], words.get(SEAT, ""), words.get(RESTRAINT, ""), words.get(RIDE, ""),
                verdict, _reason(verdict, left or table.message[k], misfits, governs), number[MARGIN], governs, misfits,
                number["airtime"], number["seat_gap"], number["restraint_load"],
            )
        )  # fmt: skip
    asked = tuple(row for row in rows if row.body != REFERENCE)
    stayed = np.array([row.body != REFERENCE and row.verdict in STAYED for row in rows], dtype=bool)
    return WhoMayRide(asked, min_margins(table, stayed), tuple(row for row in rows if row.body == REFERENCE))


def is_who(study: Study) -> bool:
    """Whether a study asks who may ride."""
    bodies = next((one.levels for one in study.parameters if one.name == BODY), ())
    return bool(study.keep.seats) and all(c.edit == "passenger" for level in bodies for c in level.changes)


def _number(table: Table, name: str, k: int) -> float | None:
    values = table.numbers.get(name)
    return None if values is None or np.isnan(values[k]) else float(values[k])


def _verdict(table: Table, k: int, margin: float | None) -> Verdict:
    state = STATES[int(table.state[k])]
    if state == "screened":
        return "does not fit"
    if _number(table, "left_the_seat", k):
        return "leaves the seat"
    if state != "done":
        return "not ridden"
    return "beyond a limit" if margin is not None and margin < 0.0 else "may ride"


def _reason(verdict: Verdict, message: str, misfits: str, governs: str) -> str:
    if verdict == "does not fit":
        return misfits
    return {"may ride": "", "beyond a limit": governs}.get(verdict, message)
