"""A frame in another one: where a body, an assembly or a seat is, and how its axes stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array


@dataclass(frozen=True)
class Frame:
    """A frame: the place of its origin (3,) m and its rotation matrix (3, 3), in another one."""

    position: Array
    rotation: Array

    def point(self, s: ArrayLike) -> Array:
        """A point of the frame (3,) m in the other one."""
        out: Array = self.position + self.rotation @ np.asarray(s)
        return out

    def direction(self, a: ArrayLike) -> Array:
        """A direction of the frame (3,) in the other one."""
        out: Array = self.rotation @ np.asarray(a)
        return out

    def local(self, place: ArrayLike) -> Array:
        """A point of the other one (3,) m in the frame."""
        out: Array = self.rotation.T @ (np.asarray(place) - self.position)
        return out

    def inside(self, inner: Frame) -> Frame:
        """A frame given in this one, in the other one."""
        return Frame(self.point(inner.position), self.rotation @ inner.rotation)


IDENTITY = Frame(np.zeros(3), np.eye(3))
