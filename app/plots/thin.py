"""Curves at the cost of the pixels they cover: the highest and lowest sample of every pixel is enough."""

from __future__ import annotations

import numpy as np

from ...core.base.arrays import Array


def thin(x: Array, y: Array, x0: float, x1: float, pixels: int) -> tuple[Array, Array]:
    """The part of a curve within a stretch, reduced to two points a pixel.

    x (n,) increasing, y (n,); x0, x1 the stretch; pixels its width. Returns points that draw the same picture: no
    peak is lost, and the curve goes on to the first sample beyond each end of the stretch.
    """
    first = max(0, int(np.searchsorted(x, x0, side="left")) - 1)
    last = min(len(x), int(np.searchsorted(x, x1, side="right")) + 1)
    x, y = x[first:last], y[first:last]
    size = len(x) // max(1, pixels)
    if size < 3:
        return x, y
    count = len(x) // size
    whole = count * size
    heaps = y[:whole].reshape(count, size)
    thin_x = np.empty(2 * count + len(x) - whole)
    thin_y = np.empty_like(thin_x)
    thin_x[: 2 * count : 2] = thin_x[1 : 2 * count : 2] = x[:whole:size]
    thin_y[: 2 * count : 2] = heaps.min(axis=1)
    thin_y[1 : 2 * count : 2] = heaps.max(axis=1)
    thin_x[2 * count :] = x[whole:]
    thin_y[2 * count :] = y[whole:]
    return thin_x, thin_y
