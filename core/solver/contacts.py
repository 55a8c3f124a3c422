"""What the solver looks at in contacts: pairs that begin too deep, the one that jams a step or is passed through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from ..model.contact_laws import DEEPEST, TOUCHED
from ..multibody import arrays as t
from ..multibody.arrays import Work
from ..multibody.compile import System
from ..multibody.connectors import Connector
from ..multibody.contact_kernels import (
    A_BODY,
    AT_PAIRS,
    B_BODY,
    F_PAIRS,
    F_SPOTS,
    JUMPS,
    LIGHT,
    PAIR_COLUMNS,
    PAIR_NUMBERS,
    PAIRS,
    S0,
    SPOT_NUMBERS,
    SPOTS,
    THROUGH,
    TURNS,
    contact_keep,
)
from ..results.results import Status

KEPT = 2  # numbers that are kept of what a pair remembers: TOUCHED and DEEPEST, which come first
DOUBT = 0.9  # of the depth from which the side of a pair is in doubt


class TouchingPair(NamedTuple):
    """A pair of a contact: its row of outputs (that of its friction is next), its name, where its memory begins in the
    work, and in what is kept of it (see `kept_memory`)."""

    contact: Connector
    row: int
    name: str
    memory: int
    kept: int


def pairs_of(system: System) -> Iterator[TouchingPair]:
    """Every pair of the contacts of a system."""
    touching = [c for c in system.connectors if c.geometry == "gap"]
    kept = touching[0].memory[0] if touching else 0
    for k, c in enumerate(touching):
        end = touching[k + 1].first if k + 1 < len(touching) else len(system.elements)
        first, size = c.memory[0], 2 * (c.memory[1] - c.memory[0]) // (end - c.first)
        for number, row in enumerate(range(c.first, end, 2)):
            yield TouchingPair(c, row, system.elements[row], first + size * number, kept)
            kept += KEPT


def kept_memory(system: System) -> Integers:
    """Of what laws remember, the numbers (kept,) that are written down of every step: all of the laws of springs; of
    each pair of surfaces the speed at which it met and the largest depth, but not where bristles stand, a dozen numbers
    a pair by which steps begin (see `standing`)."""
    pairs = [pair.memory for pair in pairs_of(system)]
    laws = range(min(pairs, default=t.count(system.arrays, t.START)))
    kept: Integers = np.array([*laws, *(at + k for at in pairs for k in range(KEPT))], dtype=np.int64)
    return kept


def touched_heads(system: System) -> dict[str, int]:
    """Riders whose head contacts may touch, with the number of its body."""
    touch = t.int_line(system.arrays, t.TOUCH)
    bodies: set[int] = set()
    if len(touch):
        pairs = touch[touch[AT_PAIRS] : touch[AT_PAIRS] + touch[PAIRS] * PAIR_COLUMNS].reshape(
            -1, PAIR_COLUMNS
        )
        bodies = set(pairs[:, [A_BODY, B_BODY]].ravel().tolist())
    heads = (
        {rider: system.names.index(roles["head"]) for rider, roles in system.riders.items()} if bodies else {}
    )
    return {rider: body for rider, body in heads.items() if body in bodies}


def standing(system: System, memory: Array) -> dict[str, list[float]]:
    """All that the pairs which touch remember at one instant, (numbers,) of the whole system, by their names."""
    out = {}
    for contact, _, name, first, _ in pairs_of(system):
        end = first + (contact.memory[1] - contact.memory[0]) // len(contact.pairs)
        if memory[first + TOUCHED] > 0.0 or memory[first:end].any():
            out[name] = memory[first:end].tolist()
    return out


def stand(system: System, memory: Array, told: Mapping[str, Sequence[float]]) -> None:
    """Let pairs remember what `standing` told of them; those of whom nothing is told stay as they are."""
    for _, _, name, first, _ in pairs_of(system):
        known = told.get(name, ())
        memory[first : first + len(known)] = known


def check_start(system: System, W: Work) -> None:
    """Raises InputError for a pair that is deeper at the start, as the last forces have it, than its contact allows."""
    for c, row, name, _, _ in pairs_of(system):
        allowed, depth = c.element.start_depth, float(W.el[row, 0])  # type: ignore[attr-defined]
        if depth > allowed + c.element.thickness:  # type: ignore[attr-defined]
            raise InputError(
                say(
                    "Contact '{name}': the surfaces begin {depth:.4g m} deep in one another, more than the"
                    " {allowed:g m} that it allows at the start; move one of them away, or allow more.",
                    name=name,
                    depth=depth,
                    allowed=allowed,
                )
            )


def remember_start(W: Work) -> None:
    """Let pairs that touch at the start, as the last forces have it, remember it: friction holds from there."""
    if len(W.touch):
        contact_keep(W.touch, W.contact, W.A, W.r, W.el, W.memory, W.z_step)


def allow_light(system: System, W: Work, weight: Array, tolerance: float) -> None:
    """Tell pairs of who sits freely up to which load, times the step squared (N s^2), a step need not end where they
    touch or part. All others, few as they are, end steps, so that there is a state at every touch.

    A force that rises to F within a step h leaves a free body of mass m off by less than F h^2/3m (see genalpha), away
    from its centre by two or three times that. So much may be the tolerance (m), as errors count in each slot (weight).
    Of laws that remember the largest depth every touch counts.
    """
    I = W.touch
    if not len(I):
        return
    body = t.reals(system.arrays, t.BODY)
    moved = np.append(weight[system.layout.rigid[: len(body), 0]] / body[:, 0], 0.0)
    pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(-1, PAIR_COLUMNS)
    numbers = W.contact[I[F_PAIRS] : I[F_PAIRS] + I[PAIRS] * PAIR_NUMBERS].reshape(-1, PAIR_NUMBERS)
    most = np.maximum(moved[pairs[:, A_BODY]], moved[pairs[:, B_BODY]])
    on_riders = np.zeros(len(moved), dtype=bool)
    for rider in system.free_riders:
        on_riders[slice(*rider.bodies)] = True
    of_riders = on_riders[pairs[:, A_BODY]] | on_riders[pairs[:, B_BODY]]
    plain = of_riders & (pairs[:, TURNS] == 0) & (pairs[:, JUMPS] == 0) & (most > 0.0)
    numbers[plain, LIGHT] = tolerance / most[plain]


def stiffest(system: System, W: Work) -> str:
    """The name of the touching pair whose force rises most with the depth, as the last forces have it; "" for none."""
    touching = [(float(W.el[row, 4]), name) for _, row, name, _, _ in pairs_of(system) if W.el[row, 0] > 0.0]
    return max(touching, default=(0.0, ""))[1]


def passed_through(system: System, W: Work, pair: int, time: float, where: str) -> Status:
    """The status of a run that ends because a pair (its number) was pressed past the middle of one another."""
    _, row, name, memory, _ = list(pairs_of(system))[pair]
    deepest = float(W.memory[memory + DEEPEST]) or float(W.el[row, 0])
    message = say(
        "Contact '{name}' was crushed through at t = {time:.4f s}{where}: {deepest:.3g mm} deep, past the middle of the"
        " thinner surface, its force would push out on another side.",
        name=name, time=time, where=where, deepest=deepest,
    )  # fmt: skip
    advice = (
        "Its stiffness does not carry that load or speed: give it more, or make the thinner surface thicker. A plane"
        " with a depth is solid from its front only; take a box for a plate that is met from all sides."
    )
    return Status("failed", message, advice)


def too_deep(system: System, W: Work, el: Array) -> int | None:
    """The number of a pair that touches so deep that its side is in doubt; el: outputs at the last accepted step."""
    I = W.touch
    if not len(I):
        return None
    known = W.contact[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(-1, SPOT_NUMBERS)
    first = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(-1, PAIR_COLUMNS)[:, S0]
    depths = np.array([el[row, 0] for _, row, _, _, _ in pairs_of(system)])
    deep = np.flatnonzero(depths > DOUBT * known[first, THROUGH])
    return int(deep[0]) if len(deep) else None
