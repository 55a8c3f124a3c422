"""Force elements in exudyn: its connectors measure and act, our laws say how much."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....model.laws import LINEAR
from ...acting import acting_element, acting_load
from ...curves import evaluator
from ...laws import ScalarLaw, Three, WideLaw
from ...model import Element, Load
from .acting import add_actor
from .system import System


def add_element(system: System, element: Element) -> None:
    """Add a force element that `why_not` has nothing against: as a connector of exudyn where that acts alike and its
    law remembers nothing."""
    native = {"distance": _distance, "angle": _angle, "slide": _slide, "turn": _turn, "speed": _speed}
    if element.geometry in native and not acting_element(element).remembers:
        native[element.geometry](system, element)
        return
    add_actor(system, acting_element(element))


def _distance(system: System, element: Element) -> None:
    (i, j), n = element.bodies, element.numbers
    ends = [system.place(i, n[0:3]), system.place(j, n[3:6])]
    given: dict[str, Any] = {}
    if element.use.law is LINEAR:
        given["stiffness"], given["damping"] = element.use.parameters
        given["referenceLength"] = float(n[6])
    else:
        load, origin = ScalarLaw(element), float(n[6])

        def force(mbs: Any, t: float, item: int, x: float, v: float, k: float, d: float, f: float) -> float:
            return load(x - origin, v, t)

        given["springForceUserFunction"], given["referenceLength"] = force, 0.0
    number = system.mbs.AddObject(system.items.ObjectConnectorSpringDamper(markerNumbers=ends, **given))
    system.watch_object(("load", element.name), number, system.exu.OutputVariableType.ForceLocal)


def _angle(system: System, element: Element) -> None:
    (i, j), n = element.bodies, element.numbers
    f, g, a, f_j, origin = n[0:3], n[3:6], n[6:9], n[9:12], float(n[12])
    a_j = _axis_on_second(system, element, a)
    first, second = np.column_stack([f, g, a]), np.column_stack([f_j, np.cross(a_j, f_j), a_j])
    ends = [system.frame(i, np.zeros(3), first), system.frame(j, np.zeros(3), second)]
    load = ScalarLaw(element)

    def torque(mbs: Any, t: float, item: int, x: float, v: float, k: float, d: float, o: float) -> float:
        return load(x - origin, v, t)

    counted = system.mbs.AddNode(
        system.items.NodeGenericData(numberOfDataCoordinates=1, initialCoordinates=[0.0])
    )
    number = system.mbs.AddObject(
        system.items.ObjectConnectorTorsionalSpringDamper(
            markerNumbers=ends, nodeNumber=counted, springTorqueUserFunction=torque
        )
    )
    system.watch_object(("load", element.name), number, system.exu.OutputVariableType.TorqueLocal)


def _axis_on_second(system: System, element: Element, a: Array) -> Array:
    """The axis (3,) of an element in a joint in the axes of its second body: that of the joint."""
    for link in system.model.links:
        at = link.at
        if (at.i, at.j) == element.bodies and np.array_equal(at.a, a):
            return at.a_j
    raise KeyError(element.name)


def _slide(system: System, element: Element) -> None:
    (i, j), n = element.bodies, element.numbers
    load, origin = ScalarLaw(element), float(n[9])

    def force(mbs: Any, t: float, item: int, x: float, v: float, k: float, d: float, o: float) -> float:
        return load(x - origin, v, t)

    ends = [system.frame(i, n[3:6], np.eye(3)), system.frame(j, n[6:9], np.eye(3))]
    number = system.mbs.AddObject(
        system.items.ObjectConnectorLinearSpringDamper(
            markerNumbers=ends, axisMarker0=list(n[0:3]), springForceUserFunction=force
        )
    )
    system.watch_object(("load", element.name), number, system.exu.OutputVariableType.ForceLocal)


def _turn(system: System, element: Element) -> None:
    (i, j), start = element.bodies, element.numbers.reshape(3, 3)
    ends = [system.frame(i, np.zeros(3), np.eye(3)), system.frame(j, np.zeros(3), start.T)]
    law = WideLaw(element)

    def moment(mbs: Any, t: float, item: int, u: Any, turn: Any, v: Any, w: Any, *rest: Any) -> list[float]:
        return [0.0, 0.0, 0.0, *law(_rotation_vector(*turn), w, t)]

    number = system.mbs.AddObject(
        system.items.ObjectConnectorRigidBodySpringDamper(
            markerNumbers=ends, springForceTorqueUserFunction=moment
        )
    )
    system.watch_object(("moment", element.name), number, system.exu.OutputVariableType.TorqueLocal)


def _rotation_vector(x: float, y: float, z: float) -> Three:
    """The rotation vector (rad) of Rx Ry Rz, as exudyn's rotation outputs have it."""
    cx, sx, cy, sy, cz, sz = (f(0.5 * a) for a in (x, y, z) for f in (math.cos, math.sin))
    e0, e1 = cx * cy * cz - sx * sy * sz, sx * cy * cz + cx * sy * sz
    e2, e3 = cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz
    if e0 < 0.0:
        e0, e1, e2, e3 = -e0, -e1, -e2, -e3
    sine = math.sqrt(e1 * e1 + e2 * e2 + e3 * e3)
    factor = 2.0 if sine < 1e-12 else 2.0 * math.atan2(sine, e0) / sine
    return factor * e1, factor * e2, factor * e3


def _speed(system: System, element: Element) -> None:
    """Against the velocity of the centre of mass: a spring-damper to the ground along its three axes."""
    load = ScalarLaw(element)

    def force(mbs: Any, t: float, item: int, u: Any, v: Any, *rest: Any) -> list[float]:
        speed = float(np.linalg.norm(v))
        share = load(0.0, speed, t) / speed if speed > 0.0 else 0.0
        return [share * c for c in v]

    body, ground = element.bodies[0], len(system.model.bodies)
    ends = [system.place(ground, np.zeros(3)), system.place(body, np.zeros(3))]
    system.mbs.AddObject(
        system.items.ObjectConnectorCartesianSpringDamper(markerNumbers=ends, springForceUserFunction=force)
    )


def add_load(system: System, load: Load) -> None:
    """Add a force or torque over time."""
    if load.air is not None:
        add_actor(system, acting_load(load))
        return
    of = [evaluator(component) for component in load.components]

    def vector(mbs: Any, t: float, given: Any) -> list[float]:
        return [value(t) for value in of]

    kind = system.items.LoadTorqueVector if load.point is None else system.items.LoadForceVector
    point = np.zeros(3) if load.point is None else load.point
    system.mbs.AddLoad(
        kind(
            markerNumber=system.frame(load.body, point, np.eye(3)),
            bodyFixed=load.in_body, loadVectorUserFunction=vector,
        )
    )  # fmt: skip


def loads_of(system: System) -> dict[str, Array]:
    """Loads (n,) N or N m of force elements and pairs that touch, positive in tension, as far as they were read off."""
    out = {name: system.values(key)[:, 0] for key in system.sensors if (name := key[1]) and key[0] == "load"}
    for first, names in system.rows.items():
        stored = system.values(("loads", first))
        out |= {name: stored[:, k] for k, name in enumerate(names)}
    return out
