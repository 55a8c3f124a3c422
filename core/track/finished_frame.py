"""A finished frame of a track and its supports, as another program has it: in place of the one that rules make."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from ..base.fields import AXES, DIMENSIONLESS, NonNegative, Positive, described
from ..base.frozen import Frozen, Name, Vec3

Fibre = tuple[float, float, Annotated[float, Field(ge=0.0)]]
Within = Annotated[float, Field(ge=-1e5, le=1e5)]  # m
Stiffness = Annotated[float, Field(ge=0.0)]
NOWHERE = (0.0, 0.0, 0.0)
MOST, MOST_FIBRES = 50_000, 4
MOST_ROWS = 300  # of a body
SYMMETRIC = 1e-6  # of the largest figure


class FrameNode(Frozen):
    """A node: its place, m in the world."""

    name: Name = described(..., "Name", "What it is called.")
    position: tuple[Within, Within, Within] = described(..., "Place", "In the world.", unit="m", axes=AXES)


class FrameMaterial(Frozen):
    """What members are made of, with what is carried besides."""

    name: Name = described(..., "Name", "What it is called.")
    E: Positive = described(..., "Modulus of elasticity", "Young's modulus.", unit="Pa")
    G: Positive = described(..., "Shear modulus", "Of the material.", unit="Pa")
    density: NonNegative = described(..., "Density", "With what is carried besides.", unit="kg/m^3")


class FrameSection(Frozen):
    """Figures of a cross-section, and up to four tubes or corners of it where stress is asked for."""

    name: Name = described(..., "Name", "What it is called.")
    area: Positive = described(..., "Area", "Of the section.", unit="m^2")
    Iy: Positive = described(..., "Second moment about y", "Of area, through its centre.", unit="m^4")
    Iz: Positive = described(..., "Second moment about z", "Of area, through its centre.", unit="m^4")
    torsion: Positive = described(..., "Torsion constant", "Of Saint-Venant.", unit="m^4")
    shear_y: Positive = described(..., "Shear area along y", "That bears shear along y.", unit="m^2")
    shear_z: Positive = described(..., "Shear area along z", "That bears shear along z.", unit="m^2")
    twist: NonNegative = described(
        0.0, "Modulus of torsion", "Torque over the largest stress of it; 0: none is told.", unit="m^3"
    )
    fibres: tuple[Fibre, ...] = described(
        ((0.0, 0.0, 0.0),), "Fibres", "Where stress is asked for: from the centre, and the radius of a tube there.",
        columns=(("y", "m"), ("z", "m"), ("Radius", "m")), min_length=1, max_length=MOST_FIBRES,
    )  # fmt: skip


class FrameMember(Frozen):
    """A straight beam between two nodes."""

    name: Name = described(..., "Name", "What it is called.")
    start: Name = described(..., "From", "The node that it begins at.")
    end: Name = described(..., "To", "The node that it ends at.")
    section: Name = described(..., "Section", "One of the frame.")
    material: Name = described(..., "Material", "One of the frame.")
    up: Vec3 = described(
        (0.0, 0.0, 1.0), "Upwards", "Direction near the z of its section.", unit=DIMENSIONLESS, axes=AXES
    )
    start_arm: Vec3 = described(
        NOWHERE, "Arm at its start", "Rigid, from the node to the end of the beam.", unit="m", axes=AXES
    )
    end_arm: Vec3 = described(
        NOWHERE, "Arm at its end", "Rigid, from the node to the end of the beam.", unit="m", axes=AXES
    )
    slides: bool = described(False, "Slides", "It carries nothing along it at its end.")
    elements: Annotated[int, Field(ge=1, le=50)] = described(
        1, "Elements", "How many beams it is made up of.", unit=DIMENSIONLESS
    )


class FrameSupport(Frozen):
    """What holds a node."""

    name: Name = described(..., "Name", "What it is called.")
    node: Name = described(..., "Node", "That it holds.")
    stiffness: tuple[Stiffness, Stiffness, Stiffness, Stiffness, Stiffness, Stiffness] = described(
        ..., "Stiffness", "N/m along and N m/rad about x, y and z.", unit="N/m", entry="hidden"
    )


Row = tuple[Annotated[float, Field(ge=-1e18, le=1e18)], ...]


class FrameBody(Frozen):
    """A structure between nodes that is no beam, such as a mesh of solids: its stiffness and mass in the six unknowns
    of each of its nodes, in their order, and in coordinates of its own behind these."""

    name: Name = described(..., "Name", "What it is called.")
    nodes: tuple[Name, ...] = described(
        ..., "Nodes", "Of the frame, that it is joined to.", entry="hidden", min_length=1
    )
    stiffness: tuple[Row, ...] = described(
        ..., "Stiffness", "N/m and with rad, a row each.", unit="N/m", entry="hidden", max_length=MOST_ROWS
    )
    mass: tuple[Row, ...] = described(
        ..., "Mass", "kg and with m, a row each.", unit="kg", entry="hidden", max_length=MOST_ROWS
    )

    @model_validator(mode="after")
    def _is_square(self) -> FrameBody:
        size = len(self.stiffness)
        _unique(f"node of '{self.name}'", list(self.nodes))
        if size < 6 * len(self.nodes) or len(self.mass) != size:
            raise ValueError(
                f"'{self.name}' has {size} rows of stiffness and {len(self.mass)} of mass; it has"
                f" {6 * len(self.nodes)} of each for its nodes, and as many more for both"
            )
        for what, rows in (("stiffness", self.stiffness), ("mass", self.mass)):
            largest = max(abs(value) for row in rows for value in row) if all(rows) else 0.0
            for k, row in enumerate(rows):
                if len(row) != size:
                    raise ValueError(
                        f"row {k + 1} of the {what} of '{self.name}' has {len(row)} figures; there are {size} rows"
                    )
                for j in range(k):
                    if abs(row[j] - rows[j][k]) > SYMMETRIC * largest:
                        raise ValueError(
                            f"the {what} of '{self.name}' is not symmetric in row {k + 1}, column {j + 1}"
                        )
        return self


class FinishedFrame(Frozen):
    """Nodes, members and supports; track: the members that bear the train, in running order, end to end."""

    nodes: tuple[FrameNode, ...] = described(
        ..., "Nodes", "Of the frame.", entry="hidden", min_length=2, max_length=MOST
    )
    materials: tuple[FrameMaterial, ...] = described(
        ..., "Materials", "Of the frame.", entry="hidden", min_length=1
    )
    sections: tuple[FrameSection, ...] = described(
        ..., "Sections", "Of the frame.", entry="hidden", min_length=1
    )
    members: tuple[FrameMember, ...] = described(
        ..., "Members", "Of the frame.", entry="hidden", min_length=1, max_length=MOST
    )
    supports: tuple[FrameSupport, ...] = described(
        ..., "Supports", "Of the frame.", entry="hidden", min_length=1
    )
    track: tuple[Name, ...] = described(
        ..., "Track", "Members that bear the train, in running order.", entry="hidden", min_length=1
    )

    bodies: tuple[FrameBody, ...] = described(
        (), "Bodies", "Between nodes, that are no beams.", entry="hidden", exclude_if=().__eq__
    )

    @model_validator(mode="after")
    def _fits_together(self) -> FinishedFrame:
        for what, some in (
            ("node", self.nodes), ("material", self.materials), ("section", self.sections), ("member", self.members),
            ("support", self.supports), ("body", self.bodies),
        ):  # fmt: skip
            _unique(what, [one.name for one in some])
        nodes, sections, materials = (
            {one.name for one in some} for some in (self.nodes, self.sections, self.materials)
        )
        for one in self.members:
            for what, name, known in (
                ("node", one.start, nodes), ("node", one.end, nodes), ("section", one.section, sections),
                ("material", one.material, materials),
            ):  # fmt: skip
                if name not in known:
                    raise ValueError(
                        f"member '{one.name}' names the {what} '{name}', which is not there; add it"
                    )
        for held in self.supports:
            if held.node not in nodes:
                raise ValueError(
                    f"support '{held.name}' holds the node '{held.node}', which is not there; add it"
                )
        for body in self.bodies:
            for name in body.nodes:
                if name not in nodes:
                    raise ValueError(
                        f"'{body.name}' is joined to the node '{name}', which is not there; add it"
                    )
        self._check_track()
        return self

    def _check_track(self) -> None:
        members = {one.name: one for one in self.members}
        _unique("track member", list(self.track))
        before = ""
        for name in self.track:
            if name not in members:
                raise ValueError(f"the track goes over the member '{name}', which is not there; add it")
            if before and members[before].end != members[name].start:
                raise ValueError(
                    f"the track goes from '{before}' on to '{name}', which does not begin where that ends; put the"
                    " members in running order"
                )
            if members[name].elements > 1:
                raise ValueError(
                    f"the track member '{name}' has several elements; give it one, with nodes between"
                )
            before = name


def _unique(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"two are {what} '{name}'; give each its own name")
        seen.add(name)
