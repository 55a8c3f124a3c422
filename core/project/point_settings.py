"""How the train is thought of when it is ridden as points on a line: speed, friction, drag, train."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen

Part = Annotated[float, Field(ge=0.0, le=1.0)]


class PointRideSettings(Frozen):
    """The ride of a train as points along the heartline or the rails.

    start (m): place of the middle of the train on the centreline; speed (m/s): its start speed, negative backwards.
    line: the curve the points follow, "heartline" or "rail" (the centreline); heights and distances of the energy
    balance are those of that curve.
    friction "constant": E = v^2/2 + g (y + mu s), the same on every slope; "load": mu times the force on the wheels.
    mu: coefficient of friction (-); drag R (1/m): dE/dt = -R v^3 per mass.
    mass (kg) of the train, for launches by force or power and for the energies. train_length (m) and masses: equal
    masses at the middle of equal parts of the train, which all move as one; 1 mass is a ball. points_from "vehicle":
    these three are those of the project's train (`core.project.point_train`) where it has one; "given": they hold as
    typed.
    laps: rounds of a closed circuit. duration (s): the ride is cut off there.
    """

    start: Annotated[float, Field(ge=-1e5, le=1e5)] = 0.0
    speed: Annotated[float, Field(ge=-150.0, le=150.0)] = 3.0
    line: Literal["heartline", "rail"] = "heartline"
    friction: Literal["constant", "load"] = "constant"
    mu: Part = 0.02
    drag: Annotated[float, Field(ge=0.0, le=0.1)] = 2e-5
    points_from: Literal["vehicle", "given"] = "vehicle"
    mass: Annotated[float, Field(gt=0.0, le=1e6)] = 5000.0
    train_length: Annotated[float, Field(ge=0.0, le=200.0)] = 0.0
    masses: Annotated[int, Field(ge=1, le=60)] = 1
    laps: Annotated[int, Field(ge=1, le=20)] = 1
    duration: Annotated[float, Field(gt=0.0, le=86_400.0)] = 1800.0

    @model_validator(mode="before")
    @classmethod
    def _typed_points_hold(cls, data: Any) -> Any:
        """Files from before there was a choice hold what was typed into them."""
        if not isinstance(data, dict) or "points_from" in data:
            return data
        usual = {name: cls.model_fields[name].default for name in ("mass", "train_length", "masses")}
        typed = any(data.get(name, value) != value for name, value in usual.items())
        return {**data, "points_from": "given"} if typed else data
