"""Decks of finite-element programs as lines: with what they include, cut into cards or keywords, and what was left out.

Nastran's bulk data come in cards (free, small and large fields, with continuations), decks of Abaqus and CalculiX in
keywords with data. What they hold for a mesh of solids is read in `nastran_deck` and `abaqus_deck`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.reading import read_file

LARGEST = 512 * 10**6  # bytes of a deck with all that it includes
MAX_APART = 1e6  # weights of a mean
TRANSLATIONS, ALL = set("123"), set("123456")  # degrees of freedom of a node
INCLUDES = {
    "nastran": re.compile(r"INCLUDE\s+(?P<file>\S.*)", re.IGNORECASE),
    "abaqus": re.compile(r"\*\s*INCLUDE\s*(?:,\s*(?:INPUT\s*=\s*(?P<file>.*))?)?", re.IGNORECASE),
}


class Deck:
    """Lines of a deck, those of the files it includes in their places. Lines are counted from 1."""

    def __init__(self, file: Path, form: str) -> None:
        """form: "nastran" or "abaqus". Raises InputError for what cannot be read, and for an included file that is not
        a plain one below the folder of the deck."""
        self.file, self.lines, self.places = file, list[str](), list[tuple[Path, int]]()
        self._left = LARGEST
        self._add(file, INCLUDES[form], ())

    def refusal(self, line: int, words: str) -> InputError:
        """The error for what is wrong in a line."""
        path, number = self.places[line - 1]
        return InputError(f"{path}: line {number}: {words}")

    def at(self, line: int) -> str:
        """Where a line stands, in words."""
        path, number = self.places[line - 1]
        return f"line {number}" if path == self.file else f"{path.name}, line {number}"

    def _add(self, file: Path, include: re.Pattern[str], within: tuple[Path, ...]) -> None:
        content = read_file(file, self._left, "a mesh")
        self._left -= len(content)
        for number, line in enumerate(content.decode("latin-1").replace("\r\n", "\n").split("\n"), 1):
            self.lines.append(line)
            self.places.append((file, number))
            found = include.fullmatch(line.strip())
            if found is not None:
                inner = self._included(found["file"] or "", len(self.lines))
                if inner in (self.file.resolve(), *within):
                    raise self.refusal(len(self.lines), "includes itself; take it out.")
                self.lines[-1] = ""
                self._add(inner, include, (*within, inner))

    def _included(self, name: str, line: int) -> Path:
        """The file that a line includes."""
        name = name.strip().strip("'\"").replace("\\", "/")
        folder = self.file.resolve().parent
        try:
            path = (folder / name).resolve()
            inside = bool(name) and not Path(name).is_absolute() and path.is_relative_to(folder)
            plain = inside and path.is_file()
        except (OSError, ValueError, RuntimeError):
            inside = plain = False
        if not inside:
            raise self.refusal(
                line, f"includes '{name[:80]}', and files are included only from the folder of {self.file.name}"
                " or below it, by a path from there; put it there."
            )  # fmt: skip
        if not plain:
            raise self.refusal(line, f"includes '{name[:80]}', which is no file there; put it there.")
        return path


class Card(NamedTuple):
    """A card of bulk data: its line, name, and fields without the name."""

    line: int
    name: str
    fields: list[str]


def cards(deck: Deck) -> Iterator[Card]:
    """The cards of the bulk data; of a file that has no other section, of all of it."""
    card: Card | None = None
    begun = not any(line.strip().upper().startswith("BEGIN BULK") for line in deck.lines)
    for number, raw in enumerate(deck.lines, 1):
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
        card = Card(number, name.upper().rstrip("_"), fields)  # meshio writes CHEXA_ for one of 20 nodes
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


class Block(NamedTuple):
    """A keyword with its parameters, and its data: lines and what stands between their commas."""

    line: int
    keyword: str
    given: dict[str, str]
    data: list[tuple[int, list[str]]]


def blocks(deck: Deck) -> Iterator[Block]:
    """The keywords of a deck of Abaqus or CalculiX."""
    block: Block | None = None
    ahead = ""  # of a keyword that goes on in the next line
    for number, raw in enumerate(deck.lines, 1):
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


def integer(deck: Deck, line: int, what: str, text: str, meaning: str = "the number of a node") -> int:
    """A whole number of a field."""
    try:
        return int(text)
    except ValueError:
        raise deck.refusal(line, f"{what} has '{text[:20]}' where {meaning} belongs.") from None


def real(deck: Deck, line: int, what: str, text: str, meaning: str) -> float:
    """A number as Nastran writes it, the E of its exponent perhaps left out."""
    try:
        found = float(re.sub(r"(?<=[\d.])([+-])", r"E\1", re.sub("[dD]", "E", text)).replace("EE", "E"))
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise deck.refusal(line, f"{what} has '{text[:20]}' where {meaning} belongs.")
    return found


def index(deck: Deck, line: int, what: str, number: int, order: Mapping[int, int]) -> int:
    """The place of a node among those of the file."""
    if number not in order:
        raise deck.refusal(
            line, f"{what} names node {number}, which is not in the file; export it with the mesh."
        )
    return order[number]


# -- what they hold


@dataclass(frozen=True)
class FileTie:
    """A tie: its name, the node it is about, the nodes that are tied (in the order of the file, from 0), their weights
    in a mean, and its line in words."""

    name: str
    kind: Literal["rigid", "averaging"]
    reference: int
    nodes: tuple[int, ...]
    weights: tuple[float, ...]
    where: str


@dataclass(frozen=True)
class PointMass:
    """A mass at a node (in the order of the file, from 0): kg, tensor (9 numbers) kg m^2 about its centre, the centre
    from the node (m), what it is called, with its line."""

    node: int
    mass: float
    inertia: tuple[float, ...] = (0.0,) * 9
    arm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    words: str = ""

    @property
    def small(self) -> bool:
        """Whether it is in one point, at its node."""
        return not any(self.inertia) and not any(self.arm)


class FileMaterial(NamedTuple):
    """E Pa, Poisson's ratio, density kg/m^3, and what it is called, with its line."""

    E: float
    poisson: float
    density: float
    words: str


@dataclass
class Contents:
    """What a deck holds for a mesh of solids: places of nodes (n, 3) m; elements by kind (numbers of nodes, from 0) and
    the number of the material of each, -1 where the deck names none; sets of nodes by name; what is left out by name,
    with how many and the first line."""

    points: Array = field(default_factory=lambda: np.zeros((0, 3)))
    cells: dict[str, Integers] = field(default_factory=dict)
    of: dict[str, Integers] = field(default_factory=dict)
    materials: list[FileMaterial] = field(default_factory=list)
    masses: list[PointMass] = field(default_factory=list)
    ties: list[FileTie] = field(default_factory=list)
    sets: dict[str, Integers] = field(default_factory=dict)
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)

    def leave_out(self, name: str, where: str, count: int = 1) -> None:
        """Remember that something is left out."""
        before, first = self.left_out.get(name, (0, where))
        self.left_out[name] = (before + count, first)


def tie_of(
    deck: Deck,
    line: int,
    name: str,
    kind: Literal["rigid", "averaging"],
    about: int,
    nodes: Sequence[int],
    weights: Sequence[float],
    order: Mapping[int, int],
) -> FileTie:
    """A tie of nodes by number. Raises InputError for one that ties nothing, or with weights that are none."""
    if not nodes:
        raise deck.refusal(line, f"{name} ties no node; name some, or take it out.")
    if any(not weight > 0.0 for weight in weights):
        raise deck.refusal(line, f"{name} has a weight that is not above 0.")
    if weights and not max(weights) <= MAX_APART * min(weights):
        raise deck.refusal(line, f"{name} has weights that are more than {MAX_APART:g} times apart.")
    even = not weights or min(weights) == max(weights)
    at = tuple(index(deck, line, name, node, order) for node in nodes)
    reference = index(deck, line, name, about, order)
    where = str(deck.refusal(line, ""))
    return FileTie(name, kind, reference, at, () if even else tuple(weights), where)


def check_names(ties: Iterable[FileTie]) -> None:
    """Raise InputError for two ties of one name, or about one node."""
    names, about = set[str](), dict[int, str]()
    for one in ties:
        if one.name in names:
            raise InputError(f"{one.where}there are two ties '{one.name}'; give each its own name.")
        if one.reference in about:
            raise InputError(
                f"{one.where}{one.name} is about the same node as {about[one.reference]}; tie all of its nodes at once."
            )
        names.add(one.name)
        about[one.reference] = one.name
