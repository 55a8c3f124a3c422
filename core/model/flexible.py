"""Flexible bodies as described: frames of beams, joined to other bodies at interfaces."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, FieldSerializationInfo, field_serializer, model_validator

from ..base.fields import NonNegative, Positive, described
from ..base.frozen import Frozen, Name, Vec3
from .bodies import GROUND

if TYPE_CHECKING:  # loaded by those who have a flexible body
    from ..structure import beams as built
    from ..structure import sections

SHAPES = {
    "tube": "Round tube", "box": "Rectangular hollow section", "i": "I section", "spine": "Spine with two rails",
    "own": "Own figures",
}  # fmt: skip
_TUBE, _SPINE, _I, _OWN = ({"shape": names} for names in (("tube", "spine"), ("spine",), ("i",), ("own",)))
_FLAT = {"shape": ("box", "i")}
_WALLED = {"shape": ("tube", "box", "spine")}
HINGES = {
    "": "Rigid", "y": "Hinge about y", "z": "Hinge about z", "yz": "Hinge about y and z", "x": "Hinge about x",
    "xyz": "Ball",
}  # fmt: skip
Hinges = Literal["", "y", "z", "yz", "x", "xyz"]
_HINGED_START, _HINGED_END = ({field: tuple(HINGES)[1:]} for field in ("hinge_start", "hinge_end"))
_AXES_OF_BEAM = "x along the beam, z near its up direction, y across both"


def _none(arm: Vec3) -> bool:
    """Whether an arm has no length."""
    return not any(arm)


class BeamSection(Frozen):
    """A cross-section; z is the axis near the beam's up direction."""

    shape: Literal["tube", "box", "i", "spine", "own"] = described(
        "box", "Shape", "Of the cross-section.", words=SHAPES
    )
    diameter: NonNegative = described(0.0, "Outer diameter", "Of the tube or spine.", unit="m", when=_TUBE)
    width: NonNegative = described(0.0, "Width", "Outer, along y.", unit="m", when=_FLAT)
    height: NonNegative = described(0.0, "Height", "Outer, along z.", unit="m", when=_FLAT)
    wall: NonNegative = described(
        0.0, "Wall", "Thickness of the wall, of a spine its own.", unit="m", when=_WALLED
    )
    flange: NonNegative = described(0.0, "Flange", "Thickness of the flanges.", unit="m", when=_I)
    web: NonNegative = described(0.0, "Web", "Thickness of the web.", unit="m", when=_I)
    rail_diameter: NonNegative = described(
        0.0, "Diameter of a rail", "Outer.", unit="m", when=_SPINE, exclude_if=operator.not_
    )
    rail_wall: NonNegative = described(
        0.0, "Wall of a rail", "Thickness.", unit="m", when=_SPINE, exclude_if=operator.not_
    )
    gauge: NonNegative = described(
        0.0,
        "Gauge",
        "Between the centres of the rails, along y.",
        unit="m",
        when=_SPINE,
        exclude_if=operator.not_,
    )
    rail_height: float = described(
        0.0, "Rails above spine", "From centre to centres, along z; the beam lies at the centre of all three.",
        unit="m", when=_SPINE, exclude_if=operator.not_,
    )  # fmt: skip
    area: NonNegative = described(0.0, "Area", "Of the cross-section.", unit="m^2", when=_OWN)
    moment_y: NonNegative = described(
        0.0, "Second moment about y", "Of the cross-section, for bending along z.", unit="m^4", when=_OWN
    )
    moment_z: NonNegative = described(
        0.0, "Second moment about z", "Of the cross-section, for bending along y.", unit="m^4", when=_OWN
    )
    torsion: NonNegative = described(0.0, "Torsion constant", "After St Venant.", unit="m^4", when=_OWN)
    shear_y: NonNegative = described(
        0.0, "Shear area along y", "Area over shear coefficient.", unit="m^2", when=_OWN
    )
    shear_z: NonNegative = described(
        0.0, "Shear area along z", "Area over shear coefficient.", unit="m^2", when=_OWN
    )

    half_y: NonNegative = described(
        0.0,
        "Outermost fibre along y",
        "Distance from the centre, for the stress of bending.",
        unit="m",
        when=_OWN,
    )
    half_z: NonNegative = described(
        0.0,
        "Outermost fibre along z",
        "Distance from the centre, for the stress of bending.",
        unit="m",
        when=_OWN,
    )
    twist: NonNegative = described(
        0.0, "Torsion modulus", "Moment over shear stress, for the stress of torsion.", unit="m^3", when=_OWN
    )

    @model_validator(mode="after")
    def _complete(self) -> BeamSection:
        if self.shape == "own":
            figures = (self.area, self.moment_y, self.moment_z, self.torsion, self.shear_y, self.shear_z)
            if min(figures) <= 0.0:
                raise ValueError(
                    "a section of own figures needs area, second moments, torsion and shear areas"
                )
        return self

    def made(self) -> sections.Section:
        """Its figures. Raises InputError for one that cannot be made."""
        from ..structure import sections

        if self.shape == "tube":
            return sections.tube(self.diameter, self.wall)
        if self.shape == "box":
            return sections.box(self.width, self.height, self.wall)
        if self.shape == "i":
            return sections.i_profile(self.width, self.height, self.flange, self.web)
        if self.shape == "spine":
            rails = self.rail_diameter, self.rail_wall, self.gauge, self.rail_height
            return sections.spine(self.diameter, self.wall, *rails)
        reach = self.half_y, self.half_z
        figures = (self.area, self.moment_y, self.moment_z, self.torsion, self.shear_y, self.shear_z)
        return sections.Section(*figures, reach, self.twist)


class Node(Frozen):
    """A node of a frame of beams."""

    name: Name = described(..., "Name", "What the node is called.")
    position: Vec3 = described(..., "Position", "In the frame of the assembly, as drawn.", unit="m")


class BeamPart(Frozen):
    """A straight beam between two nodes."""

    start: str = described(..., "From", "Node it starts at.", refers_to="node")
    end: str = described(..., "To", "Node it ends at.", refers_to="node")
    section: BeamSection = described(..., "Section", "Its cross-section.", entry="group")
    E: Positive = described(
        2.1e11, "Young's modulus", "Of the material; of steel unless given.", unit="Pa", group="Material"
    )
    G: Positive = described(
        8.077e10, "Shear modulus", "Of the material; of steel unless given.", unit="Pa", group="Material"
    )
    density: Positive = described(
        7850.0, "Density", "Of the material; of steel unless given.", unit="kg/m^3", group="Material"
    )
    up: Vec3 = described((0.0, 0.0, 1.0), "Up", "A direction near the z axis of the section.", unit="1")
    elements: Annotated[int, Field(ge=1, le=200)] = described(
        8, "Elements", "How many finite elements make it up.", unit="1"
    )
    offset_start: Vec3 = described(
        (0.0, 0.0, 0.0), "Start from its node", "Where the beam begins, by a rigid arm from the node.", unit="m",
        group="Ends", exclude_if=_none,
    )  # fmt: skip
    hinge_start: Hinges = described(
        "", "Joint at the start", f"What turns there; {_AXES_OF_BEAM}.", words=HINGES, group="Ends",
        exclude_if=operator.not_,
    )  # fmt: skip
    spring_start: NonNegative = described(
        0.0, "Spring at the start", "Stiffness of the hinge; 0 turns freely.", unit="N m/rad", group="Ends",
        when=_HINGED_START, exclude_if=operator.not_,
    )  # fmt: skip
    offset_end: Vec3 = described(
        (0.0, 0.0, 0.0), "End from its node", "Where the beam ends, by a rigid arm from the node.", unit="m",
        group="Ends", exclude_if=_none,
    )  # fmt: skip
    hinge_end: Hinges = described(
        "", "Joint at the end", f"What turns there; {_AXES_OF_BEAM}.", words=HINGES, group="Ends",
        exclude_if=operator.not_,
    )  # fmt: skip
    spring_end: NonNegative = described(
        0.0, "Spring at the end", "Stiffness of the hinge; 0 turns freely.", unit="N m/rad", group="Ends",
        when=_HINGED_END, exclude_if=operator.not_,
    )  # fmt: skip

    def made(self) -> built.Beam:
        """As finite elements have it."""
        from ..structure import beams as built
        from ..structure import sections

        material = sections.Material(self.E, self.G, self.density)
        return built.Beam(
            self.start, self.end, self.section.made(), material, self.up, self.offset_start, self.offset_end,
            self.hinge_start, self.hinge_end, self.spring_start, self.spring_end, self.elements,
        )  # fmt: skip

    def ends(self, positions: Mapping[str, Vec3]) -> tuple[Vec3, Vec3]:
        """Where it begins and ends (m), by the places of its nodes."""
        (a, b, c), (x, y, z) = (
            map(operator.add, positions[node], arm)
            for node, arm in ((self.start, self.offset_start), (self.end, self.offset_end))
        )
        return (a, b, c), (x, y, z)


class Interface(Frozen):
    """Where another body is fixed to a node."""

    node: str = described(..., "Node", "The node that the body is fixed to, as drawn.", refers_to="node")
    body: str = described(..., "Body", "The body that joints and forces act on there.", refers_to="body")


class NodeMass(Frozen):
    """A mass at a node that is no body."""

    node: str = described(..., "Node", "The node that carries it.", refers_to="node")
    mass: Positive = described(..., "Mass", "Moves with the node.", unit="kg")


Numbers = tuple[float, ...]


class ImportedFrame(Frozen):
    """An interface frame of an imported structure: its place, and how the modes move and turn it (3 rows of modes)."""

    node: Name = described(..., "Node", "Its name, which a node of the body has too.")
    place: Vec3 = described(..., "Place", "In the axes of the structure.", unit="m")
    moves: tuple[Numbers, Numbers, Numbers] = described(
        ..., "Moves", "With each mode, along x, y, z.", unit="1"
    )
    turns: tuple[Numbers, Numbers, Numbers] = described(
        ..., "Turns", "With each mode, about x, y, z.", unit="rad/m"
    )
    stiffened: Numbers = described(
        (), "Stiffened by loads", "6 numbers a pair of modes, a unit force or moment each; none where only matrices are"
        " known.", unit="1/m", exclude_if=operator.not_,
    )  # fmt: skip


class ImportedSurface(Frozen):
    """The outside of an imported structure, packed (see `core.structure.surface`)."""

    points: Annotated[int, Field(ge=1)] = described(..., "Nodes", "That are drawn.", unit="1")
    triangles: Annotated[int, Field(ge=0)] = described(
        0, "Triangles", "Between them; none where only matrices are known.", unit="1"
    )
    stressed: bool = described(False, "Stress", "Whether the stress of every mode is known.")
    whole: bool = described(True, "Single precision", "Or one part in 32,767 of the largest of a mode.")
    packed: str = described(..., "Numbers", "Places, triangles, displacement and stress of every mode.")

    @field_serializer("packed")
    def _put(self, packed: str, info: FieldSerializationInfo) -> Any:
        """As it is, or what the writer's `apart` makes of it, who need not write what never changes with every edit."""
        apart = (info.context or {}).get("apart")
        return packed if apart is None else apart(packed)


class NodeSpring(Frozen):
    """A spring without mass between two nodes, acting half-way between them."""

    start: str = described(..., "From", "Node it starts at.", refers_to="node")
    end: str = described(..., "To", "Node it ends at; both may be at one place.", refers_to="node")
    along: Vec3 = described(
        (1e6, 1e6, 1e6), "Stiffness", "Against what one end moves from the other, along the axes.", unit="N/m"
    )
    about: Vec3 = described(
        (0.0, 0.0, 0.0), "Turning stiffness", "Against what one end turns from the other, about the axes.",
        unit="N m/rad",
    )  # fmt: skip

    @model_validator(mode="after")
    def _resists(self) -> NodeSpring:
        if min(*self.along, *self.about) < 0.0 or max(*self.along, *self.about) == 0.0:
            raise ValueError(
                f"the spring from '{self.start}' to '{self.end}' has a stiffness below 0, or none at all; give it one"
            )
        if self.start == self.end:
            raise ValueError(f"a spring begins and ends at node '{self.start}'; choose two")
        return self


class Imported(Frozen):
    """A structure of a finite-element program, reduced: what `core.structure.floating.Floating` has, row by row."""

    source: str = described("", "Source", "Files it was reduced from, and how.")
    mass: Positive = described(..., "Mass", "Of the whole structure.", unit="kg")
    centre: Vec3 = described(..., "Centre of mass", "In the axes of the structure.", unit="m")
    inertia: Numbers = described(..., "Moments", "Tensor about the centre of mass, 9 numbers.", unit="kg m^2")
    bent: Numbers = described(..., "Moments by bending", "9 numbers a mode.", unit="kg m")
    bent_twice: Numbers = described(..., "Moments by bending twice", "9 numbers a pair of modes.", unit="kg")
    coupling: Numbers = described(..., "Momentum of modes", "3 numbers a pair of modes.", unit="kg")
    modal_mass: Annotated[Numbers, Field(min_length=1)] = described(
        ..., "Masses of modes", "One a mode.", unit="kg"
    )
    modal_stiffness: Numbers = described(..., "Stiffness of modes", "One a mode.", unit="N/m")
    stiffened: Numbers = described(
        (), "Stiffened by turning", "9 numbers a pair of modes; none where only matrices are known.", unit="kg",
        exclude_if=operator.not_,
    )  # fmt: skip
    frames: Annotated[tuple[ImportedFrame, ...], Field(min_length=1)] = described(
        ..., "Frames", "Interface frames."
    )
    surface: ImportedSurface | None = described(
        None, "Surface", "Its outside, to be drawn and stressed.", exclude_if=operator.not_
    )

    @model_validator(mode="after")
    def _consistent(self) -> Imported:
        n = len(self.modal_mass)
        wanted = {
            "inertia": 9, "bent": 9 * n, "bent_twice": 9 * n * n, "coupling": 3 * n * n, "modal_stiffness": n
        }  # fmt: skip
        if self.stiffened:
            wanted["stiffened"] = 9 * n * n
        for name, size in wanted.items():
            if len(getattr(self, name)) != size:
                raise ValueError(
                    f"an imported structure of {n} modes needs {size} numbers in '{name}', not"
                    f" {len(getattr(self, name))}; import it again"
                )
        if min(self.modal_mass) <= 0.0 or min(self.modal_stiffness) <= 0.0:
            raise ValueError(
                "modes of an imported structure have mass and stiffness above 0; import it again"
            )
        for frame in self.frames:
            if any(len(row) != n for row in (*frame.moves, *frame.turns)):
                raise ValueError(f"frame '{frame.node}' of an imported structure does not have {n} modes")
            if len(frame.stiffened) != (6 * n * n if self.stiffened else 0):
                raise ValueError(
                    f"frame '{frame.node}' of an imported structure does not have the geometric stiffness of {n} modes;"
                    " import it again"
                )
        return self


class FlexibleBody(Frozen):
    """A body that bends: beams between nodes, reduced to its interfaces and a few modes (Craig & Bampton 1968).

    It floats: its large motion is that of its centre of mass and of mean axes, see `core.structure.floating`. Bodies at
    its interfaces are fixed to nodes as drawn, and are what joints, forces and seats act on. It starts moving as one
    with the body at its first interface.
    """

    REFERRING: ClassVar = ("interfaces",)

    name: Name = described(..., "Name", "What the body is called; references to it follow.")
    description: str = described("", "Description", "What it is, or where its numbers come from.")
    nodes: tuple[Node, ...] = described(..., "Nodes", "Ends of beams.", row="node")
    beams: tuple[BeamPart, ...] = described((), "Beams", "Between nodes.", row="beam")
    imported: Imported | None = described(
        None, "Imported structure", "In place of beams: a reduced one of a finite-element program.", entry="hidden",
        exclude_if=operator.not_,
    )  # fmt: skip
    masses: tuple[NodeMass, ...] = described((), "Masses", "At nodes.", row="mass")
    springs: tuple[NodeSpring, ...] = described(
        (),
        "Springs",
        "Between nodes, beside beams or in their place.",
        row="node spring",
        exclude_if=operator.not_,
    )
    interfaces: tuple[Interface, ...] = described(
        ..., "Interfaces", "Nodes that bodies are fixed to.", row="interface"
    )
    modes: Annotated[int, Field(ge=0, le=60)] = described(
        6, "Internal modes", "Modes with all interfaces fixed that are kept; as a rule up to four times the highest"
        " frequency of the forces there.", unit="1",
    )  # fmt: skip
    highest: Positive | None = described(
        None, "Highest frequency", "Modes of the free body above it are left out.", unit="Hz", empty="None is left out"
    )  # fmt: skip
    damping: Literal["modal", "proportional"] = described(
        "modal", "Damping", "What it is given by.", words={"modal": "Modal ratio", "proportional": "Proportional"}
    )  # fmt: skip
    ratio: NonNegative = described(
        0.05, "Damping ratio", "Share of critical damping of every mode with the first interface held.", unit="1",
        when={"damping": ("modal",)},
    )  # fmt: skip
    alpha: NonNegative = described(
        0.0, "Damping with mass", "Times mass.", unit="1/s", when={"damping": ("proportional",)}
    )
    beta: NonNegative = described(
        0.0, "Damping with stiffness", "Times stiffness.", unit="s", when={"damping": ("proportional",)}
    )
    stiffening: bool = described(
        True, "Geometric stiffening", "Tension stiffens and pressure softens; without it, the body is linear and wrong"
        " when it turns fast or carries much.",
    )  # fmt: skip
    includes_bodies: bool = described(
        False, "Includes its interface bodies", "The mass of the beams contains that of the bodies at the interfaces,"
        " which is taken out of it.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _consistent(self) -> FlexibleBody:
        names = [node.name for node in self.nodes]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two nodes of '{self.name}' are named '{twice}'; give each its own name")
        if not self.beams and self.imported is None:
            raise ValueError(f"'{self.name}' has no beams; it needs at least one")
        if self.imported is not None:
            if self.beams or self.masses or self.springs or self.includes_bodies:
                raise ValueError(
                    f"'{self.name}' is imported; it has no beams, masses or springs of its own, nor those of its"
                    " interfaces"
                )
            frames = [frame.node for frame in self.imported.frames]
            missing = next((name for name in names if name not in frames), None)
            if missing is not None:
                raise ValueError(f"node '{missing}' of '{self.name}' is no frame of the imported structure")
        named = [(node, "a beam") for beam in self.beams for node in (beam.start, beam.end)]
        named += [(mass.node, "a mass") for mass in self.masses]
        named += [(node, "a spring") for spring in self.springs for node in (spring.start, spring.end)]
        named += [(one.node, f"body '{one.body}'") for one in self.interfaces]
        for node, what in named:
            if node not in names:
                raise ValueError(f"{what} of '{self.name}' is at node '{node}', which does not exist")
        if not self.interfaces:
            raise ValueError(f"'{self.name}' has no interface; fix at least one body to a node")
        for what in ("node", "body"):
            found = [getattr(one, what) for one in self.interfaces]
            again = next((name for name in found if found.count(name) > 1), None)
            if again is not None and (what, again) != ("body", GROUND):
                raise ValueError(f"'{self.name}' has two interfaces at {what} '{again}'; remove one")
        return self

    @property
    def unstiffened(self) -> bool:
        """Whether geometric stiffening is wanted of an imported structure that has none."""
        return self.stiffening and self.imported is not None and not self.imported.stiffened

    def mass(self) -> float:
        """Mass (kg) of beams and nodes, without that of the bodies at interfaces unless it is included."""
        if self.imported is not None:
            return self.imported.mass
        positions = {node.name: node.position for node in self.nodes}
        beams = [
            (beam.density * beam.section.made().area, math.dist(*beam.ends(positions))) for beam in self.beams
        ]
        return sum(line * length for line, length in beams) + sum(m.mass for m in self.masses)
