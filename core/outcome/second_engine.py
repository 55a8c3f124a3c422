"""What a second engine says of a ride, as values: how two engines agree, what differs, what was left out and what that
costs. They are made by `core.cross_check` and kept in its files; report and studio show them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from ..base.errors import InputError
from ..base.finding import Finding
from ..base.frozen import Frozen
from ..base.sentence import SAID_IN, Sentence, say
from ..base.where import NOWHERE, Where
from ..project.project import Project

AGREE = "Both engines agree within their own errors."
OPEN = (
    "Some constraints are implied by others, so that the motion does not say how joints and guides share their forces:"
    " where these differ they are not judged (open)."
)
RECORDED = (
    "pushed the other ride with the forces over time that they had in ours; what they do at another speed is not"
    " checked."
)
LEFT_OUT = "Left out of both rides, because the other engine does not have it here"


def quantity_text(value: float, unit: str) -> Sentence:
    """A value to three figures with its unit, as a sentence that keeps it."""
    size = SAID_IN.get(unit, (1.0, ""))[0]
    return say(f"{{value:.3g {unit}}}" if unit else "{value:.3g}", value=value * size)


class Agreement(Frozen):
    """How two engines agree in a quantity of one owner: the largest difference, what both are off by then, when (s),
    the largest value of the quantity at all, and since when (s) and how much they differ by more than allowed, None
    when never. All in `unit`. A signal that is no number differs by that."""

    model_config = ConfigDict(allow_inf_nan=True)

    quantity: str
    name: str
    unit: str
    difference: float
    allowed: float
    time: float
    largest: float
    since: float | None
    then: float | None
    judged: bool = True

    @property
    def holds(self) -> bool:
        """Whether both agree within their errors."""
        return self.since is None

    def said(self, value: float) -> Sentence:
        """A value of the quantity in words."""
        return quantity_text(value, self.unit)

    @property
    def verdict(self) -> str:
        """In a word."""
        return "agrees" if self.holds else ("differs" if self.judged else "open")

    def finding(self, engine: str, where: Where = NOWHERE) -> Finding:
        """What is said of a difference; where: its owner in the project. Only of one that does not hold."""
        assert self.since is not None
        text = say(
            f"{{name}}: {self.quantity} differs from {engine}'s by more than both are off from {{since:.4g s}} on,"
            " at most by {difference} at {time:.4g s} of {largest}; both are off by {allowed} then.",
            name=self.name, since=self.since, difference=self.said(self.difference), time=self.time,
            largest=self.said(self.largest), allowed=self.said(self.allowed),
        )  # fmt: skip
        return Finding(
            kind="cross-check", severity="warning" if self.judged else "note", message=text,
            where=replace(where, time=self.since), value=self.difference, unit=self.unit,
        )  # fmt: skip


class LeftOut(Frozen):
    """Something of a project that the other engine does not have: its path, what it is, and why."""

    name: str
    what: str
    why: str


class Cost(Frozen):
    """What is left out costs: how far (m) and how much faster or slower (m/s) the whole ride is at most from the one
    that is compared, with body and time (s) of each."""

    place: tuple[float, str, float]
    speed: tuple[float, str, float]

    @property
    def sentence(self) -> str:
        """In words."""
        (place, where, when), (speed, faster, then) = self.place, self.speed
        return say(
            "It moves the ride by up to {place:.3g m} ({where} at {when:.3g s}) and {speed:.3g m/s} ({faster} at"
            " {then:.3g s}): what this check says holds for the ride without it.",
            place=place, where=where, when=when, speed=speed, faster=faster, then=then,
        )  # fmt: skip


class CrossCheck(Frozen):
    """What a second engine says of a ride.

    engine: with its version; duration s, that was compared; steps (s) of the other engine and tolerances (or fixed
    steps, s) of ours, the finer last; agreements: of every quantity of every body, joint, guide and force element that
    both have; findings: masses that are not the same, then what differs by more than both engines are off, the earliest
    first; left_out: what neither of the two rides has, and cost: what that changes, None where nothing is left out;
    open_forces: whether implied constraints leave open how forces are shared, which then are told and not judged;
    recorded: devices of the track, which push the other ride with the forces over time that they had in ours;
    design: `design_hash` of what was checked.
    """

    project: str
    engine: str
    duration: float
    steps: tuple[float, float]
    ours: tuple[str, str]
    agreements: tuple[Agreement, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    cost: Cost | None
    open_forces: bool
    recorded: tuple[str, ...] = ()
    design: str = ""

    model_config = ConfigDict(extra="ignore")  # `agrees` is written for programs

    @property
    def agrees(self) -> bool:
        """Whether nothing differs by more than both engines are off."""
        return not any(one.severity != "note" for one in self.findings)

    def __repr__(self) -> str:
        said = "agrees" if self.agrees else f"{len(self.findings)} findings"
        return f"CrossCheck({self.project}, {self.engine}: {said}, {len(self.left_out)} left out)"


def worst_of(check: CrossCheck) -> dict[str, Agreement]:
    """Of every quantity the owner that comes nearest to, or furthest beyond, what is allowed."""
    out: dict[str, Agreement] = {}
    for one in check.agreements:
        before = out.get(one.quantity)
        if before is None or _share(one) > _share(before):
            out[one.quantity] = one
    return out


def _share(one: Agreement) -> float:
    return one.difference / max(one.allowed, 1e-300)


def design_hash(project: Project) -> str:
    """SHA-256 of what of a project says how it rides: all but its name, notes, duration and how riders are assessed."""
    data = project.model_dump(mode="json", exclude={"name", "notes", "evaluation"})
    data["scenario"].pop("duration", None)
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_cross_check(path: str | Path) -> CrossCheck:
    """What `ridewright cross-check` has written. Raises InputError for another file."""
    try:
        return CrossCheck.model_validate_json(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except ValidationError:
        raise InputError(f"{path}: is no cross-check.json of `ridewright cross-check`.") from None
