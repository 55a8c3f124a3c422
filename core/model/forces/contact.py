"""Contact between surfaces of bodies, of groups of bodies and of the ground."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from ...base.fields import DIMENSIONLESS, NonNegative, Positive, described
from .. import contact_laws
from ..laws import pieces
from .base import ElementType, ForceElement, Geometry, Mark, Output, Use
from .spring import Points, rising

NormalLaw = Literal[
    "hertz", "spring_dashpot", "hunt_crossley", "lee_wang", "herbert_mcwhannell", "lankarani_nikravesh", "gonthier",
    "zhiying_qishao", "zhiying_qishao_printed", "flores", "flores_printed", "gharib_hurmuzlu",
    "gharib_hurmuzlu_printed", "exact", "permanent", "general", "table",
]  # fmt: skip
WITH_RESTITUTION = tuple(name for name in contact_laws.LAMBDA if name != "hertz")
ELASTIC = ("hertz", *WITH_RESTITUTION, "permanent", "general", "spring_dashpot")
SLIDING = {"friction": ("smooth", "bristle")}
HELD = {"friction": ("bristle", "tangential_spring")}
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Contact(ForceElement):
    """Surfaces that push one another where they overlap, and hold one another along by friction.

    Each side is a body, the ground, or an assembly with all its bodies; of a body all its surfaces or one. The force is
    along the common normal, `stiffness` depth^`exponent` times what the law makes of the rate; it never pulls.
    """

    kind: Literal["contact"] = "contact"
    body_i: str | None = described(
        None,
        "First body",
        "Whose surfaces touch; empty: those of an assembly.",
        refers_to="body",
        empty="an assembly",
        instead_of="group_i",
    )
    group_i: str | None = described(
        None,
        "First assembly",
        "All bodies of it, in place of one body.",
        refers_to="assembly",
        empty="a body",
        instead_of="body_i",
    )
    surface_i: str | None = described(None, "First surface", "One by its name.", empty="all")
    body_j: str | None = described(
        None,
        "Second body",
        "What they touch; empty: those of an assembly.",
        refers_to="body",
        empty="an assembly",
        instead_of="group_j",
    )
    group_j: str | None = described(
        None,
        "Second assembly",
        "All bodies of it, in place of one body.",
        refers_to="assembly",
        empty="a body",
        instead_of="body_j",
    )
    surface_j: str | None = described(None, "Second surface", "One by its name.", empty="all")
    thickness: NonNegative = described(
        0.0,
        "Thickness",
        "Of a soft layer between: so far from one another surfaces begin to touch.",
        unit="m",
    )
    method: Literal["normal", "points", "weighted_points"] = described(
        "normal", "Where they touch", "By the common normal, or by points on the first surfaces.",
        words={
            "normal": "Common normal", "points": "Points on the surface, each with the whole stiffness",
            "weighted_points": "Points, stiffness by area",
        },
    )  # fmt: skip
    points: Annotated[int, Field(ge=4, le=2000)] = described(
        64, "Points", "On each first surface.", unit="1", when={"method": ("points", "weighted_points")}
    )
    law: NormalLaw = described(
        "hunt_crossley", "Normal force", "What becomes of depth and rate.",
        words={
            "hertz": "Hertz (nothing lost)", "spring_dashpot": "Spring and dashpot", "hunt_crossley": "Hunt & Crossley",
            "lee_wang": "Lee & Wang", "herbert_mcwhannell": "Herbert & McWhannell",
            "lankarani_nikravesh": "Lankarani & Nikravesh", "gonthier": "Gonthier",
            "zhiying_qishao": "Zhiying & Qishao",
            "zhiying_qishao_printed": "Zhiying & Qishao, as printed", "flores": "Flores",
            "flores_printed": "Flores, as printed", "gharib_hurmuzlu": "Gharib & Hurmuzlu",
            "gharib_hurmuzlu_printed": "Gharib & Hurmuzlu, as printed", "exact": "Exact (returns what is asked)",
            "permanent": "Hertz with permanent indentation", "general": "General: k d^n + chi d^p rate^q",
            "table": "Table of force over depth",
        },
    )  # fmt: skip
    stiffness_from: Literal["given", "materials", "pad"] = described(
        "given", "Stiffness", "Given, or from materials and radii (exponent 1.5), or of a thin pad (exponent 2).",
        words={"given": "Given", "materials": "From both materials", "pad": "Of a pad"},
        when={"law": ELASTIC},
    )  # fmt: skip
    stiffness: Positive = described(
        1e5, "Stiffness k", "Force at a depth of one metre.", unit="N/m^exponent", when={"law": ELASTIC}
    )
    exponent: Annotated[float, Field(ge=1.0, le=4.0)] = described(
        1.5,
        "Exponent n",
        "1.5 between round solids, 1 of a spring.",
        unit=DIMENSIONLESS,
        when={"law": ELASTIC},
    )
    modulus_i: Positive = described(
        1e9, "Modulus of the first", "Young's modulus.", unit="Pa", when={"stiffness_from": ("materials",)}
    )
    poisson_i: Annotated[float, Field(ge=0.0, lt=0.5)] = described(
        0.3,
        "Poisson's ratio of the first",
        "Sideways strain over strain along a pull.",
        unit=DIMENSIONLESS,
        when={"stiffness_from": ("materials",)},
    )
    modulus_j: Positive = described(
        1e9, "Modulus of the second", "Young's modulus.", unit="Pa", when={"stiffness_from": ("materials",)}
    )
    poisson_j: Annotated[float, Field(ge=0.0, lt=0.5)] = described(
        0.3,
        "Poisson's ratio of the second",
        "Sideways strain over strain along a pull.",
        unit=DIMENSIONLESS,
        when={"stiffness_from": ("materials",)},
    )
    pad_modulus: Positive = described(
        1e6,
        "Modulus of the pad",
        "In compression, held at its sides.",
        unit="Pa",
        when={"stiffness_from": ("pad",)},
    )
    pad_thickness: Positive = described(
        0.05, "Thickness of the pad", "Backed by what is rigid.", unit="m", when={"stiffness_from": ("pad",)}
    )
    restitution: Share = described(
        0.5, "Restitution c", "The share of the speed at touch that is asked back.", unit=DIMENSIONLESS,
        when={"law": WITH_RESTITUTION},
    )  # fmt: skip
    least_speed: Positive = described(
        0.01, "Least speed at touch", "Slower touches count as so fast, so that what rests stays quiet.", unit="m/s",
        when={"law": WITH_RESTITUTION},
    )  # fmt: skip
    damping: NonNegative = described(
        0.0, "Damping", "Of the dashpot, or the factor chi of the general law.", unit="N s/m",
        when={"law": ("spring_dashpot", "general")},
    )  # fmt: skip
    damping_depth: NonNegative = described(
        1.5, "Exponent p", "Of the depth in the damping.", unit=DIMENSIONLESS, when={"law": ("general",)}
    )
    damping_rate: Annotated[float, Field(ge=1.0)] = described(
        1.0, "Exponent q", "Of the rate in the damping.", unit=DIMENSIONLESS, when={"law": ("general",)}
    )
    indentation: Annotated[float, Field(ge=0.0, lt=1.0)] = described(
        0.2,
        "Permanent share",
        "Of the largest depth that stays.",
        unit=DIMENSIONLESS,
        when={"law": ("permanent",)},
    )
    curve: Points = described(
        ((0.0, 0.0), (0.02, 100.0), (0.04, 400.0)), "Force over depth", "On the way in, from depth 0.", entry="rows",
        columns=(("Depth", "m"), ("Force", "N")), when={"law": ("table",)}, min_length=2,
    )  # fmt: skip
    hysteresis: Share = described(
        0.3, "Hysteresis", "Share of the force that is missing on the way back.", unit=DIMENSIONLESS,
        when={"law": ("table",)},
    )  # fmt: skip
    transition_rate: Positive = described(
        0.01, "Transition rate", "Rate at which three quarters of the change are made.", unit="m/s",
        when={"law": ("table",)},
    )  # fmt: skip
    friction: Literal["none", "smooth", "bristle", "tangential_spring"] = described(
        "none", "Friction", "What holds along the surface.",
        words={
            "none": "None", "smooth": "Coulomb, smoothed (creeps on a slope)", "bristle": "Bristle (holds on a slope)",
            "tangential_spring": "Tangential spring without limit",
        },
    )  # fmt: skip
    friction_coefficient: NonNegative = described(
        0.5, "Coefficient of friction", "Of sliding.", unit=DIMENSIONLESS, when=SLIDING
    )
    slip_speed: Positive = described(
        0.01,
        "Slip speed",
        "At which three quarters of it are reached.",
        unit="m/s",
        when={"friction": ("smooth",)},
    )
    tangential_stiffness: Positive = described(
        1e5, "Tangential stiffness", "Of the bristle or the spring.", unit="N/m", when=HELD
    )
    tangential_damping: NonNegative = described(
        0.0, "Tangential damping", "Beside it.", unit="N s/m", when=HELD
    )
    start_depth: NonNegative = described(
        0.01, "Depth at the start", "Deeper at the start is taken for a mistake.", unit="m"
    )

    _rising = field_validator("curve")(rising)

    @model_validator(mode="after")
    def _whole(self) -> Contact:
        for which, body, group in (
            ("first", self.body_i, self.group_i),
            ("second", self.body_j, self.group_j),
        ):
            if (body is None) == (group is None):
                raise ValueError(
                    f"contact '{self.name}' needs a body or an assembly as its {which} side, not both"
                )
        if self.body_i is not None and (self.body_i, self.surface_i) == (self.body_j, self.surface_j):
            raise ValueError(f"contact '{self.name}' has the same on both sides; name what it touches")
        if self.law in contact_laws.DIVIDED and self.restitution < contact_laws.MIN_EXACT:
            raise ValueError(
                f"contact '{self.name}': law '{self.law}' needs a restitution of at least {contact_laws.MIN_EXACT}"
            )
        if self.law == "table" and (self.curve[0] != (0.0, 0.0) or any(f < 0.0 for _, f in self.curve)):
            raise ValueError(
                f"contact '{self.name}': the table must begin with depth 0 and force 0 and never pull"
            )
        return self


def law(contact: Contact, geometry: Geometry) -> Use:
    """The law of the normal force with its stiffness as given."""
    return normal_law(contact, contact.stiffness, contact.exponent)


def normal_law(contact: Contact, k: float, n: float) -> Use:
    """The law of a contact with stiffness k (N/m^n) and exponent n."""
    c = contact
    if c.law == "table":
        return Use(contact_laws.FOAM, (c.hysteresis, c.transition_rate, *pieces(c.curve, smooth=True)))
    if c.law == "permanent":
        return Use(contact_laws.PERMANENT, (k, n, c.indentation))
    if c.law == "spring_dashpot":
        return Use(contact_laws.GENERAL, (k, n, c.damping, 0.0, 1.0))
    if c.law == "general":
        return Use(contact_laws.GENERAL, (k, n, c.damping, c.damping_depth, c.damping_rate))
    return Use(contact_laws.VISCOUS, (k, n, contact_laws.LAMBDA[c.law](c.restitution), c.least_speed))


DEPTH = (Output("depth", "m"), Output("force", "N"))
SLIP = (Output("slip speed", "m/s"), Output("friction", "N"))

TYPE = ElementType(
    Contact, "contact", "surfaces", law, "force", Mark("stop"), DEPTH, sliding=SLIP, events=("touch", "release"),
)  # fmt: skip
