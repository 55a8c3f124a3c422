"""Rigs with a straight bar of solids, for tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ridewright.core.model.flexible import FlexibleBody, Interface, Node
from ridewright.core.multibody.flexible import imported_of
from ridewright.core.structure.floating import cloud_of_matrices, floating
from ridewright.core.structure.reduction import craig_bampton
from ridewright.core.structure.solids import Material, Solid, structure_of
from ridewright.core.structure.stiffening import Meshed
from ridewright.core.structure.surface import surface_of_solid
from ridewright.core.structure.ties import Tie, tie
from tests.core.structure.test_solids import brick


def bar_solid(
    kind: str, counts: tuple[int, int, int], size: tuple[float, float, float], material: Material
) -> Solid:
    """A straight bar along x from the origin, its axis through the middle of its section."""
    solid = brick(kind, counts, size)
    nodes = solid.nodes - [0.0, 0.5 * size[1], 0.5 * size[2]]
    return replace(solid, nodes=nodes, material=material)


def solid_bar(
    solid: Solid,
    bodies: tuple[str, str],
    *,
    modes: int = 8,
    beyond: float = 0.0,
    kind: str = "rigid",
    **more: object,
) -> FlexibleBody:
    """A bar as a flexible body with interfaces `root` at its first and `tip` at its last face; beyond (m): how far the
    frame of the tip lies outside of the bar; kind: of the tie there."""
    length = float(solid.nodes[:, 0].max())
    places = {"root": np.zeros(3), "tip": np.array([length + beyond, 0.0, 0.0])}
    faces = [tuple(np.flatnonzero(np.abs(solid.nodes[:, 0] - x) < 1e-9).tolist()) for x in (0.0, length)]
    ties = (
        Tie("root", tuple(places["root"]), faces[0]),
        Tie("tip", tuple(places["tip"]), faces[1], kind),  # type: ignore[arg-type]
    )
    whole = structure_of(solid)
    tied = tie(whole, ties)
    cloud = cloud_of_matrices(whole, tied.T[: whole.size])
    reduced = craig_bampton(tied.structure, ("root", "tip"), modes, centrifugal=True)
    made = floating(reduced, cloud, mesh=Meshed(solid, whole, tied, ties))
    moves = (tied.T[: whole.size] @ made.shapes)[whole.unknowns[:, :3]]
    return FlexibleBody(
        name="beam",
        nodes=tuple(Node(name=name, position=tuple(at.tolist())) for name, at in places.items()),
        interfaces=tuple(Interface(node=n, body=b) for n, b in zip(places, bodies, strict=True)),
        imported=imported_of(made, places, "bar", surface_of_solid(solid, moves)),
        **{"ratio": 0.0, **more},  # type: ignore[arg-type]
    )
