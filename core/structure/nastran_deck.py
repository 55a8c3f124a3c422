"""Bulk data of Nastran: nodes, solids with their materials, masses, ties (RBE2, RBE3); what else it has is named.

Fields are those of the Quick Reference Guide of MSC Nastran. What would hold nodes together and is not read is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .decks import (
    ALL,
    TRANSLATIONS,
    Card,
    Contents,
    Deck,
    FileMaterial,
    FileTie,
    PointMass,
    cards,
    check_names,
    index,
    integer,
    real,
    tie_of,
)

UNREAD = ("RBAR", "RBAR1", "RBE1", "RROD", "RJOINT", "RTRPLT", "RSPLINE", "RSSCON", "MPC")
SOLIDS = {
    "CTETRA": {4: "tetra", 10: "tetra10"},
    "CHEXA": {8: "hexahedron", 20: "hexahedron20"},
    "CPENTA": {6: "wedge", 15: "wedge15"},
    "CPYRAM": {5: "pyramid", 13: "pyramid13"},
    "CPYRA": {5: "pyramid", 13: "pyramid13"},
}
#: From the order of Nastran, whose edges between bottom and top come before those of the top, to that of VTK.
TO_VTK = {"hexahedron20": (*range(12), *range(16, 20), *range(12, 16))}


def read_nastran(deck: Deck) -> Contents:
    """What a deck holds. Raises InputError with the line of what is wrong or not read."""
    out = Contents()
    order: dict[int, int] = {}
    points: list[tuple[float, ...]] = []
    elements: dict[str, tuple[list[list[int]], list[Card]]] = {}
    later: list[Card] = []
    properties: dict[int, Card] = {}
    materials: dict[int, Card] = {}
    for card in cards(deck):
        if card.name == "GRID":
            _add_node(deck, card, order, points)
        elif card.name in SOLIDS:
            kind, nodes = _solid(deck, card)
            into = elements.setdefault(kind, ([], []))
            into[0].append(nodes)
            into[1].append(card)
        elif card.name in ("RBE2", "RBE3", "CONM2"):
            later.append(card)
        elif card.name in ("PSOLID", "MAT1"):
            number = integer(deck, card.line, card.name, card.fields[0], "its number")
            (properties if card.name == "PSOLID" else materials)[number] = card
        elif card.name in UNREAD:
            raise deck.refusal(
                card.line, f"{card.name} is not read; tie nodes by RBE2 or RBE3, or take it out."
            )
        elif not _told(deck, card):
            out.leave_out(card.name, deck.at(card.line))
    out.points = np.array(points, dtype=np.float64).reshape(-1, 3)
    known: dict[int, int] = {}
    for kind, (cells, of) in elements.items():
        found = [
            [index(deck, card.line, card.name, node, order) for node in nodes]
            for nodes, card in zip(cells, of, strict=True)
        ]
        out.cells[kind] = np.array(found, dtype=np.int64)[:, TO_VTK.get(kind, slice(None))]
        numbers = (_material(deck, card, properties, materials, known, out) for card in of)
        out.of[kind] = np.fromiter(numbers, dtype=np.int64, count=len(of))
    for card in later:
        if card.name == "CONM2":
            out.masses.append(_mass(deck, card, order))
        else:
            out.ties.append((_rbe2 if card.name == "RBE2" else _rbe3)(deck, card, order))
    check_names(out.ties)
    return out


def _told(deck: Deck, card: Card) -> bool:
    """Whether a card says nothing that is left out. Raises InputError for one that changes what others mean."""
    if card.name == "PARAM" and card.fields[0].upper() == "WTMASS":
        if real(deck, card.line, "PARAM", card.fields[1], "a factor") != 1.0:
            raise deck.refusal(
                card.line, f"PARAM WTMASS {card.fields[1]} turns weights into masses, which is not read; write masses"
                " and densities in kg."
            )  # fmt: skip
        return True
    if card.name == "GRDSET" and card.fields[1] not in ("", "0"):
        raise deck.refusal(
            card.line, "GRDSET places nodes in another frame; write them in the basic one (CP 0)."
        )
    return card.name in ("PARAM", "INCLUDE")


def _add_node(deck: Deck, card: Card, order: dict[int, int], points: list[tuple[float, ...]]) -> None:
    number = integer(deck, card.line, "GRID", card.fields[0])
    if card.fields[1] not in ("", "0"):
        raise deck.refusal(
            card.line,
            f"GRID {number} is placed in frame {card.fields[1]}; write nodes in the basic one (CP 0).",
        )
    at = tuple(real(deck, card.line, "GRID", x or "0.", "a place") for x in (*card.fields, "", "")[2:5])
    if number in order:
        raise deck.refusal(card.line, f"GRID {number} is there twice; keep one.")
    order[number] = len(points)
    points.append(at)


def _solid(deck: Deck, card: Card) -> tuple[str, list[int]]:
    """The kind of a solid and its nodes by number."""
    given = card.fields[2:]
    while given and not given[-1]:
        given.pop()
    kind = SOLIDS[card.name].get(len(given))
    if kind is None or not all(given):
        known = " or ".join(map(str, SOLIDS[card.name]))
        raise deck.refusal(
            card.line,
            f"{card.name} {card.fields[0]} has {sum(map(bool, given))} nodes; it needs {known}, none left out.",
        )
    return kind, [integer(deck, card.line, card.name, x) for x in given]


def _material(
    deck: Deck,
    card: Card,
    properties: Mapping[int, Card],
    materials: Mapping[int, Card],
    known: dict[int, int],
    out: Contents,
) -> int:
    """The number of an element's material among those of the contents, -1 where it has no property."""
    of = integer(deck, card.line, card.name, card.fields[1] or card.fields[0], "the number of its property")
    if of in known:
        return known[of]
    known[of] = -1
    if of in properties:
        own = properties[of]
        number = integer(deck, own.line, f"PSOLID {of}", own.fields[1], "the number of its material")
        if number not in materials:
            raise deck.refusal(
                own.line,
                f"PSOLID {of} is of material {number}, of which there is no MAT1; only those are read.",
            )
        known[of] = len(out.materials)
        out.materials.append(_mat1(deck, materials[number]))
    return known[of]


def _mat1(deck: Deck, card: Card) -> FileMaterial:
    """MID, E, G, NU, RHO; two of the first three give the third."""
    name = f"MAT1 {card.fields[0]}"
    E, G, nu, density = (
        real(deck, card.line, name, x, "a number") if x else None for x in (*card.fields, "", "")[1:5]
    )
    if nu is None:
        nu = E / (2.0 * G) - 1.0 if E and G else 0.0
    if E is None:
        E = 2.0 * (1.0 + nu) * (G or 0.0)
    return FileMaterial(E, nu, density or 0.0, str(deck.refusal(card.line, name)))


def _mass(deck: Deck, card: Card, order: Mapping[int, int]) -> PointMass:
    """EID, G, CID, M, X1, X2, X3, blank, I11, I21, I22, I31, I32, I33; products of inertia with a minus."""
    name, line = f"CONM2 {card.fields[0]}", card.line
    if card.fields[2] not in ("", "0"):
        raise deck.refusal(
            line, f"{name} is given in frame {card.fields[2]}; write it in the basic one (CID 0)."
        )
    fields = [*card.fields, *[""] * 16]
    mass, x, y, z, a, ba, b, ca, cb, c = (
        real(deck, line, name, text or "0.", "a number") for text in (*fields[3:7], *fields[8:14])
    )
    if not mass > 0.0:
        raise deck.refusal(line, f"{name} has a mass of {mass:g} kg; it must be above 0.")
    node = index(deck, line, name, integer(deck, line, name, card.fields[1]), order)
    tensor = (a, -ba, -ca, -ba, b, -cb, -ca, -cb, c)
    return PointMass(node, mass, tensor, (x, y, z), str(deck.refusal(line, name)))


def _rbe2(deck: Deck, card: Card, order: Mapping[int, int]) -> FileTie:
    """EID, GN, CM, GM1, GM2, ..., perhaps a coefficient of expansion, which does nothing here."""
    name = f"RBE2 {card.fields[0]}"
    about, held, *rest = card.fields[1:]
    if not set(held) >= TRANSLATIONS:
        raise deck.refusal(
            card.line, f"{name} holds '{held}' of its nodes; only ties of 123 or 123456 are read."
        )
    nodes = [integer(deck, card.line, name, x) for x in rest if x and "." not in x]
    return tie_of(deck, card.line, name, "rigid", integer(deck, card.line, name, about), nodes, [], order)


def _rbe3(deck: Deck, card: Card, order: Mapping[int, int]) -> FileTie:
    """EID, blank, REFGRID, REFC, then weight, components, nodes, weight, ..."""
    name = f"RBE3 {card.fields[0]}"
    about, of = card.fields[2:4]
    if set(of) != ALL:
        raise deck.refusal(card.line, f"{name} moves '{of}' of node {about}; only ties of 123456 are read.")
    nodes: list[int] = []
    weights: list[float] = []
    weight, components = 0.0, True  # whether components come next
    for x in filter(None, card.fields[4:]):
        if x.upper() == "ALPHA":
            break
        if x.upper() == "UM":
            raise deck.refusal(card.line, f"{name} names dependent unknowns (UM), which are not read.")
        if "." in x:
            weight, components = real(deck, card.line, name, x, "a weight"), True
        elif components:
            if not set(x) >= TRANSLATIONS:
                raise deck.refusal(card.line, f"{name} takes '{x}' of its nodes; only means of 123 are read.")
            components = False
        else:
            nodes.append(integer(deck, card.line, name, x))
            weights.append(weight)
    return tie_of(
        deck, card.line, name, "averaging", integer(deck, card.line, name, about), nodes, weights, order
    )
