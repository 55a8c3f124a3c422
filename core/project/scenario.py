"""What is done with the model: a ride on the track or a test rig, and how it is solved."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ..base.fields import described
from ..base.frozen import Frozen
from ..model.assembly import Assembly

# A day; more is a slip of the keyboard, and would fill any disk.
Duration = Annotated[float, Field(gt=0.0, le=86400.0)]
MAX_SPEED = 1000.0  # m/s


class Ride(Frozen):
    """The train runs on the track.

    speed None: that of the station, lift or tyres it starts on, and elsewhere the one that takes the train over its
    highest point with `top_speed`. The ride ends at `duration`, or earlier at `end_place` (travelled by the first car
    from s = 0), after one lap of a closed track when both are None, or at the end of an open track.
    """

    kind: Literal["ride"] = "ride"
    start: float = described(
        0.0, "Start position", "Arc length of the first car's origin at the start.", unit="m"
    )
    speed: Annotated[float, Field(ge=-MAX_SPEED, le=MAX_SPEED)] | None = described(
        None,
        "Start speed",
        "Empty takes the speed of the station, lift or tyres it starts on, else the one that leads over the highest"
        " point.",
        unit="m/s",
        empty="of the device, or over the top",
    )
    top_speed: Annotated[float, Field(gt=0.0, le=MAX_SPEED)] = described(
        2.0,
        "Speed over the top",
        "Used when the start speed is left empty: of the train where the middle of its masses is highest.",
        unit="m/s",
    )
    duration: Duration | None = described(
        None,
        "Duration",
        "Time at which the ride ends; empty ends it by position.",
        unit="s",
        empty="one lap",
    )
    end_place: float | None = described(
        None,
        "End position",
        "Arc length the first car's origin runs to.",
        unit="m",
        empty="one lap or the end",
    )
    settled: bool = described(
        False,
        "Start in equilibrium",
        "Start with the springs carrying the weight instead of as drawn.",
    )

    @model_validator(mode="after")
    def _end_ahead(self) -> Ride:
        forward = self.speed is None or self.speed >= 0.0
        if forward and self.end_place is not None and self.end_place <= self.start:
            raise ValueError(f"end_place ({self.end_place}) must lie ahead of start ({self.start})")
        return self


class Rig(Frozen):
    """A test rig: pendulums, linkages, drops, riders on a moving seat. Guides follow the project's track."""

    kind: Literal["rig"] = "rig"
    assembly: Assembly = described(..., "Assembly", "The mechanism on the test rig.")
    duration: Duration = described(10.0, "Duration", "How long the rig is simulated.", unit="s")

    @model_validator(mode="after")
    def _is_rig(self) -> Rig:
        if self.assembly.role != "rig":
            raise ValueError(
                f"assembly '{self.assembly.name}' is a {self.assembly.role}; the role of a rig's is \"rig\""
            )
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
    "adaptive_rosenbrock23",
    "adaptive_trapezoid",
    "adaptive_tr_bdf2",
]


IMPLICIT = ("generalized_alpha",)
ADAPTIVE = tuple(name for name in get_args(Method) if name.startswith("adaptive_"))
EXPLICIT = tuple(name for name in get_args(Method) if name not in (*IMPLICIT, *ADAPTIVE))
# Choices with which a setting has an effect.
ACCELERATIONS = {"method": (*EXPLICIT, *ADAPTIVE)}
AUGMENTED = {**ACCELERATIONS, "formulation": ("augmented",)}
BAUMGARTE = {**AUGMENTED, "stabilisation": ("baumgarte", "baumgarte_and_correction")}
CORRECTION = {**ACCELERATIONS, "stabilisation": ("correction", "baumgarte_and_correction")}
PENALTY = {**ACCELERATIONS, "formulation": ("penalty", "augmented_lagrangian")}

# Shorter steps drown in rounding; longer ones than a second step over whole track elements.
Step = Annotated[float, Field(ge=1e-7, le=1.0)]
# Up to that of the shortest step; beyond, rates of change overflow before an adaptive method has found its first step.
Feedback = Annotated[float, Field(ge=0.0, le=1e7)]


FORMER_GAPS = {"position_tolerance": 1e-8, "velocity_tolerance": 1e-7}


class SolverSettings(Frozen):
    """How the equations are integrated.

    Method "generalized_alpha" is implicit and error controlled, unless `fixed_step` is given, of order 4 where the
    motion is smooth (`fourth_order`) and of order 2 elsewhere: a step may be wrong by `tolerance` in m and rad, and by
    0.07 of it in the forces of springs and stops, relative to the largest force (or moment) on a body; arms and legs of
    riders, and what acts on these alone, by `limb_tolerance` times that, the forces of what these touch by its square.
    All other methods integrate accelerations, in one of these formulations: "augmented" equations (Viegas 2016,
    eq. 2.10), "penalty" or "augmented_lagrangian" (Bayo et al. 1988), or "partitioning" into independent and
    dependent coordinates (Wehage & Haug 1982). The augmented equations are stabilised by "baumgarte" terms (Viegas
    2016, eq. 2.15), "baumgarte_step" (1/h and sqrt(2)/h), "correction" of positions and velocities after a step that
    leaves them further off than the tolerances of correction, or both. Of these, methods "adaptive_..." are Adams' and
    scipy's; the others take `fixed_step`. `initial_velocities` are not kept by generalized_alpha.
    """

    method: Method = described(
        "generalized_alpha",
        "Method",
        "The first is implicit and error controlled; explicit ones run at a fixed step; adaptive ones are scipy's, and"
        " Adams.",
        words={
            "generalized_alpha": "Generalised alpha (recommended)",
            "euler": "Euler, explicit",
            "rk2": "Runge-Kutta 2, explicit",
            "bogacki_shampine": "Bogacki-Shampine 3, explicit",
            "rk4": "Runge-Kutta 4, explicit",
            "dopri5": "Dormand-Prince 5, explicit",
            "dopri8": "Dormand-Prince 8, explicit",
            "adaptive_rk23": "Runge-Kutta 2(3), adaptive",
            "adaptive_rk45": "Runge-Kutta 4(5), adaptive",
            "adaptive_dop853": "Dormand-Prince 8(5,3), adaptive",
            "adaptive_adams": "Adams PECE 1 to 13, adaptive",
            "adaptive_lsoda": "LSODA, adaptive",
            "adaptive_radau": "Radau, adaptive, implicit",
            "adaptive_bdf": "BDF, adaptive, implicit",
            "adaptive_rosenbrock23": "Rosenbrock 2(3), adaptive, implicit",
            "adaptive_trapezoid": "Trapezoidal rule, adaptive, implicit",
            "adaptive_tr_bdf2": "TR-BDF2, adaptive, implicit",
        },
    )
    tolerance: Annotated[float, Field(ge=1e-12, le=0.1)] = described(
        1e-5,
        "Error tolerance",
        "Allowed local error of a step, in m and rad; springs and stops follow it by their force, flexible"
        " bodies by their stress.",
        unit="1",
        when={"method": IMPLICIT},
    )
    limb_tolerance: Annotated[float, Field(ge=1.0, le=1e4)] = described(
        10.0,
        "Tolerance of limbs",
        "So many times the error tolerance for arms and legs of riders, by which nothing is judged; 1 where hands and"
        " feet are looked at.",
        unit="1",
        when={"method": IMPLICIT},
    )
    rho_infinity: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        0.8,
        "Damping of the fastest motion",
        "Spectral radius at infinite frequency: 1 damps nothing, 0 everything.",
        unit="1",
        when={"method": IMPLICIT},
    )
    fourth_order: bool = described(
        True,
        "Steps of order 4",
        "Where the motion is smooth, contacts stay as they are and nothing bends; all others are of order 2.",
        when={"method": IMPLICIT},
    )
    relative_tolerance: Annotated[float, Field(ge=1e-13, le=0.1)] = described(
        1e-6,
        "Relative tolerance",
        "Allowed local error of an adaptive method, relative to each coordinate.",
        unit="1",
        when={"method": ADAPTIVE},
    )
    absolute_tolerance: Annotated[float, Field(ge=1e-14, le=0.1)] = described(
        1e-9,
        "Absolute tolerance",
        "Allowed local error of an adaptive method where a coordinate is near zero.",
        unit="m or rad",
        when={"method": ADAPTIVE},
    )
    max_step: Step = described(
        0.01,
        "Maximum step size",
        "Steps are never longer than this.",
        unit="s",
        when={"method": (*IMPLICIT, *ADAPTIVE)},
    )
    fixed_step: Step | None = described(
        None,
        "Fixed step size",
        "A value switches error control off; explicit methods take 0.0002 s when it is empty.",
        unit="s",
        empty="error controlled, or 0.0002 s",
        when={"method": (*IMPLICIT, *EXPLICIT)},
    )
    formulation: Literal["augmented", "penalty", "augmented_lagrangian", "partitioning"] = described(
        "augmented",
        "Formulation",
        "How constraints enter the equations of motion.",
        words={
            "augmented": "Augmented with multipliers",
            "penalty": "Penalty",
            "augmented_lagrangian": "Augmented Lagrangian",
            "partitioning": "Coordinate partitioning",
        },
        when=ACCELERATIONS,
    )
    stabilisation: Literal[
        "none", "baumgarte", "baumgarte_step", "correction", "baumgarte_and_correction"
    ] = described(
        "baumgarte",
        "Stabilisation",
        "What keeps joints together during integration.",
        words={
            "none": "None",
            "baumgarte": "Baumgarte",
            "baumgarte_step": "Baumgarte scaled by the step",
            "correction": "Correction after the step",
            "baumgarte_and_correction": "Baumgarte and correction",
        },
        when=AUGMENTED,
    )
    baumgarte_alpha: Feedback = described(
        5.0, "Baumgarte alpha", "Velocity feedback of Baumgarte's stabilisation.", unit="1/s", when=BAUMGARTE
    )
    baumgarte_beta: Feedback = described(
        5.0, "Baumgarte beta", "Position feedback of Baumgarte's stabilisation.", unit="1/s", when=BAUMGARTE
    )
    correction_tolerance: Annotated[float, Field(ge=1e-14, le=10.0)] = described(
        1e-6,
        "Correct positions beyond",
        "Constraint violation from which positions are corrected.",
        unit="m or rad",
        when=CORRECTION,
    )
    correction_velocity_tolerance: Annotated[float, Field(ge=1e-14, le=10.0)] = described(
        1e-6,
        "Correct velocities beyond",
        "Constraint violation from which velocities are corrected.",
        unit="m/s or rad/s",
        when=CORRECTION,
    )
    correction_weight: Literal["mass", "none"] = described(
        "mass",
        "Minimum correction by",
        "What a correction is measured by.",
        words={"mass": "Mass and inertia", "none": "Coordinates alike"},
        when=CORRECTION,
    )
    penalty: Annotated[float, Field(ge=1.0, le=1e12)] = described(
        1e7, "Penalty factor", "How stiffly constraints are held by a penalty.", unit="1", when=PENALTY
    )
    penalty_omega: Feedback = described(
        10.0, "Penalty frequency", "Position feedback of the penalty.", unit="1/s", when=PENALTY
    )
    penalty_damping: Annotated[float, Field(ge=0.0, le=1e3)] = described(
        1.0, "Penalty damping", "Damping ratio of the penalty.", unit="1", when=PENALTY
    )
    lagrangian_iterations: Annotated[int, Field(ge=1, le=100)] = described(
        10,
        "Lagrangian iterations",
        "At most so many iterations for the multipliers; a whole number.",
        unit="1",
        when=PENALTY,
    )
    position_tolerance: Annotated[float, Field(ge=1e-14, le=1e-2)] | None = described(
        None,
        "Position tolerance",
        "Allowed constraint violation of joints and guides.",
        unit="m or rad",
        empty="0.001 of the tolerance",
        when={"method": IMPLICIT},
    )
    velocity_tolerance: Annotated[float, Field(ge=1e-14, le=1e-1)] | None = described(
        None,
        "Velocity tolerance",
        "The same for velocities.",
        unit="m/s or rad/s",
        empty="0.01 of the tolerance",
        when={"method": IMPLICIT},
    )
    initial_velocities: Literal["project", "refuse", "keep"] = described(
        "project",
        "Initial velocities",
        "What becomes of initial velocities that the joints exclude.",
        words={"project": "Fit to the joints", "refuse": "Refuse", "keep": "Keep"},
    )
    path_evaluation: Literal["smooth", "table"] = described(
        "smooth",
        "Track evaluation",
        "Exact smooth curves, or the linear lookup table of the thesis.",
        words={"smooth": "Smooth curves", "table": "Linear table"},
    )
    table_step: Annotated[float, Field(ge=1e-3, le=10.0)] = described(
        0.2, "Table spacing", "Rows of the linear table.", unit="m", when={"path_evaluation": ("table",)}
    )
    sample_rate: Annotated[float, Field(ge=1.0, le=20000.0)] = described(
        1000.0,
        "Sample rate",
        "Time grid of the stored channels; at least 1000 Hz where riders, seats or couplings are held against limits.",
        unit="Hz",
    )

    @field_validator("position_tolerance", "velocity_tolerance")
    @classmethod
    def _not_chosen(cls, value: float | None, info: ValidationInfo) -> float | None:
        # files spell every field out: what was the default, whatever the tolerance, was nobody's choice
        return None if value == FORMER_GAPS[str(info.field_name)] else value

    @property
    def gaps(self) -> tuple[float, float]:
        """What joints and guides may be apart (m or rad) and how fast a gap may open (m/s or rad/s).

        A thousandth and a hundredth of the tolerance where nothing is given: an iteration that stops earlier leaves an
        error of its own, larger than that of the step. Not below what rounding leaves.
        """
        position, velocity = self.position_tolerance, self.velocity_tolerance
        return (
            max(self.tolerance / 1e3, 1e-12) if position is None else position,
            max(self.tolerance / 1e2, 1e-11) if velocity is None else velocity,
        )
