"""What a contact did to a body: HIC and 3 ms of each blow on a head, and peaks that a contact caused. What these become
with that contact half and twice as stiff, `contact_stiffness` says.

A peak counts as caused by a contact that met the body not long before and whose force is a good part of what moves the
body then: of the mass times the largest specific force in the window that gave the value. What rests on a seat for long
is carried, not hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..base.frozen import told
from ..base.sentence import Sentence, say
from ..injury.criteria.clip_3ms import cumulative_clip
from ..injury.criteria.hic import hic
from ..injury.history import G
from ..injury.parts import Part
from ..injury.result import CriterionResult
from ..model.outputs import SLIPS
from ..results.results import Results
from .free_riders import RESTRAINT, free_riders
from .rider_view import Judgement, assembly_data, judge_riders
from .touches import inside_of, touches_of

RECENT: Final = 0.2  # s, within which a contact has to have met the body
SHARE: Final = 0.25  # of what moves the body, from which on a contact is said to cause a peak
HIC_WINDOW, CLIP = 0.015, 0.003  # s


class Blow(NamedTuple):
    """The hardest time in which a head touched something: what, from when to when (s), HIC15 and 3 ms value (g) of the
    head within that time (None where it is shorter than that), largest force (N) and speed at the touch (m/s, None
    where it touched from the start), of all times."""

    rider: str
    contact: str
    began: float
    ended: float
    hic: float | None
    clip: float | None
    force: float
    speed: float | None


class Pressed(NamedTuple):
    """What restraints and seats put on thighs and chest. thigh: largest compression (N) along a thigh at its knee;
    chest: how deep (m) pads of the restraint are pressed into thorax and abdomen, pad and flesh together: a proxy of
    the compression of the chest, and no measure of it; None where nothing can press there."""

    rider: str
    thigh: float | None
    chest: float | None


class Peak(NamedTuple):
    """A value that a contact caused: on whom, which part, the value, the contact, its share in what moves the part, and
    when (s) it had met."""

    rider: str
    part: Part
    result: CriterionResult
    contact: str
    share: float
    met: float

    @property
    def key(self) -> tuple[str, str, str]:
        """Rider, part and criterion, as judgements have them."""
        return self.rider, self.part, self.result.criterion

    @property
    def sentence(self) -> Sentence:
        """The contact in words, without a full stop."""
        return say(
            "{contact}, met at {met:.2f s}, with {share:.0f %} of what moves the {part} then",
            contact=self.contact, met=self.met, share=self.share, part=self.part.replace("_", " "),
        )  # fmt: skip


@told
@dataclass(frozen=True)
class ContactPeaks:
    """Blows on heads, what is put on thighs and chests, and the peaks that contacts caused."""

    blows: tuple[Blow, ...]
    pressed: tuple[Pressed, ...]
    peaks: tuple[Peak, ...]

    def __repr__(self) -> str:
        return (
            f"ContactPeaks({len(self.blows)} contacts of heads, {len(self.peaks)} peaks caused by contacts)"
        )


def contact_peaks(results: Results, judgement: Judgement | None = None) -> ContactPeaks:
    """What contacts did to the riders of a run.

    Parameters
    ----------
    results
        Of a run in which surfaces touch riders; without any there is nothing in what is returned.
    judgement
        Of the run, where it is judged already.

    Returns
    -------
    Peaks of each contact and rider, and what they did to the rider.

    Raises
    ------
    InputError
        For a run without its project.
    """
    judged = judge_riders(results) if judgement is None else judgement
    contacts = ContactsOfRun(results)
    peaks = [
        peak
        for row in judged.rows
        if row.part != "seat"
        for peak in _caused(contacts, row.rider, row.part, row.result)
    ]
    blows = [blow for rider in results.names.riders for blow in _blows(contacts, rider)]
    return ContactPeaks(tuple(blows), tuple(_pressed(results)), tuple(peaks))


# -- which contacts there are


class ContactsOfRun:
    """The pairs of surfaces of a run, each found once."""

    def __init__(self, results: Results) -> None:
        self.results = results
        names = results.names.springs
        known = set(names)
        #: Element and both surfaces of every pair, by its row.
        self.ends: dict[int, tuple[str, str, str]] = {}
        for row, name in enumerate(names):
            if name + SLIPS in known:
                element, _, rest = name.partition(": ")
                one, _, other = rest.partition(" on ")
                self.ends[row] = element, one, other
        self._part_of = {
            row: part.name for one in free_riders(results) for part in one.parts for row in part.rows
        }
        self._of: dict[str, dict[str, tuple[int, ...]]] = {}
        self._times: dict[tuple[int, ...], list[tuple[int, int]]] = {}

    def of(self, body: str) -> dict[str, tuple[int, ...]]:
        """Rows of the pairs of a body, or of all bodies of a rider, by what it meets: a part of the seat, the
        restraint, another surface."""
        if body not in self._of:
            found: dict[str, list[int]] = {}
            for row, (_, one, other) in self.ends.items():
                if one.startswith(f"{body}/") or other.startswith(f"{body}/"):
                    met = other if one.startswith(f"{body}/") else one
                    found.setdefault(self._part_of.get(row, met), []).append(row)
            self._of[body] = {name: tuple(rows) for name, rows in found.items()}
        return self._of[body]

    def times(self, rows: tuple[int, ...]) -> list[tuple[int, int]]:
        """First and last stored instant of every time in which some pairs touch."""
        if rows not in self._times:
            inside = inside_of(self.results, rows)
            edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
            self._times[rows] = [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        return self._times[rows]


# -- blows and what is pressed


def _blows(contacts: ContactsOfRun, rider: str) -> Iterator[Blow]:
    results = contacts.results
    head, time = results.names.riders[rider]["head"], results.states.time
    channel = results.channels.get(f"rider/{rider}/head/acceleration")
    for contact, rows in contacts.of(head).items():
        times = contacts.times(rows)
        if not times or channel is None:
            continue
        felt = np.linalg.norm(channel.values, axis=1)
        found = [_blow(results.sample_time, felt, float(time[a]), float(time[b])) for a, b in times]
        began, ended, worst, clip = max(found, key=lambda one: (one[2] or 0.0, one[3] or 0.0))
        did = touches_of(results, rows)
        yield Blow(rider, contact, began, ended, worst, clip, did.force, did.speed)


def _blow(
    grid: Array, felt: Array, began: float, ended: float
) -> tuple[float, float, float | None, float | None]:
    inside = (grid >= began) & (grid <= ended)
    t, a = grid[inside], felt[inside]
    span = float(t[-1] - t[0]) if len(t) > 2 else 0.0
    clip = cumulative_clip(t, a, CLIP).level if span > CLIP else None
    worst = hic(t, a, min(HIC_WINDOW, span)).value if len(t) > 2 else None
    return began, ended, worst, clip


def _pressed(results: Results) -> Iterator[Pressed]:
    names = results.names
    for one in free_riders(results):
        rows = [
            row for row in one.of_kind(RESTRAINT)
            if any(f"{one.rider}/{segment}/" in names.springs[row] for segment in ("Thorax", "Abdomen"))
        ]  # fmt: skip
        deepest = np.fmax.reduce(results.states.spring_length[:, rows], axis=None) if rows else None
        thighs = [
            found for side in ("Left", "Right") if (found := _thigh(results, one.rider, side)) is not None
        ]
        chest = None if deepest is None else max(float(deepest), 0.0)
        yield Pressed(one.rider, max(thighs, default=None), chest)


def _thigh(results: Results, rider: str, side: str) -> float | None:
    """Largest compression (N) along a thigh at its knee: of the joint's reaction, towards the hip."""
    names, states = results.names, results.states
    knee, thigh = f"{rider}/{side} knee", f"{rider}/{side} Thigh"
    joints = _assembly(results, rider).get("joints", ())
    joint = next((one for one in joints if one["name"] == f"{side} knee"), None)
    if joint is None or knee not in names.joints or thigh not in names.bodies:
        return None
    force = states.reactions[:, names.joints.index(knee), :3]  # on the first body of the joint
    first = joint["body_i"] == f"{side} Thigh"
    point = np.asarray(joint["point_i" if first else "point_j"], dtype=float)
    inwards = -rotation_matrix(states.orientation[:, names.bodies.index(thigh)]) @ (
        point / np.linalg.norm(point)
    )
    along = np.einsum("ni,ni->n", force if first else -force, inwards)
    return float(np.maximum(along, 0.0).max())


def _assembly(results: Results, path: str) -> dict[str, Any]:
    return assembly_data(results.provenance.get("project"), path)


# -- peaks


def _caused(contacts: ContactsOfRun, rider: str, part: Part, result: CriterionResult) -> Iterator[Peak]:
    """The peak that a contact caused, of the one with the largest share; nothing for what none caused."""
    results = contacts.results
    if not result.judged or result.time is None or result.lasts or result.value is None:
        return
    channel = results.channels.get(f"rider/{rider}/{part}/acceleration")
    body = results.names.riders.get(rider, {}).get(part)
    if channel is None or body is None:
        return
    first, last = result.time
    grid, time = results.sample_time, results.states.time
    window = (grid >= first - 1e-3) & (grid <= last + 1e-3)
    if not window.any():
        return
    segment = next(
        (one for one in _assembly(results, rider).get("bodies", ()) if f"{rider}/{one['name']}" == body), None
    )
    moves = (
        0.0
        if segment is None
        else segment["mass"] * G * float(np.linalg.norm(channel.values[window], axis=1).max())
    )
    found = []
    for contact, rows in contacts.of(body).items():
        met = [
            float(time[a]) for a, b in contacts.times(rows) if a > 0 and time[a] <= last and time[b] >= first
        ]
        near = (time >= first - 1e-3) & (time <= last + 1e-3)
        if not met or met[-1] < last - RECENT or not near.any() or moves <= 0.0:
            continue
        force = float(np.abs(results.states.spring_force[near][:, list(rows)]).sum(axis=1).max())
        found.append(Peak(rider, part, result, contact, force / moves, met[-1]))
    worst = max(found, key=lambda one: one.share, default=None)
    if worst is not None and worst.share >= SHARE:
        yield worst
