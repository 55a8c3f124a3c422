"""What the panel offers, and a study made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from ...core.base.errors import InputError
from ...core.injury.evaluate import criterion_ids
from ...core.project.project import Project
from ...core.studies.one_run import MARGIN
from ...core.studies.store import Table
from ...core.studies.study import Parameter, Plan, Study, parse_study

#: What a person may choose without writing a file, by the words of the study's own fields.
RIDES: Final = ("preview", "points", "multibody")
PLANS: Final = ("latin_hypercube", "grid", "sobol", "monte_carlo", "saltelli")
SEARCH: Final = "search"  # in the place of a plan
CRITERIA: Final = {
    "All criteria with a limit": ("*",),
    "ASTM F2291": ("f2291_*",),
    "EN 13814": ("en13814_*",),
    "None": (),
}
PEAKS: Final = [
    {"name": "Gz max", "channel": "gz", "of": "max"},
    {"name": "Gz min", "channel": "gz", "of": "min"},
    {"name": "Gy largest", "channel": "gy", "of": "absmax"},
]


def words_of(model: type[Any], field: str) -> dict[str, str]:
    """What the choices of a field are called."""
    extra = model.model_fields[field].json_schema_extra
    return dict(extra.get("words", {})) if isinstance(extra, dict) else {}


def study_of(
    project: Project,
    parameters: Sequence[Parameter],
    ride: str,
    plan: str,
    runs: int,
    seed: int,
    criteria: str,
    search: dict[str, Any] | None = None,
) -> Study:
    """The study that the panel shows, of the base project beside it; search: what it has under `optimise`. Raises
    InputError."""
    if not parameters:
        raise InputError("Nothing is varied yet: right-click a field in the inspector and choose Vary this.")
    data = {
        "format": "ridewright-study",
        "name": f"{project.name}, study",
        "project": "base.ridewright",
        "ride": ride,
        "parameters": [p.model_dump(mode="json") for p in parameters],
        "plan": {
            "kind": PLANS[0] if plan == SEARCH else plan,
            "runs": runs,
            "steps": max(2, min(runs, 10**6)),
            "seed": seed,
        },
        "keep": {"criteria": list(CRITERIA[criteria]), "peaks": [] if ride == "multibody" else PEAKS},
    }
    if search is not None:
        data["optimise"] = search
    return parse_study(data, "Study")


def plan_words() -> dict[str, str]:
    """Names of the plans on offer."""
    words = words_of(Plan, "kind")
    return {**{kind: words[kind] for kind in PLANS}, SEARCH: "Search: for the best by goals and constraints"}


def choice_box(name: str, words: dict[str, str], changed: Callable[[], None]) -> QComboBox:
    """A box of named choices: short, since the whole would be cut beside three other boxes; the tip has all of it."""
    box = QComboBox()
    for key, text in words.items():
        box.addItem(text.partition(": ")[0], key)
        box.setItemData(box.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
    box.setAccessibleName(name)
    box.setMinimumContentsLength(10)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.activated.connect(lambda _: changed())
    return box


def goal_names(ride: str, criteria: str, project: Project, table: Table | None) -> list[str]:
    """Kept numbers that a search may be for: those of runs that were made, else those that any run has."""
    if table is not None and table.numbers:
        return sorted(table.numbers, key=lambda name: (name != MARGIN, "." in name, name))
    peaks = [] if ride == "multibody" else [str(peak["name"]) for peak in PEAKS]
    known = criterion_ids(project.evaluation, None) if CRITERIA[criteria] else []
    kept = [one for one in known if any(fnmatchcase(one, pattern) for pattern in CRITERIA[criteria])]
    return [*([MARGIN] if kept else []), *peaks, *(f"{one}.margin" for one in kept)]


def ride_words() -> dict[str, str]:
    """Names of the rides on offer."""
    words = words_of(Study, "ride")
    return {kind: words[kind] for kind in RIDES}
