"""Decks of Abaqus and CalculiX: nodes, solids with their materials, masses, sets, couplings; what else they have is
named.

Keywords are those of the Abaqus Keywords Guide. What would hold nodes together, or moves them, and is not read is
refused.
"""

from __future__ import annotations

import re
from typing import Literal

import numpy as np

from .decks import (
    ALL,
    TRANSLATIONS,
    Block,
    Contents,
    Deck,
    FileMaterial,
    FileTie,
    PointMass,
    blocks,
    check_names,
    index,
    integer,
    real,
    tie_of,
)
from .matrices import MAX_UNKNOWNS
from .solids import KINDS

UNREAD = (
    "RIGID BODY", "MPC", "EQUATION", "TIE", "KINEMATIC COUPLING", "DISTRIBUTING COUPLING", "EMBEDDED ELEMENT",
    "SHELL TO SOLID COUPLING",
)  # fmt: skip
#: They make nodes or elements, or move them.
MOVING = ("SYSTEM", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SUBMODEL", "SUPERELEMENT")
#: They say nothing of the structure.
QUIET = (
    "", "HEADING", "PREPRINT", "RESTART", "OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "NODE FILE", "EL FILE",
    "NODE PRINT", "EL PRINT", "PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "END INSTANCE", "END STEP", "MATERIAL",
    "INCLUDE",
)  # fmt: skip
#: Corners of the sides S1, S2, ... of elements, counted from 0 (Abaqus Analysis User's Guide, solid elements).
SIDES = {
    20: ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)),
    10: ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
}
#: Solids by their number of nodes; the order of nodes is that of VTK.
SOLIDS = {
    4: "tetra", 5: "pyramid", 6: "wedge", 8: "hexahedron", 10: "tetra10", 15: "wedge15", 20: "hexahedron20",
    27: "hexahedron27 of Abaqus",
}  # fmt: skip


def read_abaqus(deck: Deck) -> Contents:
    """What a deck holds. Raises InputError with the line of what is wrong or not read."""
    model = _Model(deck)
    coupling: Block | None = None
    for block in (*blocks(deck), Block(len(deck.lines), "", {}, [])):
        if coupling is not None:
            model.contents.ties.append(_coupling(model, coupling, block))
        if coupling is None or block.keyword not in ("KINEMATIC", "DISTRIBUTING"):
            model.take(block)
        coupling = block if block.keyword == "COUPLING" else None
    out = model.finished()
    check_names(out.ties)
    return out


class _Model:
    """A deck as it is read: nodes by number in their order, elements by number, sets and surfaces by name."""

    def __init__(self, deck: Deck) -> None:
        self.deck, self.contents = deck, Contents()
        self.order: dict[int, int] = {}
        self.points: list[list[float]] = []
        self.elements: dict[int, list[int]] = {}
        self.numbers: dict[str, list[int]] = {}  # of elements by kind
        self.lines: dict[str, int] = {}  # of the first element of a kind
        self.points_with_mass: dict[int, int] = {}  # node of an element that is a mass
        self.sets: dict[tuple[str, str], list[int]] = {}
        self.named: list[tuple[str, int, int]] = []  # nodes that a set names one by one: its name, node, line
        self.called: dict[str, str] = {}  # sets of nodes as they are written
        self.surfaces: dict[str, Block] = {}
        self.sections: list[Block] = []
        self.masses: list[Block] = []
        self.material = ""
        self.elastic: dict[str, Block] = {}
        self.density: dict[str, Block] = {}
        self.instances = 0

    def take(self, block: Block) -> None:
        """Read a keyword."""
        word, given = block.keyword, block.given
        if word in UNREAD:
            raise self.deck.refusal(block.line, f"*{word} is not read; use *COUPLING, or take it out.")
        if word in MOVING:
            raise self.deck.refusal(
                block.line, f"*{word} is not read; write nodes and elements out where they are."
            )
        if word == "INSTANCE":
            self.instances += 1
            if self.instances > 1 or block.data:
                raise self.deck.refusal(
                    block.line, "*INSTANCE moves a part, or is the second one; write one part where it is (flat input)."
                )  # fmt: skip
        elif word == "NODE":
            self.add_nodes(block)
        elif word == "ELEMENT":
            self.add_elements(block)
        elif word in ("NSET", "ELSET"):
            self.add_set(word, block)
        elif word == "SURFACE":
            self.surfaces[given.get("NAME", "").upper()] = block
        elif word == "SOLID SECTION":
            self.sections.append(block)
        elif word == "MASS":
            self.masses.append(block)
        elif word in ("ELASTIC", "DENSITY"):
            (self.elastic if word == "ELASTIC" else self.density)[self.material] = block
        elif word not in (*QUIET, "COUPLING"):
            self.contents.leave_out(f"*{word}", self.deck.at(block.line))
        if word == "MATERIAL":
            self.material = given.get("NAME", "").upper()

    def members(self, kind: str, line: int, word: str) -> list[int]:
        """The numbers of a set, or the one that the word is."""
        if word.isdecimal():
            return [integer(self.deck, line, f"*{kind}", word, "a number")]
        if (kind, word.upper()) not in self.sets:
            raise self.deck.refusal(
                line, f"there is no set '{word}' above this line; define it before it is used."
            )
        return self.sets[kind, word.upper()]

    def add_nodes(self, block: Block) -> None:
        """Nodes; one that is there already is moved."""
        if block.given.get("SYSTEM", "R").upper() != "R":
            raise self.deck.refusal(
                block.line, "*NODE is in another system than x, y, z; write it in that one."
            )
        into = self._set("NSET", block) if "NSET" in block.given else []
        for line, parts in block.data:
            number = integer(self.deck, line, "NODE", parts[0])
            at = [real(self.deck, line, "NODE", x or "0", "a place") for x in parts[1:4]]
            at += [0.0] * (3 - len(at))
            if number in self.order:
                self.points[self.order[number]] = at
            else:
                self.order[number] = len(self.points)
                self.points.append(at)
            into.append(number)

    def _set(self, kind: str, block: Block) -> list[int]:
        name = block.given.get(kind, "")
        if kind == "NSET":
            self.called.setdefault(name.upper(), name)
        return self.sets.setdefault((kind, name.upper()), [])

    def add_set(self, kind: str, block: Block) -> None:
        """Members of a set: numbers, sets, or from, to, step."""
        name, into = block.given.get(kind, "").upper(), self._set(kind, block)
        for line, parts in block.data:
            if "GENERATE" in block.given:
                numbers = [integer(self.deck, line, f"set '{name}'", x) for x in parts if x]
                if len(numbers) not in (2, 3):
                    raise self.deck.refusal(line, f"set '{name}' needs first, last and step to be generated.")
                first, last, step = (*numbers, 1)[:3]
                if step < 1 or (last - first) // step > MAX_UNKNOWNS:
                    raise self.deck.refusal(line, f"set '{name}' goes from {first} to {last} by {step}.")
                into += range(first, last + 1, step)
            else:
                for part in filter(None, parts):
                    found = self.members(kind, line, part)
                    into += found
                    if kind == "NSET" and part.isdecimal():
                        self.named += [(name, found[0], line)]

    def add_elements(self, block: Block) -> None:
        """Elements, whose nodes may go on over several lines."""
        kind = block.given.get("TYPE", "").upper()
        count = int("".join(re.findall(r"^C3D(\d+)", kind)[:1]) or 0)
        if kind == "MASS":
            count = 1
        elif count not in SOLIDS:
            self.contents.leave_out(
                f"*ELEMENT of type {kind or 'none'}", self.deck.at(block.line), max(1, len(block.data))
            )
            return
        numbers = [integer(self.deck, line, "ELEMENT", x) for line, parts in block.data for x in parts if x]
        if len(numbers) % (count + 1):
            raise self.deck.refusal(
                block.line, f"*ELEMENT of type {kind} has {len(numbers)} numbers, which are not one and {count} nodes"
                " for each; the file is cut off, or of another type."
            )  # fmt: skip
        into = self._set("ELSET", block) if "ELSET" in block.given else []
        for first in range(0, len(numbers), count + 1):
            number, *nodes = numbers[first : first + count + 1]
            into.append(number)
            if kind == "MASS":
                self.points_with_mass[number] = nodes[0]
                continue
            if number in self.elements:
                raise self.deck.refusal(block.line, f"*ELEMENT {number} is there twice; keep one.")
            self.elements[number] = nodes
            self.numbers.setdefault(SOLIDS[count], []).append(number)
            self.lines.setdefault(SOLIDS[count], block.line)

    def surface(self, name: str) -> list[int]:
        """Nodes of a surface: of sides of elements, or of sets."""
        block, nodes = self.surfaces[name], dict[int, None]()
        for line, parts in block.data:
            if block.given.get("TYPE", "ELEMENT").upper() == "NODE":
                nodes.update(dict.fromkeys(self.members("NSET", line, parts[0])))
                continue
            side = parts[1].upper() if len(parts) > 1 else ""
            for element in self.members("ELSET", line, parts[0]):
                nodes.update(dict.fromkeys(self._of_side(line, element, side)))
        return list(nodes)

    def _of_side(self, line: int, element: int, side: str) -> list[int]:
        nodes = self.elements.get(element, [])
        sides = SIDES.get(len(nodes), ())
        if not re.fullmatch(r"S[1-6]", side) or int(side[1]) > len(sides):
            raise self.deck.refusal(
                line,
                f"element {element} has no side '{side}'; name S1 to S6 of one of 10 or 20 nodes.",
            )
        corners = sides[int(side[1]) - 1]
        kind = KINDS[SOLIDS[len(nodes)]]
        middles = [len(kind.corners) + k for k, edge in enumerate(kind.edges) if set(edge) <= set(corners)]
        return [nodes[k] for k in (*corners, *middles)]

    def finished(self) -> Contents:
        """What was read, numbers resolved."""
        out, deck = self.contents, self.deck
        out.points = np.array(self.points, dtype=np.float64).reshape(-1, 3)
        of = self._materials()
        for kind, numbers in self.numbers.items():
            line = self.lines[kind]
            found = [
                [index(deck, line, f"*ELEMENT {n}", node, self.order) for node in self.elements[n]]
                for n in numbers
            ]
            out.cells[kind] = np.array(found, dtype=np.int64)
            out.of[kind] = np.array([of.get(n, -1) for n in numbers], dtype=np.int64)
        for (kind, name), members in self.sets.items():
            if kind == "NSET":
                known = [self.order[n] for n in members if n in self.order]
                out.sets[self.called[name]] = np.array(known, dtype=np.int64)
        for name, node, line in self.named:
            if node not in self.order:
                out.leave_out(f"node of set '{self.called[name]}' that is not in the file", deck.at(line))
        weighed = set[int]()
        for block in self.masses:
            for number in self.members("ELSET", block.line, block.given.get("ELSET", "")):
                out.masses.append(self._mass(block, number))
                weighed.add(number)
        lost = next((n for n in self.points_with_mass if n not in weighed), None)
        if lost is not None:
            out.leave_out("*ELEMENT of type MASS without *MASS", f"element {lost}")
        return out

    def _mass(self, block: Block, number: int) -> PointMass:
        deck, line = self.deck, block.data[0][0] if block.data else block.line
        if number not in self.points_with_mass or not block.data:
            raise deck.refusal(
                block.line, f"*MASS of element {number}, which is no element of type MASS, or no figure."
            )
        mass = real(deck, line, "*MASS", block.data[0][1][0], "a mass")
        if not mass > 0.0:
            raise deck.refusal(line, f"*MASS of {mass:g} kg; it must be above 0.")
        node = index(deck, line, "*MASS", self.points_with_mass[number], self.order)
        return PointMass(node, mass, words=str(deck.refusal(line, f"*MASS of element {number}")))

    def _materials(self) -> dict[int, int]:
        """Numbers of materials by element."""
        out: dict[int, int] = {}
        known: dict[str, int] = {}
        for block in self.sections:
            name = block.given.get("MATERIAL", "").upper()
            if name not in known:
                known[name] = len(self.contents.materials)
                self.contents.materials.append(self._material(block, name))
            members = self.members("ELSET", block.line, block.given.get("ELSET", ""))
            out.update(dict.fromkeys(members, known[name]))
        return out

    def _material(self, section: Block, name: str) -> FileMaterial:
        figures: list[float] = []
        for word, found, count in (("ELASTIC", self.elastic, 2), ("DENSITY", self.density, 1)):
            block = found.get(name)
            if block is None or not block.data:
                raise self.deck.refusal(
                    section.line,
                    f"*SOLID SECTION is of material '{name}', which has no *{word}; give it one.",
                )
            if block.given.get("TYPE", "ISO").upper() not in ("ISO", "ISOTROPIC"):
                raise self.deck.refusal(
                    block.line, f"*{word} of '{name}' is not isotropic, which is not read."
                )
            if len(block.data) > 1:
                raise self.deck.refusal(
                    block.line,
                    f"*{word} of '{name}' depends on temperature, which is not read; keep one line.",
                )
            line, parts = block.data[0]
            if len(parts) < count:
                raise self.deck.refusal(line, f"*{word} of '{name}' needs {count} numbers.")
            figures += [real(self.deck, line, f"*{word}", x, "a number") for x in parts[:count]]
        E, poisson, density = figures
        where = str(self.deck.refusal(self.elastic[name].line, f"material '{name}'"))
        return FileMaterial(E, poisson, density, where)


def _coupling(model: _Model, coupling: Block, kind: Block) -> FileTie:
    """A coupling and the keyword after it, which says whether its nodes follow or are averaged."""
    deck, line, given = model.deck, coupling.line, coupling.given
    name = given.get("CONSTRAINT NAME") or f"COUPLING {given.get('REF NODE', '')}"
    if kind.keyword not in ("KINEMATIC", "DISTRIBUTING"):
        raise deck.refusal(line, f"*COUPLING '{name}' is not followed by *KINEMATIC or *DISTRIBUTING.")
    unread = next((key for key in ("INFLUENCE RADIUS", "ORIENTATION") if key in given), None)
    method = kind.given.get("WEIGHTING METHOD", "UNIFORM").upper()
    if unread is not None or method != "UNIFORM":
        what = unread or f"WEIGHTING METHOD={method}"
        raise deck.refusal(line, f"*COUPLING '{name}' has {what}, which is not read; leave it out.")
    held = set[str]()
    for _, parts in kind.data:
        ends = [int(x) for x in parts[:2] if x in ALL]
        held |= {str(k) for k in range(min(ends, default=1), max(ends, default=6) + 1)}
    if kind.data and not held >= TRANSLATIONS:
        raise deck.refusal(
            kind.line,
            f"*{kind.keyword} of '{name}' holds {''.join(sorted(held))}; only 1 to 3 or 1 to 6 are read.",
        )
    surface = given.get("SURFACE", "").upper()
    if surface not in model.surfaces:
        raise deck.refusal(
            line,
            f"*COUPLING '{name}' is of surface '{surface}', of which there is none above this line.",
        )
    about = model.members("NSET", line, given.get("REF NODE", ""))
    if len(about) != 1:
        raise deck.refusal(line, f"*COUPLING '{name}' has {len(about)} reference nodes; it needs one.")
    way: Literal["rigid", "averaging"] = "rigid" if kind.keyword == "KINEMATIC" else "averaging"
    return tie_of(deck, line, name, way, about[0], model.surface(surface), [], model.order)
