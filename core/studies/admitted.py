"""Between which statures and masses people may ride, by the outcome of rides, beside whom the restraint closes onto.

From the ends that fit, stature (at the median mass of each) and mass (at an average stature) are bisected by rides, to
1 cm and 1 kg. Each is a run of the study of who may ride with somebody else on the seat, in a store of its own in the
folder of the runs. Limits that the ride exceeds on the man whose pelvis is fixed are the ride's, and limits that
everybody exceeds who was asked first belong to ride and seat whatever the size: both are left out, and told. Where
nobody keeps the others, staying in the seat alone counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..base.errors import InputError
from ..base.sentence import counted
from ..human.anthropometry import person_for, size_of
from ..human.population import Named, free
from ..model.person import Person
from ..report.parts.words import DOUBT
from ..track.build import BuiltTrack, build_track
from .by_ride import AT, ByRide, Other, Place, Seen, masses, statures
from .one_run import MARGIN, STATES
from .seated_run import FIT, LEFT
from .store import HEAD, Store, Table
from .study import Level, Study
from .who_closes import closes_of
from .who_fits import MASS_RANGE, STATURE_RANGE, Fits
from .who_may_ride import BODY, REFERENCE, RESTRAINT, RIDE, SEAT, WhoMayRide, answer_of, body_level, is_who
from .words import criteria_of

if TYPE_CHECKING:
    from .engine import OnProgress, Progress, ShouldStop  # with Dask, which who reads an answer may not have

FOLDER: Final = "admitted"  # of the runs, in that of the study


def bodies(tone: str) -> tuple[Named, ...]:
    """Everybody who may be asked: those of `statures`, then those of `masses`."""
    tall = (Named(f"{one:.2f} m", person_for(one, None, percentile="50")) for one in statures())
    heavy = (Named(f"{one:.0f} kg at {AT:.4g} m", person_for(AT, one)) for one in masses())
    return tuple(Named(one.label, free(one.person, tone)) for one in (*tall, *heavy))


def study_of_sizes(study: Study) -> Study:
    """The study whose runs are those that may be asked: that of who may ride, with somebody of every size, whose
    muscles are those of its first body."""
    own = next(one for one in study.parameters if one.name == BODY)
    first = Person.model_validate_json(str(own.levels[0].changes[0].value))
    levels = tuple(body_level(one, study.keep.seats) for one in bodies(first.trunk))
    parameters = tuple(
        one.model_copy(update={"levels": levels}) if one is own else one for one in study.parameters
    )
    keep = study.keep.model_copy(update={"results": ()})
    return study.model_copy(
        update={"name": "Who is admitted", "parameters": parameters, "keep": keep, "admitted": False}
    )


def find_admitted(
    store: Store,
    client: Any,
    *,
    retry: bool = False,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    on_cost: Callable[[str], None] | None = None,
) -> tuple[ByRide, ...]:
    """Ride for who is admitted, after the runs of a study of who may ride, or go on with it.

    Parameters
    ----------
    store
        Of the study, whose runs have been made.
    client
        Of Dask (`workers_of`).
    retry
        Make failed runs again.
    on_progress, should_stop
        Called at least once a second.
    on_cost
        Called with a sentence on how many rides it takes, before the first.

    Returns
    -------
    Who may ride on each seat, behind each restraint, in each ride; nothing for another study. It ends early when asked
    to; what was ridden is kept and not ridden again.

    Raises
    ------
    InputError
        As `run_study`.
    """
    from .engine import Pool, make_runs

    if not store.study.admitted:
        return ()
    _refuse(store.study)
    told, stop = on_progress or (lambda _: None), should_stop or (lambda: False)
    closes_of(store)  # before there is anything to be read by others
    inner = Store.create(store.folder / FOLDER, study_of_sizes(store.study), store.base, resume=True)
    if retry:
        with inner.writing():
            inner.drop("failed")
    search = Search(store, inner)
    if on_cost is not None:
        on_cost(search.cost)
    with inner.writing(), Pool(client, inner) as pool:
        while (runs := search.asked()) and not stop():
            values = np.array([search.values(run) for run in runs])
            reported = _progress(search, told)
            made = make_runs(pool, values, numbers=runs, on_progress=reported, should_stop=stop)
            search.read()
            if len(made) < len(runs):
                break
    return search.answer()


def _refuse(study: Study) -> None:
    """Raises InputError for a study that is none of who may ride, in the form of `study_of`."""
    if not is_who(study) or study.parameters[-1].name != BODY or not all(p.levels for p in study.parameters):
        raise InputError(
            f"{study.name}: admitted goes with a study of who may ride: levels of seat, restraint and ride, bodies as"
            " its last parameter."
        )


def _progress(search: Search, told: OnProgress) -> OnProgress:
    """What is told of some runs of the search, as part of all that may still be needed."""
    before, most = search.rides, search.most

    def reported(one: Progress) -> None:
        left = one.elapsed * (most - one.done) / one.done if one.done else None
        told(replace(one, done=before + one.done, of=before + most, left=left))

    return reported


def most_rides(combinations: int = 1) -> int:
    """How many rides it takes at most to know who is admitted, for so many combinations of seat, restraint and ride."""
    anybody = Fits(*STATURE_RANGE, ((AT, MASS_RANGE[1]),), True, True)
    return combinations * Place("", "", "", (), 0, anybody, {}, frozenset()).most()


def admitted_of(store: Store) -> tuple[ByRide, ...]:
    """Who may ride by the rides in a store of a study of who may ride, as far as they were made; nothing where they
    were not asked for. Raises InputError for a damaged store."""
    if not store.study.admitted or not (store.folder / FOLDER / HEAD).is_file():
        return ()
    return Search(store, Store.open(store.folder / FOLDER)).answer()


def whole_answer(store: Store) -> WhoMayRide:
    """What came of a study of who may ride, with who is admitted by the ride. Raises InputError for another study."""
    return replace(answer_of(store.table()), admitted=admitted_of(store))


class Search:
    """The search for every seat, restraint and ride of a study; `read` takes in what was ridden for it."""

    def __init__(self, store: Store, inner: Store) -> None:
        study, base, main = store.study, store.base, store.table()
        self._inner, self._count = inner, len(statures()) + len(masses())
        self._titles = {name: DOUBT.sub("", one.title) for name, one in criteria_of(store).items()}
        self._built = None if base is None or base.track is None else build_track(base.track, ride=False)
        fits = {(one.seat, one.restraint): one.fits for one in closes_of(store)}
        choices = [range(len(one.levels)) for one in study.parameters if one.name != BODY]
        places = []
        for k, levels in enumerate(itertools.product(*choices)):
            said = {one.name: one.levels[k].label for one, k in zip(study.parameters, levels, strict=False)}
            seat, restraint = said.get(SEAT, ""), said.get(RESTRAINT, "")
            values = tuple(float(level) for level in levels)
            place = Place(
                seat, restraint, said.get(RIDE, ""), values, k * self._count, fits[seat, restraint], self._titles,
                _exceeded(main, values),
            )  # fmt: skip
            place.others = self._others(main, values)
            places.append(place)
        self.places = tuple(places)
        self.read()

    def read(self) -> None:
        """Take in all that is in the store."""
        table = self._inner.table()
        for place in self.places:
            for k in np.flatnonzero((table.run >= place.base) & (table.run < place.base + self._count)):
                place.rows[int(table.run[k]) - place.base] = seen(table, int(k), self._titles, self._built)

    @property
    def rides(self) -> int:
        """How many were made."""
        return sum(len(place.rows) for place in self.places)

    @property
    def most(self) -> int:
        """How many there are still to be made, at most."""
        return sum(place.most() for place in self.places)

    @property
    def cost(self) -> str:
        """How many rides it takes, in words."""
        many = counted(len(self.places), "combination")
        where = f", for {many} of seat, restraint and ride" if len(self.places) > 1 else ""
        return f"who is admitted by the ride: {len(self.asked())} to {counted(self.most, 'ride')} more{where}"

    def asked(self) -> list[int]:
        """Runs that are to be made next, ascending."""
        return [run for place in self.places for run in place.asked()]

    def values(self, run: int) -> tuple[float, ...]:
        """Those of a run, one a parameter."""
        place = self.places[run // self._count]
        return (*place.levels, float(run - place.base))

    def answer(self) -> tuple[ByRide, ...]:
        """Who may ride at each, as far as it is known."""
        return tuple(place.answer() for place in self.places)

    def _others(self, table: Table, levels: tuple[float, ...]) -> tuple[Other, ...]:
        """Everybody whom the study itself has ridden, but the man whose pelvis is fixed."""
        found = []
        for k, body in _rows_at(table, levels):
            if body.label != REFERENCE:
                size = size_of(Person.model_validate_json(str(body.changes[0].value)))
                came = seen(table, k, self._titles, self._built)
                found.append(Other(body.label, size.stature.value, size.mass.value, came))
        return tuple(found)


def _exceeded(table: Table, levels: tuple[float, ...]) -> frozenset[str]:
    """Ids of the limits that are exceeded on the man whose pelvis is fixed."""
    rows = [k for k, body in _rows_at(table, levels) if body.label == REFERENCE]
    return frozenset(id for k in rows for id, _ in _beyond(table, k))


def _rows_at(table: Table, levels: tuple[float, ...]) -> Iterator[tuple[int, Level]]:
    """Rows of a seat, restraint and ride, with the body of each."""
    for k in np.flatnonzero((table.values[:, :-1] == np.array(levels)).all(axis=1)):
        yield int(k), table.study.parameters[-1].levels[int(table.values[k, -1])]


def _beyond(table: Table, k: int) -> list[tuple[str, float]]:
    """Limits (ids) that a run exceeds with their margins, the worst first."""
    margins = {
        name.removesuffix(f".{MARGIN}"): float(values[k])
        for name, values in table.numbers.items()
        if name.endswith(f".{MARGIN}") and values[k] < 0.0
    }
    return sorted(margins.items(), key=lambda one: one[1])


def seen(table: Table, k: int, titles: dict[str, str], built: BuiltTrack | None) -> Seen:
    """What came of somebody, by the row of his run."""
    state = STATES[int(table.state[k])]
    words = {name: table.texts.get(name, ("",) * len(table))[k] for name in (FIT, LEFT)}
    if state == "screened":
        return Seen(False, "fit", f"does not fit, {words[FIT]}", ())
    if words[LEFT]:
        return Seen(False, "ride", f"leaves the seat {words[LEFT]}", ())
    if state != "done":
        return Seen(False, "ride", f"could not be ridden, {table.message[k].rstrip('.')}", ())
    beyond = []
    for id, _ in _beyond(table, k):
        at = table.numbers.get(f"{id}.s", np.full(len(table), np.nan))[k]
        who = table.texts.get(id, ("",) * len(table))[k]
        part = who.partition(" of ")[0]
        where = (
            "" if np.isnan(at) or built is None else f" at s = {at:.0f} m in '{built.section_at(float(at))}'"
        )
        beyond.append((id, f"exceeds {titles.get(id, id)}{f' ({part})' if part else ''}{where}"))
    return Seen(True, "ride", "", tuple(beyond))
