"""The types of force elements that other modules build or look for by name."""

from __future__ import annotations

from core.model.forces import Force
from core.model.forces.air_drag import AirDrag
from core.model.forces.force import AppliedForce
from core.model.forces.joint_stop import JointStop
from core.model.forces.rolling_resistance import RollingResistance
from core.model.forces.rotational_spring import RotationalSpring
from core.model.forces.spring import SpringDamper
from core.model.forces.torque import AppliedTorque

__all__ = [
    "AirDrag", "AppliedForce", "AppliedTorque", "Force", "JointStop", "RollingResistance", "RotationalSpring",
    "SpringDamper",
]  # fmt: skip
