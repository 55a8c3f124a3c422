"""Ties of nodes to interface frames as mesh files have them: RBE2 and RBE3 of Nastran, couplings of Abaqus.

meshio reads nodes and elements alone, and passes over ties without a word; what would hold nodes together and is not
read here is refused. Nodes are counted in the order of the file, as meshio does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from ..base.errors import InputError
from .matrices import MOST
from .solids import KINDS

TRANSLATIONS, ALL = set("123"), set("123456")
NASTRAN_UNREAD = ("RBAR", "RBAR1", "RBE1", "RROD", "RJOINT", "RTRPLT", "RSPLINE", "RSSCON", "MPC")
ABAQUS_UNREAD = (
    "RIGID BODY", "MPC", "EQUATION", "TIE", "KINEMATIC COUPLING", "DISTRIBUTING COUPLING", "EMBEDDED ELEMENT",
    "SHELL TO SOLID COUPLING",
)  # fmt: skip
MOST_APART = 1e6  # weights of a mean
NASTRAN_TIES, ABAQUS_TIES = ("RBE2", "RBE3"), ("COUPLING",)
#: Corners of the sides S1, S2, ... of elements, counted from 0 (Abaqus Analysis User's Guide, solid elements).
SIDES = {
    20: ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)),
    10: ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
}
OF_NODES = {20: "hexahedron20", 10: "tetra10"}


@dataclass(frozen=True)
class FileTie:
    """A tie: its name, the node it is about, the nodes that are tied (in the order of the file, from 0), their weights
    in a mean, and its line."""

    name: str
    kind: Literal["rigid", "averaging"]
    reference: int
    nodes: tuple[int, ...]
    weights: tuple[float, ...]
    line: int


def ties_in(file: Path, form: str, text: str) -> tuple[FileTie, ...]:
    """The ties of a file of a format of meshio, none of one that has none. Raises InputError with the line of what
    holds nodes together and is not read."""
    read: Callable[[Path, str], tuple[FileTie, ...]]
    if form == "nastran":
        begin, words, read = "", "|".join((*NASTRAN_TIES, *NASTRAN_UNREAD)), _nastran
    elif form == "abaqus":
        begin, words, read = r"\*[ \t]*", "|".join((*ABAQUS_TIES, *ABAQUS_UNREAD)), _abaqus
    else:
        return ()
    if not re.search(rf"^{begin}({words})\b", text, re.IGNORECASE | re.MULTILINE):
        return ()
    found = read(file, text)
    names, about = set[str](), dict[int, str]()
    for one in found:
        if one.name in names:
            raise _refusal(file, one.line, f"there are two ties '{one.name}'; give each its own name.")
        if one.reference in about:
            other = about[one.reference]
            raise _refusal(
                file, one.line, f"{one.name} is about the same node as {other}; tie all of its nodes at once."
            )
        names.add(one.name)
        about[one.reference] = one.name
    return found


def one_block_of_nodes(text: str) -> str:
    """An Abaqus file with all its nodes in the first block of them, where there are several."""
    if len(re.findall(r"^\*[ \t]*NODE[ \t]*(?:,|$)", text, re.IGNORECASE | re.MULTILINE)) < 2:
        return text
    before: list[str] = []
    nodes: list[str] = []
    after: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("*") and not line.startswith("**"):
            inside = line[1:].partition(",")[0].strip().upper() == "NODE"
            if inside:
                continue
        (nodes if inside else after if nodes else before).append(line)
    return "\n".join([*before, "*NODE", *nodes, *after, ""])


def _refusal(file: Path, line: int, words: str) -> InputError:
    return InputError(f"{file}: line {line}: {words}")


def _number(file: Path, line: int, what: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _refusal(file, line, f"{what} has '{text[:20]}' where the number of a node belongs.") from None


def _index(file: Path, line: int, what: str, number: int, order: Mapping[int, int]) -> int:
    if number not in order:
        raise _refusal(
            file, line, f"{what} names node {number}, which is not in the file; export it with the mesh."
        )
    return order[number]


# -- Nastran


class Card(NamedTuple):
    """A card of bulk data: its line, name, and fields without the name."""

    line: int
    name: str
    fields: list[str]


def _cards(text: str) -> Iterator[Card]:
    """The cards of the bulk data: free, small and large fields, with their continuations."""
    card: Card | None = None
    begun = False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("$")[0].expandtabs(8).rstrip()
        if not begun:
            begun = line.strip().upper().startswith("BEGIN BULK")
            continue
        if line.strip().upper().startswith("ENDDATA"):
            break
        if not line:
            continue
        name, fields = _fields(line)
        if line[0] in "+*, ":
            if card is not None:
                card.fields.extend(fields)
            continue
        if card is not None:
            yield card
        card = Card(number, name.upper(), fields)
    if card is not None:
        yield card


def _fields(line: str) -> tuple[str, list[str]]:
    """Name and fields of a line: eight, or four of double width where the name has a star."""
    if "," in line:
        name, *parts = (part.strip() for part in line.split(","))
        count = 4 if "*" in name else 8
        return name.rstrip("*"), (parts + [""] * count)[:count]
    name = line[:8].strip()
    width, count = (16, 4) if "*" in name else (8, 8)
    return name.rstrip("*"), [line[8 + width * k : 8 + width * (k + 1)].strip() for k in range(count)]


def _nastran(file: Path, text: str) -> tuple[FileTie, ...]:
    order: dict[int, int] = {}
    ties: list[Card] = []
    for card in _cards(text):
        if card.name == "GRID":
            order[_number(file, card.line, "GRID", card.fields[0])] = len(order)
        elif card.name in NASTRAN_TIES:
            ties.append(card)
        elif card.name in NASTRAN_UNREAD:
            raise _refusal(
                file, card.line, f"{card.name} is not read; tie nodes by RBE2 or RBE3, or take it out."
            )
    return tuple((_rbe2 if card.name == "RBE2" else _rbe3)(file, card, order) for card in ties)


def _rbe2(file: Path, card: Card, order: Mapping[int, int]) -> FileTie:
    """EID, GN, CM, GM1, GM2, ..., perhaps a coefficient of expansion, which does nothing here."""
    name = f"RBE2 {card.fields[0]}"
    about, held, *rest = card.fields[1:]
    if not set(held) >= TRANSLATIONS:
        raise _refusal(
            file, card.line, f"{name} holds '{held}' of its nodes; only ties of 123 or 123456 are read."
        )
    nodes = [_number(file, card.line, name, x) for x in rest if x and "." not in x]
    return _tie(file, card.line, name, "rigid", _number(file, card.line, name, about), nodes, [], order)


def _rbe3(file: Path, card: Card, order: Mapping[int, int]) -> FileTie:
    """EID, blank, REFGRID, REFC, then weight, components, nodes, weight, ..."""
    name = f"RBE3 {card.fields[0]}"
    about, of = card.fields[2:4]
    if set(of) != ALL:
        raise _refusal(file, card.line, f"{name} moves '{of}' of node {about}; only ties of 123456 are read.")
    nodes: list[int] = []
    weights: list[float] = []
    weight, components = 0.0, True  # whether components come next
    for x in filter(None, card.fields[4:]):
        if x.upper() == "ALPHA":
            break
        if x.upper() == "UM":
            raise _refusal(file, card.line, f"{name} names dependent unknowns (UM), which are not read.")
        if "." in x:
            weight, components = _real(file, card.line, name, x), True
        elif components:
            if not set(x) >= TRANSLATIONS:
                raise _refusal(
                    file, card.line, f"{name} takes '{x}' of its nodes; only means of 123 are read."
                )
            components = False
        else:
            nodes.append(_number(file, card.line, name, x))
            weights.append(weight)
    return _tie(
        file, card.line, name, "averaging", _number(file, card.line, name, about), nodes, weights, order
    )


def _real(file: Path, line: int, what: str, text: str) -> float:
    """A number as Nastran writes it, the E of its exponent perhaps left out."""
    try:
        return float(re.sub(r"(?<=[\d.])([+-])", r"E\1", re.sub("[dD]", "E", text)).replace("EE", "E"))
    except ValueError:
        raise _refusal(file, line, f"{what} has '{text[:20]}' where a weight belongs.") from None


def _tie(
    file: Path,
    line: int,
    name: str,
    kind: Literal["rigid", "averaging"],
    about: int,
    nodes: Sequence[int],
    weights: Sequence[float],
    order: Mapping[int, int],
) -> FileTie:
    if not nodes:
        raise _refusal(file, line, f"{name} ties no node; name some, or take it out.")
    if any(not weight > 0.0 for weight in weights):
        raise _refusal(file, line, f"{name} has a weight that is not above 0.")
    if weights and not max(weights) <= MOST_APART * min(weights):
        raise _refusal(file, line, f"{name} has weights that are more than {MOST_APART:g} times apart.")
    even = not weights or min(weights) == max(weights)
    at = tuple(_index(file, line, name, node, order) for node in nodes)
    reference = _index(file, line, name, about, order)
    return FileTie(name, kind, reference, at, () if even else tuple(weights), line)


# -- Abaqus


class Block(NamedTuple):
    """A keyword with its parameters, and its data: lines and what stands between their commas."""

    line: int
    keyword: str
    given: dict[str, str]
    data: list[tuple[int, list[str]]]


def _blocks(text: str) -> Iterator[Block]:
    block: Block | None = None
    ahead = ""  # of a keyword that goes on in the next line
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("**"):
            continue
        if ahead or line.startswith("*"):
            whole = ahead + line
            ahead = whole if whole.endswith(",") else ""
            if ahead:
                continue
            if block is not None:
                yield block
            word, *rest = whole[1:].split(",")
            pairs = (part.partition("=") for part in rest)
            given = {" ".join(key.split()).upper(): value.strip().strip('"') for key, _, value in pairs}
            block = Block(number, " ".join(word.split()).upper(), given, [])
        elif block is not None:
            block.data.append((number, [part.strip() for part in line.rstrip(",").split(",")]))
    if block is not None:
        yield block


@dataclass
class _Model:
    """Of an Abaqus file: nodes by number in their order, elements by number, sets and surfaces by name."""

    file: Path
    order: dict[int, int] = field(default_factory=dict)
    elements: dict[int, list[int]] = field(default_factory=dict)
    sets: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    surfaces: dict[str, list[int]] = field(default_factory=dict)

    def members(self, kind: str, line: int, word: str) -> list[int]:
        """The numbers of a set, or the one that the word is."""
        if word.isdecimal():
            return [int(word)]
        if (kind, word.upper()) not in self.sets:
            raise _refusal(
                self.file, line, f"there is no set '{word}' above this line; define it before it is used."
            )
        return self.sets[kind, word.upper()]

    def add_set(self, kind: str, block: Block) -> None:
        """Members of a set: numbers, sets, or from, to, step."""
        name = block.given.get(kind, "").upper()
        into = self.sets.setdefault((kind, name), [])
        for line, parts in block.data:
            if "GENERATE" in block.given:
                numbers = [_number(self.file, line, f"set '{name}'", x) for x in parts if x]
                if len(numbers) not in (2, 3):
                    raise _refusal(
                        self.file, line, f"set '{name}' needs first, last and step to be generated."
                    )
                first, last, step = (*numbers, 1)[:3]
                if step < 1 or (last - first) // step > MOST:
                    raise _refusal(self.file, line, f"set '{name}' goes from {first} to {last} by {step}.")
                into += range(first, last + 1, step)
            else:
                for part in filter(None, parts):
                    into += self.members(kind, line, part)

    def add_elements(self, block: Block) -> None:
        """Elements, whose nodes may go on over several lines."""
        count = int("".join(re.findall(r"C3D(\d+)", block.given.get("TYPE", "").upper())[:1]) or 0)
        numbers = [_number(self.file, line, "ELEMENT", x) for line, parts in block.data for x in parts if x]
        if count not in SIDES or len(numbers) % (count + 1):
            return  # meshio tells what is wrong with them
        for first in range(0, len(numbers), count + 1):
            number, *nodes = numbers[first : first + count + 1]
            self.elements[number] = nodes
            if "ELSET" in block.given:
                self.sets.setdefault(("ELSET", block.given["ELSET"].upper()), []).append(number)

    def add_surface(self, block: Block) -> None:
        """Nodes of a surface: of sides of elements, or of sets."""
        name, nodes = block.given.get("NAME", "").upper(), dict[int, None]()
        for line, parts in block.data:
            if block.given.get("TYPE", "ELEMENT").upper() == "NODE":
                nodes.update(dict.fromkeys(self.members("NSET", line, parts[0])))
                continue
            side = parts[1].upper() if len(parts) > 1 else ""
            for element in self.members("ELSET", line, parts[0]):
                nodes.update(dict.fromkeys(self._of_side(line, element, side)))
        self.surfaces[name] = list(nodes)

    def _of_side(self, line: int, element: int, side: str) -> list[int]:
        nodes = self.elements.get(element, [])
        sides = SIDES.get(len(nodes), ())
        if not re.fullmatch(r"S[1-6]", side) or int(side[1]) > len(sides):
            raise _refusal(
                self.file,
                line,
                f"element {element} has no side '{side}'; name S1 to S6 of one of 10 or 20 nodes.",
            )
        corners = sides[int(side[1]) - 1]
        kind = KINDS[OF_NODES[len(nodes)]]
        middles = [len(kind.corners) + k for k, edge in enumerate(kind.edges) if set(edge) <= set(corners)]
        return [nodes[k] for k in (*corners, *middles)]


def _abaqus(file: Path, text: str) -> tuple[FileTie, ...]:
    model, out = _Model(file), []
    coupling: Block | None = None
    for block in (*_blocks(text), Block(0, "", {}, [])):
        if coupling is not None:
            out.append(_coupling(model, coupling, block))
            coupling = None
        if block.keyword in ABAQUS_UNREAD:
            raise _refusal(file, block.line, f"*{block.keyword} is not read; use *COUPLING, or take it out.")
        if block.keyword == "NODE":
            for line, parts in block.data:
                model.order.setdefault(_number(file, line, "NODE", parts[0]), len(model.order))
        elif block.keyword == "ELEMENT":
            model.add_elements(block)
        elif block.keyword in ("NSET", "ELSET"):
            model.add_set(block.keyword, block)
        elif block.keyword == "SURFACE":
            model.add_surface(block)
        elif block.keyword == "COUPLING":
            coupling = block
    return tuple(out)


def _coupling(model: _Model, coupling: Block, kind: Block) -> FileTie:
    """A coupling and the keyword after it, which says whether its nodes follow or are averaged."""
    file, line, given = model.file, coupling.line, coupling.given
    name = given.get("CONSTRAINT NAME") or f"COUPLING {given.get('REF NODE', '')}"
    if kind.keyword not in ("KINEMATIC", "DISTRIBUTING"):
        raise _refusal(file, line, f"*COUPLING '{name}' is not followed by *KINEMATIC or *DISTRIBUTING.")
    unread = next((key for key in ("INFLUENCE RADIUS", "ORIENTATION") if key in given), None)
    method = kind.given.get("WEIGHTING METHOD", "UNIFORM").upper()
    if unread is not None or method != "UNIFORM":
        what = unread or f"WEIGHTING METHOD={method}"
        raise _refusal(file, line, f"*COUPLING '{name}' has {what}, which is not read; leave it out.")
    held = set[str]()
    for _, parts in kind.data:
        ends = [int(x) for x in parts[:2] if x in ALL]
        held |= {str(k) for k in range(min(ends, default=1), max(ends, default=6) + 1)}
    if kind.data and not held >= TRANSLATIONS:
        raise _refusal(
            file,
            kind.line,
            f"*{kind.keyword} of '{name}' holds {''.join(sorted(held))}; only 1 to 3 or 1 to 6 are read.",
        )
    surface = given.get("SURFACE", "").upper()
    if surface not in model.surfaces:
        raise _refusal(
            file,
            line,
            f"*COUPLING '{name}' is of surface '{surface}', of which there is none above this line.",
        )
    about = model.members("NSET", line, given.get("REF NODE", ""))
    if len(about) != 1:
        raise _refusal(file, line, f"*COUPLING '{name}' has {len(about)} reference nodes; it needs one.")
    way: Literal["rigid", "averaging"] = "rigid" if kind.keyword == "KINEMATIC" else "averaging"
    return _tie(file, line, name, way, about[0], model.surfaces[surface], [], model.order)
