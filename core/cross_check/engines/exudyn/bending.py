"""Flexible bodies of matrices in exudyn: its floating frame of reduced order on the points that have their mass.

The integrals that couple bending and a large motion are taken here of the points anew, those of our solver have no part
in them. An interface frame is four points without mass about it, that move and turn with it; a marker of exudyn on
these is what a generic joint holds on the body there.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import block_diag, csr_matrix, identity, kron

from ....base.arrays import Array
from ....base.frames import skew
from ...model import Bending
from .system import System

ARM = 0.05  # m, from an interface to the points about it


def add_bending(system: System, one: Bending) -> None:
    """Add a flexible body and what holds it at its interfaces."""
    body, floating, kinds = system.model.bodies[one.body], one.floating, system.exu.OutputVariableType
    places = one.cloud.places - floating.centre
    shapes = np.asarray(one.cloud.moves @ floating.shapes)
    frames: dict[str, list[int]] = {}
    for end in one.ends:
        at = floating.interfaces[end.node]
        frames[end.name] = [len(places) + k for k in range(4)]
        for arm in ARM * _CORNERS:
            places = np.vstack([places, at.place + arm])
            shapes = np.vstack([shapes, at.U - skew(arm) @ at.R])
    massless = csr_matrix((len(places) - len(one.cloud.places),) * 2)
    mass = csr_matrix(kron(block_diag([one.cloud.mass, massless]), identity(3)))
    items, modes = system.items, shapes.shape[1]
    rigid = system.mbs.AddNode(
        system.utilities.GetRigidBodyNode(
            nodeType=system.exu.NodeType.RotationEulerParameters, position=body.position,
            velocity=body.velocity, rotationMatrix=body.axes, angularVelocity=body.axes @ body.angular_velocity,
        )
    )  # fmt: skip
    modal = system.mbs.AddNode(
        items.NodeGenericODE2(
            numberOfODE2Coordinates=modes, referenceCoordinates=[0.0] * modes,
            initialCoordinates=one.modal.tolist(), initialCoordinates_t=one.modal_speed.tolist(),
        )
    )  # fmt: skip
    number = system.mbs.AddObject(
        items.ObjectFFRFreducedOrder(
            name=body.name, nodeNumbers=[rigid, modal], modeBasis=shapes, referencePositions=places.ravel(),
            massMatrixReduced=_kept(system, shapes.T @ (mass @ shapes)),
            stiffnessMatrixReduced=_kept(system, np.diag(floating.stiffness)),
            dampingMatrixReduced=_kept(system, one.damping), computeFFRFterms=True, **_integrals(places, mass, shapes),
        )
    )  # fmt: skip
    if np.any(system.model.gravity):
        whole = system.mbs.AddMarker(items.MarkerBodyMass(bodyNumber=number))
        system.mbs.AddLoad(
            items.LoadMassProportional(markerNumber=whole, loadVector=list(system.model.gravity))
        )
    system.bodies.append(number)
    system.nodes.append(rigid)
    system.watch_node(one.name, rigid)
    system.watch(
        ("modal", one.name),
        items.SensorNode(nodeNumber=modal, outputVariableType=kinds.Coordinates, storeInternal=True),
    )
    system.frames[one.name] = frames


def tie(system: System, one: Bending) -> None:
    """Hold a flexible body at its interfaces, when all bodies are there."""
    axes = system.model.bodies[one.body].axes
    for end in one.ends:
        other = end.at.body % (len(system.model.bodies) + 1)
        turn = np.eye(3) if other == len(system.model.bodies) else system.model.bodies[other].axes
        mesh = system.mbs.AddMarker(
            system.items.MarkerSuperElementRigid(
                bodyNumber=system.bodies[one.body],
                meshNodeNumbers=system.frames[one.name][end.name],
                weightingFactors=[0.25] * 4,
            )
        )
        held = system.frame(other, end.point, turn.T @ axes)
        number = system.mbs.AddObject(
            system.items.ObjectJointGeneric(markerNumbers=[mesh, held], constrainedAxes=[1] * 6)
        )
        system.watch_object(("force", end.name), number, system.exu.OutputVariableType.ForceLocal)


_CORNERS = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])


def _kept(system: System, matrix: Array) -> object:
    made = system.exu.MatrixContainer()
    made.SetWithDenseMatrix(np.asarray(matrix), useDenseMatrix=False)
    return made


def _integrals(places: Array, mass: csr_matrix, shapes: Array) -> dict[str, object]:
    """What exudyn wants of the points: places (n, 3) m from the frame, mass (3 n, 3 n) kg, shapes (3 n, modes)."""
    modes = shapes.shape[1]
    moved = np.tile(np.eye(3), (len(places), 1))
    turned = np.vstack([skew(place) for place in places])
    bent = np.hstack([np.vstack([skew(u) for u in shapes[:, k].reshape(-1, 3)]) for k in range(modes)])
    total = float((moved.T @ (mass @ moved))[0, 0])
    return {
        "mass": total,
        "inertia": turned.T @ (mass @ turned),
        "centerOfMass": moved.T @ (mass @ places.ravel()) / total,
        "mPsiTildePsi": bent.T @ (mass @ shapes),
        "mPsiTildePsiTilde": bent.T @ (mass @ bent),
        "mPhitTPsi": moved.T @ (mass @ shapes),
        "mPhitTPsiTilde": moved.T @ (mass @ bent),
        "mXRefTildePsi": turned.T @ (mass @ shapes),
        "mXRefTildePsiTilde": turned.T @ (mass @ bent),
    }
