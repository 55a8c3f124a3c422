"""Spherical joint: a ball in its socket."""

from __future__ import annotations

from .base import JointType, coincident

TYPE = JointType("spherical", "Spherical (ball)", coincident, turns="all", acts_in="turn")
