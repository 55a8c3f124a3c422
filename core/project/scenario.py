"""What is done with the model: a ride on the track or a rig on the bench, and how it is solved."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen
from core.model.assembly import Assembly

# A day; more is a slip of the keyboard, and would fill any disk.
Duration = Annotated[float, Field(gt=0.0, le=86400.0)]
MAX_SPEED = 1000.0  # m/s


class Ride(Frozen):
    """The train runs on the track.

    start (m): arc length of the first car's origin on the centreline at t = 0. speed (m/s): start speed, or None for
    that of the station, lift or tyres it starts on, and elsewhere to solve for the speed that takes the train over its
    highest point with `top_speed` (m/s).
    The ride ends at `duration` (s), or earlier at `end_place` (m travelled by the first car from s = 0), after
    one lap of a closed track when both are None, or at the end of an open track.
    `settled` starts from the state in which springs carry the weight at the start place instead of as drawn.
    """

    kind: Literal["ride"] = "ride"
    start: float = 0.0
    speed: Annotated[float, Field(ge=-MAX_SPEED, le=MAX_SPEED)] | None = None
    top_speed: Annotated[float, Field(gt=0.0, le=MAX_SPEED)] = 2.0
    duration: Duration | None = None
    end_place: float | None = None
    settled: bool = False

    @model_validator(mode="after")
    def _end_ahead(self) -> Ride:
        forward = self.speed is None or self.speed >= 0.0
        if forward and self.end_place is not None and self.end_place <= self.start:
            raise ValueError(f"end_place ({self.end_place}) must lie ahead of start ({self.start})")
        return self


class Rig(Frozen):
    """Bodies on a bench without a track: pendulums, linkages, drops, riders on a moving seat."""

    kind: Literal["rig"] = "rig"
    assembly: Assembly
    duration: Duration = 10.0

    @model_validator(mode="after")
    def _no_guides(self) -> Rig:
        if self.assembly.guides:
            name = self.assembly.guides[0].name
            raise ValueError(f"guide '{name}' needs a track; use a ride instead of a rig")
        return self


Scenario = Annotated[Ride | Rig, Field(discriminator="kind")]

# Implicit with error control | explicit at a fixed step | Adams, and scipy's solvers, with error control.
Method = Literal[
    "generalized_alpha",
    "euler",
    "rk2",
    "bogacki_shampine",
    "rk4",
    "dopri5",
    "dopri8",
    "adaptive_rk23",
    "adaptive_rk45",
    "adaptive_dop853",
    "adaptive_adams",
    "adaptive_lsoda",
    "adaptive_radau",
    "adaptive_bdf",
]


# Shorter steps drown in rounding; longer ones than a second step over whole track elements.
Step = Annotated[float, Field(ge=1e-7, le=1.0)]
# Up to that of the shortest step; beyond, rates of change overflow before an adaptive method has found its first step.
Feedback = Annotated[float, Field(ge=0.0, le=1e7)]


class SolverSettings(Frozen):
    """How the equations are integrated.

    method "generalized_alpha": implicit, second order, error controlled: `tolerance` is the allowed local error a step
    in m and rad, and by 0.07 of it springs and stops may be wrong, relative to the largest force (or moment) on a body;
    `rho_infinity` in [0, 1] the spectral radius at infinite frequency (1: no numerical damping); `max_step` s.
    `fixed_step` s switches error control off.
    All other methods integrate accelerations, in one of these formulations: "augmented" equations (Viegas 2016,
    eq. 2.10), "penalty" or "augmented_lagrangian" (factor `penalty`, feedback `penalty_omega` 1/s and
    `penalty_damping`, at most `lagrangian_iterations`; Bayo et al. 1988), or "partitioning" into independent and
    dependent coordinates (Wehage & Haug 1982). The augmented equations are stabilised by "baumgarte" terms
    `baumgarte_alpha` and `baumgarte_beta` (1/s) (Viegas 2016, eq. 2.15), "baumgarte_step" (1/h and sqrt(2)/h),
    "correction" of positions and velocities after a step that leaves them further off than
    `correction_tolerance` (m, rad) and `correction_velocity_tolerance` (m/s, rad/s), smallest by
    `correction_weight`, or both, or "none". Of these, methods "adaptive_..." are Adams' and scipy's, steered by
    `relative_tolerance` and `absolute_tolerance`; the others take `fixed_step` (default 0.0002 s).
    `initial_velocities` that violate constraints are projected, refused, or kept (not by generalized_alpha).
    `position_tolerance` m (and rad): what joints and guides may be apart; `velocity_tolerance` m/s.
    `path_evaluation`: "smooth" curves or the thesis' linear "table" of `table_step` metres.
    `sample_rate` Hz: the time grid of the stored channels.
    """

    method: Method = "generalized_alpha"
    tolerance: Annotated[float, Field(ge=1e-12, le=0.1)] = 1e-5
    rho_infinity: Annotated[float, Field(ge=0.0, le=1.0)] = 0.8
    max_step: Step = 0.01
    fixed_step: Step | None = None
    position_tolerance: Annotated[float, Field(ge=1e-14, le=1e-2)] = 1e-8
    velocity_tolerance: Annotated[float, Field(ge=1e-14, le=1e-1)] = 1e-7
    baumgarte_alpha: Feedback = 5.0
    baumgarte_beta: Feedback = 5.0
    formulation: Literal["augmented", "penalty", "augmented_lagrangian", "partitioning"] = "augmented"
    stabilisation: Literal[
        "none", "baumgarte", "baumgarte_step", "correction", "baumgarte_and_correction"
    ] = "baumgarte"
    correction_tolerance: Annotated[float, Field(ge=1e-14, le=10.0)] = 1e-6
    correction_velocity_tolerance: Annotated[float, Field(ge=1e-14, le=10.0)] = 1e-6
    correction_weight: Literal["mass", "none"] = "mass"
    penalty: Annotated[float, Field(ge=1.0, le=1e12)] = 1e7
    penalty_omega: Feedback = 10.0
    penalty_damping: Annotated[float, Field(ge=0.0, le=1e3)] = 1.0
    lagrangian_iterations: Annotated[int, Field(ge=1, le=100)] = 10
    relative_tolerance: Annotated[float, Field(ge=1e-13, le=0.1)] = 1e-6
    absolute_tolerance: Annotated[float, Field(ge=1e-14, le=0.1)] = 1e-9
    initial_velocities: Literal["project", "refuse", "keep"] = "project"
    path_evaluation: Literal["smooth", "table"] = "smooth"
    table_step: Annotated[float, Field(ge=1e-3, le=10.0)] = 0.2
    sample_rate: Annotated[float, Field(ge=1.0, le=20000.0)] = 1000.0
