"""What a run did to its riders: every criterion on every part of every rider, sorted, and two runs compared.

The report and the studio read the same rows, so that they cannot disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

from ..base.arrays import Array
from ..base.beside import each
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..base.frozen import told
from ..human.joints import acting_muscles
from ..injury.evaluate import criterion_ids, evaluate_history
from ..injury.history import History
from ..injury.limit_files import limit_files, tables_as_they_are, user_files
from ..injury.parts import PARTS, Part
from ..injury.result import CriterionResult
from ..injury.standards.files import table_faults
from ..results.results import Results
from ..results.spilled import release
from .built_in_classes import by_their_classes
from .run_check import bending_findings
from .start import judged_from, start_note

Comparison = Literal["better", "worse", "same"]
#: What loads are judged on: parts of a rider, or a seat without one.
Judged = Part | Literal["seat"]
#: A change of less than this part of what is used of the limit is called the same.
NOTICEABLE = 0.005
#: A margin (part of the limit) from which a value is far inside.
FAR = 0.5


@dataclass(frozen=True)
class RiderJudgement:
    """A criterion on a part of a rider, and the same of another run where one is compared with.

    rider "<car>/<occupant>"; part "head", "upper_torso" or "pelvis"; or the path of a seat and "seat"; result what
    `evaluate_history` says; other the result of the other run, None when there is none.
    """

    rider: str
    part: Judged
    result: CriterionResult
    other: CriterionResult | None = None

    def __repr__(self) -> str:
        return f"RiderJudgement({self.part.replace('_', ' ')} of {self.rider}: {self.result})"

    @property
    def key(self) -> tuple[str, str, str]:
        """Rider, part and criterion: the same in every run."""
        return self.rider, self.part, self.result.criterion

    @property
    def moment(self) -> float | None:
        """Time (s) at the middle of the window that gave the value."""
        return self.result.moment

    @property
    def change(self) -> float | None:
        """Value less that of the other run, in the unit of the criterion."""
        if self.other is None or self.other.value is None or self.result.value is None:
            return None
        return self.result.value - self.other.value

    @property
    def gain(self) -> float | None:
        """Margin less that of the other run: what the rider has gained, as a part of the limit."""
        if self.other is None or self.other.margin is None or self.result.margin is None:
            return None
        return self.result.margin - self.other.margin

    @property
    def same_limit(self) -> bool:
        """Whether both values stand against one limit; the worst durations of sustained g may differ."""
        return self.other is not None and self.other.limit == self.result.limit

    @property
    def comparison(self) -> Comparison | None:
        """Whether the rider is better off than in the other run; only where there is a limit to come near to.

        Levels held for different times, and loads far below what consciousness is lost at, have margins that change
        with the time and not with the load: where both are far inside nobody is better or worse off.
        """
        if self.gain is None or self.other is None:
            return None
        minimum = min(self.result.margin or 0.0, self.other.margin or 0.0)
        if minimum > FAR and (not self.same_limit or self.result.group == "physiology"):
            return "same"
        used = max(1.0 - (self.result.margin or 0.0), 1.0 - (self.other.margin or 0.0))
        if abs(self.gain) <= NOTICEABLE * used:
            return "same"
        return "better" if self.gain > 0.0 else "worse"


class Choices(NamedTuple):
    """What rows can be chosen by: riders and seats, parts, groups of criteria; each once, as they come."""

    riders: tuple[str, ...]
    parts: tuple[Judged, ...]
    groups: tuple[str, ...]


@told
@dataclass(frozen=True)
class Judgement:
    """All rows of a run, least margin first, then those whose limit is not meant for their load, then those without a
    limit, and sentences about what was not judged, or from a motion that is wrong."""

    rows: tuple[RiderJudgement, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        worst = self.governing
        if worst is None:
            return f"Judgement({len(self.rows)} rows, no limit applies)"
        return (
            f"Judgement({len(self.rows)} rows, least margin {100.0 * (worst.result.margin or 0.0):.1f} %:"
            f" {worst.result.title}, {worst.part.replace('_', ' ')} of {worst.rider})"
        )

    def table(self) -> dict[str, list[Any]]:
        """The rows as columns by name: `pandas.DataFrame(judgement.table())` is a table of them.

        rider, part, criterion, title, value, unit, limit, margin (part of the limit that is left), verdict, start and
        end (s) of the window, position (m along the track), sample_rate (Hz), confidence, note; None where there is
        none.
        """
        of: dict[str, Callable[[RiderJudgement], Any]] = {
            "rider": lambda row: row.rider,
            "part": lambda row: row.part,
            **{
                name: partial(lambda row, name: getattr(row.result, name), name=name)
                for name in ("criterion", "title", "value", "unit", "limit", "margin", "verdict")
            },
            "start": lambda row: None if row.result.time is None else row.result.time[0],
            "end": lambda row: None if row.result.time is None else row.result.time[1],
            "position": lambda row: row.result.arc_length,
            "sample_rate": lambda row: row.result.signal.sample_rate,
            "confidence": lambda row: row.result.confidence,
            "note": lambda row: row.result.note,
        }
        return {name: [value(row) for row in self.rows] for name, value in of.items()}

    @property
    def governing(self) -> RiderJudgement | None:
        """The row with the least margin of all riders, parts and criteria; None when nothing has a limit."""
        return self.rows[0] if self.rows and self.rows[0].result.judged else None

    @cached_property
    def choices(self) -> Choices:
        """What the rows can be chosen by."""
        return Choices(
            tuple(dict.fromkeys(row.rider for row in self.rows)),
            tuple(dict.fromkeys(row.part for row in self.rows)),
            tuple(dict.fromkeys(row.result.group for row in self.rows)),
        )

    @cached_property
    def count_text(self) -> str:
        """How many criteria are inside and outside their limits, and how the runs compare, in one line."""
        return count_text(self.rows)

    def looked_at(self) -> Judgement:
        """The same, with what is found by looking through all rows found by now."""
        _ = self.choices, self.count_text
        return self

    def of_rider(self, rider: str) -> tuple[RiderJudgement, ...]:
        """The rows of one rider, in the same order."""
        return tuple(row for row in self.rows if row.rider == rider)

    def against(self, other: Judgement) -> Judgement:
        """The same rows, each with the result of another run."""
        there = {row.key: row.result for row in other.rows}
        return Judgement(tuple(replace(row, other=there.get(row.key)) for row in self.rows), self.notes)


def rider_history(results: Results, rider: str, part: str) -> History:
    """The history of a part of a rider, for the injury criteria.

    Parameters
    ----------
    results
        Of the run.
    rider
        "<car>/<occupant>".
    part
        "head", "upper_torso" or "pelvis".

    Returns
    -------
    Acceleration in g, rider axes, gravity in; with it what the run has of: rotation rate (rad/s) and rotation
    acceleration (rad/s^2) of the part, force (N) and moment (N m) in the neck (head only), the NCA of the car (m/s^2,
    pelvis only) and its arc length (m). It begins where a start out of balance has settled, see `outcome.start`.

    Raises
    ------
    InputError
        When the run has no such signal or it is too short or not finite.
    """
    channel = results.channels.get(f"rider/{rider}/{part}/acceleration")
    if channel is None:
        raise InputError(f"the run has no acceleration of the {part.replace('_', ' ')} of rider '{rider}'.")

    first = judged_from(results)

    def values(name: str) -> Array | None:
        found = results.channels.get(name)
        return None if found is None else found.values[first:]

    car = f"car/{rider.split('/')[0]}"
    own = f"rider/{rider}"
    head, seat = part == "head", part == "pelvis"
    history = History(
        time=results.sample_time[first:],
        acceleration=channel.values[first:],
        body=part.replace("_", " "),
        rotation_rate=values(f"{own}/{part}/angular_velocity"),
        rotation_acceleration=values(f"{own}/{part}/angular_acceleration"),
        arc_length=values(f"{car}/arc_length"),
        neck_force=values(f"{own}/neck/force") if head else None,
        neck_moment=values(f"{own}/neck/moment") if head else None,
        nca=values(f"{car}/nca") if seat else None,
        rail_nca=values(f"{car}/nca_rails") if seat else None,
    )
    release(channel.values)  # of a long run; what is judged is a copy
    return history


def judge_part(
    results: Results, rider: str, part: Part, options: EvaluationOptions | None = None
) -> tuple[CriterionResult, ...]:
    """The criteria of one part of a rider, in the order of `criterion_ids`.

    Raises InputError when the run has no signal of it or it is too short.
    """
    options = as_seated(results, rider, options)
    history = rider_history(results, rider, part)
    found = evaluate_history(history, criterion_ids(options, part), options)
    found = by_their_classes(found, history, restraint_at(results, rider), options)
    stated = muscle_note(results, rider)
    if not stated:
        return found
    return tuple(
        one.model_copy(update={"note": f"{one.note}; {stated}" if one.note else stated}) for one in found
    )


def muscle_note(results: Results, rider: str) -> str:
    """What is to be said beside every verdict on a rider that posture muscles hold; "" where none acts."""
    data = results.provenance.get("project")
    count = acting_muscles(assembly_data(data, rider))
    return f"with {count} posture muscles that act, an addition of this program" if count else ""


def as_seated(results: Results, who: str, options: EvaluationOptions | None) -> EvaluationOptions:
    """The options with the class of the restraint at the seat of a rider, or at a seat, where none is given for all."""
    options = EvaluationOptions() if options is None else options
    if options.restraint_class is not None:
        return options
    built_in = (restraint_at(results, who) or {}).get("restraint_class")
    return options if built_in is None else options.model_copy(update={"restraint_class": built_in})


def restraint_at(results: Results, who: str) -> dict[str, Any] | None:
    """The restraint at the seat of a rider, or at a seat, in the JSON data of the project; None where there is none."""
    data = results.provenance.get("project")
    holder, _, name = who.rpartition("/")
    seat = assembly_data(data, who).get("seat", name)
    places = assembly_data(data, holder).get("seats", ()) if holder else _holder(data).get("seats", ())
    there: dict[str, Any] = next((one for one in places if one.get("name") == seat), {})
    return there.get("restraint")


def assembly_data(data: Any, path: str) -> dict[str, Any]:
    """An assembly of what a run moved by its path, in the JSON data of the project; empty where there is none."""
    top: dict[str, Any] = _holder(data)
    for name in path.split("/"):
        top = next((child for child in top.get("children", ()) if child.get("name") == name), {})
    return top


def _holder(data: Any) -> dict[str, Any]:
    """What a run moved, the train or the rig, in the JSON data of its project."""
    if not isinstance(data, dict):
        return {}
    rig = (data.get("scenario") or {}).get("assembly")
    return rig or data.get("train") or {}


@tables_as_they_are()
def judge_riders(results: Results, options: EvaluationOptions | None = None) -> Judgement:
    """Every criterion on every part of every rider of a run.

    Parameters
    ----------
    results
        Of the run.
    options
        Restraint and tables that count, `project.evaluation`; by default those of a new project.

    Returns
    -------
    Rows by margin, the least first. A part whose signal is missing or too short for any criterion gives one sentence
    in `notes` in place of rows, and so does a limit table that is gone or does not fit; the others judge on.
    """
    rows: list[RiderJudgement] = []
    notes: list[str] = []
    options, gone = existing_tables(EvaluationOptions() if options is None else options)

    def judged(asked: tuple[str, Part]) -> tuple[CriterionResult, ...] | InputError:
        try:
            return judge_part(results, *asked, options)
        except InputError as error:
            return error

    asked = [(rider, part) for rider in results.names.riders for part in PARTS]
    for (rider, part), found in zip(asked, each(judged, asked), strict=True):
        if isinstance(found, InputError):
            notes.append(f"{part.replace('_', ' ').capitalize()} of {rider} is not judged: {found}")
        else:
            rows += [RiderJudgement(rider, part, result) for result in found]
    bent = (finding.message for finding in bending_findings(results))
    started = start_note(results) if rows else None
    sentences = () if started is None else (started,)
    return Judgement(tuple(by_margin(rows)), (*sentences, *bent, *notes, *gone, *table_faults()))


def existing_tables(options: EvaluationOptions) -> tuple[EvaluationOptions, tuple[str, ...]]:
    """The options without tables that do not exist, and a sentence for each of these."""
    there = {*limit_files(), *(file.id for file in user_files())}
    gone = [name for name in options.standards if name not in there]
    if not gone:
        return options, ()
    kept = tuple(name for name in options.standards if name in there)
    return options.model_copy(update={"standards": kept}), tuple(
        f"The project names the limit table {name!r}, which does not exist; it is left out." for name in gone
    )


def by_margin(rows: Sequence[RiderJudgement]) -> list[RiderJudgement]:
    """Rows with the least margin first, then those that stand apart, those without a limit last; equal ones keep their
    order."""

    def key(row: RiderJudgement) -> tuple[bool, bool, float]:
        margin = row.result.margin
        return margin is None, bool(row.result.apart), 0.0 if margin is None else margin

    return sorted(rows, key=key)


def count_text(rows: Sequence[RiderJudgement]) -> str:
    """How many criteria are inside and outside their limits, and how the runs compare, in one line."""
    verdicts = Counter(row.result.verdict for row in rows if row.result.judged)
    text = (
        f"{verdicts['outside']} outside their limit, {verdicts['within 10 %']} within 10 % of it, "
        f"{verdicts['inside']} inside"
    )
    compared = Counter(row.comparison for row in rows if row.other is not None and row.result.judged)
    if compared.keys() - {None}:
        text += f"  ·  {compared['better']} better, {compared['worse']} worse, {compared['same']} the same"
    return text
