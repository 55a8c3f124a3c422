"""What every other engine is to the comparison; each has one file or folder here, with ENGINE in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ...base.arrays import Array
from ..model import Element, Link, Model, Steered

EXTRA = "pip install ridewright[cross-check]"


@dataclass(frozen=True)
class Masses:
    """Masses (kg) and inertias (3, 3) kg m^2 about the centres in the bodies' axes, by body, as an engine has them."""

    mass: dict[str, float]
    inertia: dict[str, Array]


@dataclass(frozen=True)
class OtherRun:
    """A ride in another engine at n instants (s), bodies as in the model: position (n, nb, 3) m, axes (n, nb, 3, 3),
    velocity (n, nb, 3) m/s, angular velocity (n, nb, 3) rad/s in body axes; forces (n, 3) N at the point of joints and
    guides, on their first or guided body, in world axes, where the engine has them; loads (n,) N or N m of force
    elements, positive in tension, and of pairs of surfaces that touch; modal (n, modes) m of flexible bodies; step (s);
    masses as it has them; version: of the engine; acceleration (n, nb, 3) m/s^2 and angular acceleration (n, nb, 3)
    rad/s^2 in body axes."""

    time: Array
    position: Array
    axes: Array
    velocity: Array
    angular_velocity: Array
    masses: Masses
    step: float
    version: str
    acceleration: Array
    angular_acceleration: Array
    forces: dict[str, Array] = field(default_factory=dict)
    loads: dict[str, Array] = field(default_factory=dict)
    modal: dict[str, Array] = field(default_factory=dict)


class Engine(Protocol):
    """Another engine. The `why_not...` say in words why something cannot be had there; empty when it can."""

    name: str
    #: Whether it has flexible bodies of matrices, without what bending adds to second order.
    bends: bool

    def available(self) -> bool:
        """Whether it is installed."""

    def why_not_element(self, element: Element) -> str:
        """Of a force element, which is then left out of both rides."""

    def why_not_link(self, link: Link) -> str:
        """Of a joint, without which there is nothing to compare."""

    def why_not_steered(self, steered: Steered) -> str:
        """Of a driver of a body."""

    def why_not_model(self, model: Model) -> str:
        """Of the model as a whole."""

    def ride(self, model: Model, step: float, instants: Array) -> OtherRun:
        """The ride with equal steps (s), which divide the distance of the instants (n,) s. Raises InputError when it
        fails."""
