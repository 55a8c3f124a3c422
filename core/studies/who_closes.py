"""Onto whom the restraints of a study of who may ride close, found once and kept beside its runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..base.atomic import replacing
from ..base.sentence import Sentence, say, together
from ..human.population import Admitted, admitted_by
from ..project.project import Project
from .store import Store
from .study import Study
from .who_fits import Fits, who_fits
from .who_may_ride import RESTRAINT, SEAT, is_who

FILE: Final = "fits.json"


class Closes(NamedTuple):
    """A seat and a restraint of the library ("" as the project has them), who fits, and whom the project admits."""

    seat: str
    restraint: str
    fits: Fits
    admitted: Admitted

    @property
    def sentence(self) -> Sentence:
        """In words, with a full stop."""
        what = ", ".join(word for word in (self.seat, self.restraint) if word) or "The seat as it is"
        beyond = self.fits.beyond(self.admitted)
        who = together("; ", (self.fits.sentence, beyond))
        return say("{what} closes on people {who}.", what=what, who=who)


def closes_of(store: Store) -> tuple[Closes, ...]:
    """Statures and masses that fit, for each seat and restraint of a study of who may ride.

    Parameters
    ----------
    store
        Of the study; what is found is written into its folder, and read from there the next time.

    Returns
    -------
    One for each seat and restraint; none for another study. Some seconds each, where they are not known.

    Raises
    ------
    InputError
        For a seat that there is not.
    """
    study, base = store.study, store.base
    if not is_who(study) or base is None:
        return ()
    path = store.folder / FILE
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    before = dict(known)
    found = closes(base, study.keep.seats[0], _keys(study, SEAT), _keys(study, RESTRAINT), known)
    if known != before:
        with replacing(path) as part:
            part.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    return found


def closes(
    project: Project,
    seat: str,
    shapes: Sequence[str] = (),
    restraints: Sequence[str] = (),
    known: dict[str, Any] | None = None,
) -> tuple[Closes, ...]:
    """Statures and masses that fit, of a place to sit with each seat and restraint of the library.

    Parameters
    ----------
    project
        With the seat.
    seat
        Its path.
    shapes, restraints
        Keys of the library; none leaves it as it is.
    known
        What was found before, which is added to.

    Returns
    -------
    One for each seat and restraint.

    Raises
    ------
    InputError
        As `who_fits`.
    """
    known = {} if known is None else known
    found = []
    for shape in shapes or ("",):
        for restraint in restraints or ("",):
            key = f"{shape}|{restraint}"
            fits = _read(known.get(key))
            if fits is None:
                fits = who_fits(project, seat, shape, restraint)
                known[key] = json.loads(json.dumps(fits._asdict()))
            found.append(Closes(shape, restraint, fits, admitted_by(project.evaluation)))
    return tuple(found)


def _keys(study: Study, name: str) -> tuple[str, ...]:
    """Keys of the library that a parameter tries."""
    levels = next((one.levels for one in study.parameters if one.name == name), ())
    return tuple(level.label for level in levels)


def _read(data: object) -> Fits | None:
    if not isinstance(data, dict):
        return None
    try:
        masses = tuple((float(a), None if b is None else float(b)) for a, b in data["masses"])
        return Fits(**{**data, "masses": masses})
    except (KeyError, TypeError, ValueError):
        return None
