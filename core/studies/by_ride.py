"""Who may ride by the outcome of rides, on one seat behind one restraint in one ride: the search and its answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final, Literal, NamedTuple

from ..base.sentence import Sentence, counted, say, together
from ..human.anthropometry import person_for, size_of
from ..human.population import Admitted
from .ends import Ends, find_ends
from .who_fits import HEAVY_AT, MASS_RANGE, STATURE_RANGE, Fits

AT: Final = HEAVY_AT[0]  # m: stature of the masses
STATURE_STEP: Final = 0.01  # m; masses go in steps of 1 kg
SHOWN: Final = 3  # bodies of the study who may not although their size may
Decides = Literal["fit", "ride", "nothing looked at"]


class End(NamedTuple):
    """An end of those who may ride: the last stature (m) or mass (kg) that may, and through what the next one may not:
    "fit" or "ride" with the reason; "nothing looked at" where nobody beyond is looked at."""

    value: float
    decides: Decides
    why: str = ""


class Range(NamedTuple):
    """Who may: the smallest and the tallest (m, at median masses), the heaviest and the lightest (kg, at the stature
    `AT`), None where nobody may; nobody: why; again: sizes that may beyond such that may not; but: bodies of the study
    of such a size who may not, with the reason."""

    smallest: End | None = None
    tallest: End | None = None
    heaviest: End | None = None
    lightest: float | None = None
    nobody: str = ""
    again: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def words(self, some: str, none: str) -> Sentence | str:
        """In words, "some from 1.31 m (the ride decides; smaller: ...) to 1.95 m ...", or "none: somebody ..."."""
        low, high, heavy = self.smallest, self.tallest, self.heaviest
        if low is None or high is None:
            return f"{none}: {self.nobody}"
        parts: list[Sentence | str] = [
            some, say(" from {low:.2f m}", low=low.value), _because(low, "smaller", "smallest"),
            say(" to {high:.2f m}", high=high.value), _because(high, "taller", "tallest"), "; ",
        ]  # fmt: skip
        if heavy is None:
            parts.append(say("at {at:.4g m} nobody of average mass or more", at=AT))
        else:
            parts.append(say("at {at:.4g m} up to {mass:.0f kg}", at=AT, mass=heavy.value))
            parts.append(_because(heavy, "heavier", "heaviest"))
        return together("; ", (together("", parts), *self.exceptions))

    @property
    def exceptions(self) -> tuple[Sentence | str, ...]:
        """Who may beyond the ends, and who may not within them, in words."""
        found: list[Sentence | str] = []
        if self.lightest is not None and self.lightest > masses()[0]:
            found.append(say("at {at:.4g m} only from {mass:.0f kg}", at=AT, mass=self.lightest))
        if self.again:
            found.append(f"not monotone, {_few(self.again)} may as well, beyond some that may not")
        if self.but:
            found.append(f"but {_few(self.but)}")
        return tuple(found)

    def beyond(self, admitted: Admitted) -> Sentence | str:
        """Whom a project admits although they may not, in words; "" where it admits nobody of them."""
        low, high, heavy = self.smallest, self.tallest, self.heaviest
        if low is None or high is None:
            return "nobody who is admitted may ride"
        looked_at = (low.decides == "nothing looked at", high.decides == "nothing looked at")
        found = Fits(low.value, high.value, () if heavy is None else ((AT, heavy.value),), *looked_at)
        return found.beyond(admitted, "they may not ride")


class ByRide(NamedTuple):
    """Who may ride on a seat behind a restraint in a ride ("" as the project has them).

    fits: who fits; stays: who fits and stays in the seat to the end; keeps: who keeps the limits as well, but for those
    left out: of_the_ride, exceeded with the pelvis fixed too, and of_everybody, exceeded by everybody who was asked
    first (titles); rides: made so far; finished: whether all are, else stays and keeps say nothing yet.
    """

    seat: str
    restraint: str
    ride: str
    fits: Fits
    stays: Range = Range()
    keeps: Range = Range()
    of_the_ride: tuple[str, ...] = ()
    of_everybody: tuple[str, ...] = ()
    rides: int = 0
    finished: bool = True

    @property
    def what(self) -> str:
        """Seat, restraint and ride, where there is a choice."""
        return ", ".join(word for word in (self.seat, self.restraint, self.ride) if word)

    def sentences(self, admitted: Admitted) -> tuple[Sentence | str, ...]:
        """Who stays in the seat, who keeps the limits, what is left out, and whom a project admits beyond."""
        before = f"{self.what}: by the ride, " if self.what else "By the ride, "
        if not self.finished:
            return (f"{before}it is not known yet who may; {counted(self.rides, 'ride')} made.",)
        beyond = self.keeps.beyond(admitted)
        limits = "the limits that are counted" if self.of_the_ride or self.of_everybody else "the limits"
        stays = self.stays.words("people fit and stay in the seat", "nobody fits and stays in the seat")
        keeps = self.keeps.words(f"They keep {limits}", f"Nobody keeps {limits}")
        lines = [
            together("", (before, stays, ".")), together("", (keeps, *(("; ", beyond) if beyond else ()), "."))
        ]  # fmt: skip
        return (*lines, *self.left_out)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Which limits are not counted and why, in sentences."""
        lines = []
        if self.of_the_ride:
            lines.append(f"Not counted, exceeded with the pelvis fixed too: {'; '.join(self.of_the_ride)}.")
        if self.of_everybody:
            lines.append(f"Not counted, exceeded whatever the size: {'; '.join(self.of_everybody)}.")
        return tuple(lines)


def _few(words: tuple[str, ...]) -> str:
    """The first of some, and how many more there are."""
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return f"{', '.join(words[:SHOWN])}{more}"


def _because(end: End, word: str, last: str) -> Sentence | str:
    if end.decides == "nothing looked at":
        return f" (the {last} looked at)"
    return f" (the {end.decides} decides; {word}: {end.why})"


@cache
def statures() -> tuple[float, ...]:
    """Statures (m) that are looked at."""
    first, last = STATURE_RANGE
    return tuple(round(first + k * STATURE_STEP, 3) for k in range(round((last - first) / STATURE_STEP) + 1))


@cache
def masses() -> tuple[float, ...]:
    """Masses (kg) that are looked at, from that of an average man on."""
    first = math.ceil(size_of(person_for(AT, None, percentile="50")).mass.value)
    return tuple(float(mass) for mass in range(first, int(MASS_RANGE[1]) + 1))


class Seen(NamedTuple):
    """What came of somebody: whether he fits and stays in the seat, what decides against him and why ("" where nothing
    does), and the limits that are exceeded (ids), the worst first."""

    stays: bool
    decides: Decides
    why: str
    beyond: tuple[tuple[str, str], ...]  # with the words of each


class Other(NamedTuple):
    """Somebody of the study itself: what he is called, stature (m), mass (kg), and what came of him."""

    label: str
    stature: float
    mass: float
    seen: Seen


@dataclass
class Place:
    """A seat, a restraint and a ride, and the search there as far as `rows` go.

    seat, restraint, ride: in words; levels: their numbers; base: run of the first size; fits; titles: of limits by
    their ids; left_out: ids that are exceeded with the pelvis fixed; rows: what came of sizes, by index: statures, then
    masses; others: who was ridden by the study itself.
    """

    seat: str
    restraint: str
    ride: str
    levels: tuple[float, ...]
    base: int
    fits: Fits
    titles: Mapping[str, str]
    left_out: frozenset[str]
    rows: dict[int, Seen] = field(default_factory=dict)
    others: tuple[Other, ...] = ()

    @cached_property
    def _spans(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        """First and last index that fit and how many there are, of statures and masses; None where nobody fits."""
        low, high = self.fits.low, self.fits.high
        if low is None or high is None:
            return None
        tall = [k for k, one in enumerate(statures()) if low - 1e-9 <= one <= high + 1e-9]
        most = dict(self.fits.masses).get(AT) or 0.0
        heavy = [k for k, one in enumerate(masses()) if one <= most + 1e-9]
        if not tall:
            return None
        return (tall[0], tall[-1], len(statures())), (0, heavy[-1] if heavy else -1, len(masses()))

    def _everybody(self) -> frozenset[str]:
        """Limits that everybody exceeds who was asked first, but for those left out."""
        assert self._spans is not None
        first = find_ends(*self._spans[0], {}).asked
        rode = [{id for id, _ in self.rows[k].beyond} for k in first if k in self.rows and self.rows[k].stays]
        return frozenset(set.intersection(*rode) if rode else ()) - self.left_out

    def _find(self, counted: bool) -> tuple[Ends, Ends]:
        """Ends of statures and of masses; counted: among those who keep the limits."""
        assert self._spans is not None
        tall, heavy = self._spans
        holds = {k: self._holds(one, counted) for k, one in self.rows.items()}
        count = len(statures())
        return (
            find_ends(*tall, {k: may for k, may in holds.items() if k < count}),
            find_ends(*heavy, {k - count: may for k, may in holds.items() if k >= count}),
        )

    def _holds(self, one: Seen, counted: bool) -> bool:
        return one.stays and (not counted or not self._beyond(one))

    def _beyond(self, one: Seen) -> list[str]:
        """The limits that somebody exceeds and that are counted, in words."""
        out = self.left_out | self._everybody()
        return [words for id, words in one.beyond if id not in out]

    def asked(self) -> tuple[int, ...]:
        """Runs that are to be made next, ascending."""
        if self._spans is None:
            return ()
        ends = [self._find(counted) for counted in (False, True)]
        asked = {k for tall, _ in ends for k in tall.asked}
        asked |= {len(statures()) + k for _, heavy in ends for k in heavy.asked}
        return tuple(self.base + k for k in sorted(asked))

    def most(self) -> int:
        """How many runs are to be made at most, with those asked next."""
        if self._spans is None:
            return 0
        # who stays in the seat and who keeps the limits are asked for the same sizes at first
        again = 2 * len(self.asked()) if not self.rows else 0
        return sum(one.most for counted in (False, True) for one in self._find(counted)) - again // 2

    def answer(self) -> ByRide:
        """Who may ride, as far as it is known."""
        titles = tuple(sorted(self.titles.get(one, one) for one in self.left_out))
        known = ByRide(
            self.seat, self.restraint, self.ride, self.fits, of_the_ride=titles, rides=len(self.rows)
        )
        if self._spans is None:
            nobody = Range(nobody="the restraint closes on nobody")
            return known._replace(stays=nobody, keeps=nobody)
        if self.asked():
            return known._replace(finished=False)
        lasting = tuple(sorted(self.titles.get(one, one) for one in self._everybody()))
        return known._replace(stays=self._range(False), keeps=self._range(True), of_everybody=lasting)

    def _range(self, counted: bool) -> Range:
        tall, heavy = self._find(counted)
        sizes, many = statures(), masses()
        if tall.low is None or tall.high is None:
            k = min((k for k in self.rows if k < len(sizes)), key=lambda k: abs(sizes[k] - AT))
            why = self.rows[k].why or next(iter(self._beyond(self.rows[k])), "")
            return Range(nobody=f"somebody of {sizes[k]:.2f} m {why}")
        again = [f"{sizes[k]:.2f} m" for k in tall.again]
        again += [f"{many[k]:.0f} kg at {AT:.4g} m" for k in heavy.again]
        above = tall.high + 1 if tall.high + 1 < len(sizes) else -1
        most = None
        if heavy.high is not None:
            most = self._end(len(sizes) + heavy.high + 1, many[heavy.high], counted)
        return Range(
            self._end(tall.low - 1, sizes[tall.low], counted), self._end(above, sizes[tall.high], counted), most,
            None if heavy.low is None else many[heavy.low], "", tuple(again),
            self._but(sizes[tall.low], sizes[tall.high], None if most is None else most.value, counted),
        )  # fmt: skip

    def _but(self, low: float, high: float, mass: float | None, counted: bool) -> tuple[str, ...]:
        """Bodies of the study who may not, although others of their size may."""
        return tuple(
            f"the {one.label} ({one.stature:.2f} m, {one.mass:.0f} kg) {one.seen.why or self._beyond(one.seen)[0]}"
            for one in self.others
            if low <= one.stature <= high and (mass is None or one.mass <= mass)
            if not self._holds(one.seen, counted)
        )

    def _end(self, beside: int, value: float, counted: bool) -> End:
        """The end at a value, by what came of the size beside it."""
        one = self.rows.get(beside)
        if one is None or self._holds(one, counted):
            return End(value, "nothing looked at")
        return End(value, one.decides, one.why or self._beyond(one)[0])
