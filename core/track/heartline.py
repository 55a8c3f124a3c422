"""The heartline: the line above the rails at which a rider's loads are felt and designed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.fields import described
from ..base.frozen import Frozen, Name
from ..base.sentence import say
from ..base.where import Where
from .device_spans import Span, section_span
from .devices.base import Distance

Height = Annotated[float, Field(ge=-10.0, le=10.0)]
SAME_PLACE = 1e-6  # m


class HeartlinePoint(Frozen):
    """The height of the heartline at a position along a section."""

    section: Name = described(
        ..., "Section", "The section the point lies on; it moves with it.", refers_to="section"
    )
    offset: Distance = described(0.0, "From its start", "Distance from the start of the section.", unit="m")
    height: Height = described(
        ...,
        "Height",
        "Height of the heartline above the rail plane there; it goes over smoothly from point to point.",
        unit="m",
    )


class Heartline(Frozen):
    """How high the heartline lies above the rail plane, along the up vector of the canted track frame.

    Between two points it goes over smoothly, with zero slope and bend at both, and never beyond them. Outside the
    points of an open track it stays as at the nearest one.
    """

    height: Height = described(
        1.1,
        "Height of the heartline",
        "Above the rail plane, where the rider's loads are felt and designed.",
        unit="m",
    )
    points: tuple[HeartlinePoint, ...] = described((), "Points", "Where the height varies along the track.")


@dataclass(frozen=True)
class HeartlineLaw:
    """Steps of the heartline along the centreline: from low[k] to high[k] (m) between s[k] and s[k+1] (m).

    s (k+1,) from 0 to the length; low, high (k,); a, b (k,): the stretch over which the step runs, s[k] and s[k+1]
    except where it goes on over the seam of a closed track.
    """

    s: Array
    low: Array
    high: Array
    a: Array
    b: Array


def heartline_law(
    heartline: Heartline, sections: Sequence[Span], length: float, closed: bool
) -> HeartlineLaw:
    """The heartline over the arc length of a built track.

    Parameters
    ----------
    heartline
        As described; a point behind the end of its section is put there.
    sections
        Spans of the built track, m.
    length
        m, of its centreline.
    closed
        Whether it is a circuit.

    Returns
    -------
    The law.

    Raises
    ------
    InputError
        Naming a missing section or two points at one place.
    """
    if not heartline.points:
        level = np.array([heartline.height])
        return HeartlineLaw(np.array([0.0, length]), level, level, np.zeros(1), np.array([length]))
    known = []
    for k, point in enumerate(heartline.points):
        span = section_span(sections, point.section, f"Point {k + 1} of the heartline")
        known.append((min(span.s0 + point.offset, span.s1), point.height))
    known.sort()
    for (s0, _), (s1, _) in pairwise(known):
        if s1 - s0 < SAME_PLACE:
            text = say("Two points of the heartline lie at s = {s:.2f m}; remove one of them.", s=s1)
            raise InputError(text, Where(s=s1))
    if closed:
        first, last = known[0], known[-1]
        if len(known) > 1 and last[0] - first[0] > length - SAME_PLACE:
            known[-1] = last = (length, first[1])
        known = [(last[0] - length, last[1]), *known, (first[0] + length, first[1])]
    else:
        known = [(min(-1.0, known[0][0] - 1.0), known[0][1]), *known, (length + 1.0, known[-1][1])]
    position, height = (np.array(x) for x in zip(*known, strict=True))
    inside = (position[1:] > SAME_PLACE) & (position[:-1] < length - SAME_PLACE)
    a, b = position[:-1][inside], position[1:][inside]
    s = np.append(np.maximum(a, 0.0), length)
    return HeartlineLaw(s, height[:-1][inside], height[1:][inside], a, b)


def heartline_heights(law: HeartlineLaw, s: ArrayLike) -> Array:
    """Height of the heartline above the rails.

    Steps are 10 x^3 - 15 x^4 + 6 x^5: continuous to the second derivative.

    Parameters
    ----------
    law
        Of a built track.
    s
        (n,) m, inside [0, length].

    Returns
    -------
    (n, 3): height (m), and its first and second derivative by s.
    """
    at = np.atleast_1d(np.asarray(s, dtype=float))
    if len(law.low) == 1 and law.low[0] == law.high[0]:
        level = np.zeros((len(at), 3))
        level[:, 0] = law.low[0]
        return level
    k = np.clip(np.searchsorted(law.s, at, side="right") - 1, 0, len(law.low) - 1)
    width = law.b[k] - law.a[k]
    x = np.clip((at - law.a[k]) / width, 0.0, 1.0)
    rise = law.high[k] - law.low[k]
    value = law.low[k] + rise * x**3 * (10.0 - 15.0 * x + 6.0 * x * x)
    slope = rise * 30.0 * (x * (1.0 - x)) ** 2 / width
    bend = rise * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / width**2
    return np.stack([value, slope, bend], axis=-1)
