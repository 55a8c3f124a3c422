"""Masses of the segments from stature and mass of the whole body, set by set."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..base.errors import InputError
from ..base.sentence import say
from ..model.person import Person
from .anthropometry import Size, dimension
from .tables import Kind, Sourced, row, rows

PAIRED: Final = ("Arm", "Forearm", "Hand", "Thigh", "Calf", "Foot")
SEGMENTS: Final = ("Pelvis", "Abdomen", "Thorax", "Neck", "Head", *PAIRED)
_DE_LEVA: Final = {
    "Pelvis": "Lower trunk", "Abdomen": "Middle trunk", "Thorax": "Upper trunk", "Head": "Head and neck",
    "Arm": "Upper arm", "Forearm": "Forearm", "Hand": "Hand", "Thigh": "Thigh", "Calf": "Shank", "Foot": "Foot",
}  # fmt: skip
_WINTER: Final = {
    "Pelvis": "pelvis", "Abdomen": "abdomen", "Thorax": "thorax", "Head": "head_neck", "Arm": "upper_arm",
    "Forearm": "forearm", "Hand": "hand", "Thigh": "thigh", "Calf": "leg", "Foot": "foot",
}  # fmt: skip
_JENSEN: Final = {
    "Head": "head_neck", "Arm": "upper_arm", "Forearm": "forearm", "Hand": "hand", "Thigh": "thigh", "Calf": "shank",
    "Foot": "foot",
}  # fmt: skip
_HEAD_PER_YEAR: Final = 0.0114  # share of the body that the head loses in a year, Jensen 1986, ages 4 to 15
_TRUNK: Final = ("Pelvis", "Abdomen", "Thorax")
#: Mean of the 100 young men (m, kg) whose heads the regression of masses was found from.
_MEAN_MAN: Final = (1.741, 73.0)


def count(segment: str) -> int:
    """How many such segments a body has."""
    return 2 if segment in PAIRED else 1


def de_leva(segment: str, sex: str) -> dict[str, float] | None:
    """de Leva's row of a segment: mass, com (shares), r_sagittal, r_transverse, r_long (shares of length), length as a
    share of the mean stature (1.735 m women, 1.741 m men); None for the neck, which he has with the head."""
    if segment not in _DE_LEVA:
        return None
    found, end = row("de_leva", segment=_DE_LEVA[segment]), "_f" if sex == "female" else "_m"
    values = {key[:-2]: float(value) for key, value in found.items() if key.endswith(end)}
    shares = {key: value / 100.0 for key, value in values.items() if key != "length"}
    return {**shares, "length": values["length"] / (1735.0 if sex == "female" else 1741.0)}


def masses(person: Person, size: Size) -> dict[str, Sourced]:
    """The mass (kg) of one segment of each name. They sum to the mass asked for, but for the regression as printed.

    Raises InputError where a mass would be zero or less.
    """
    make = {"de_leva": _by_de_leva, "fractions": _by_fractions, "child": _of_child}.get(person.scaling)
    found = make(person, size) if make else _regression(size)
    total = sum(count(name) * figure.value for name, figure in found.items())
    scale = 1.0 if person.scaling == "regression_raw" else size.mass.value / total
    for name, figure in found.items():
        if figure.value <= 0.0:
            raise InputError(
                say(
                    "The {part} of a body of {mass:g kg} and {stature:g m} would weigh"
                    " {own:.2f kg}; use another scaling.",
                    part=name.lower(),
                    mass=size.mass.value,
                    stature=size.stature.value,
                    own=figure.value,
                )
            )
    note = "" if scale == 1.0 else f", scaled by {scale:.4f} to the mass"
    return {
        name: Sourced(figure.value * scale, "kg", figure.kind, figure.source + note)
        for name, figure in found.items()
    }


def _regression(size: Size) -> dict[str, Sourced]:
    """m_i = b0 + b1 mass + b2 stature in cm (Spicka 2020, eq. 4.1; the text calls v the weight, it is the stature)."""
    source = "Spicka 2020, Table 4.1, after Zatsiorsky & Seluyanov, 100 young men"
    return {
        r["segment"]: Sourced(
            float(r["b0_kg"]) + float(r["b1"]) * size.mass.value
            + float(r["b2_kg_per_cm"]) * 100.0 * size.stature.value,
            "kg", "measured", source,
        )
        for r in rows("segment_mass")
    }  # fmt: skip


def _split(found: dict[str, Sourced], size: Size) -> dict[str, Sourced]:
    """Head and neck apart, in the ratio that the regression gives for them."""
    ratio = _regression(size)
    neck, head = ratio["Neck"].value, ratio["Head"].value
    whole = found["Head"]
    for name, part in (("Neck", neck), ("Head", head)):
        share = part / (neck + head)
        found[name] = Sourced(
            whole.value * share, "kg", "inferred", f"{whole.source}; split as in Spicka 2020, Table 4.1"
        )
    return {name: found[name] for name in SEGMENTS}


def _shares(
    shares: dict[str, float], kind: Kind, source: str, person: Person, size: Size
) -> dict[str, Sourced]:
    whole = {name: Sourced(share * size.mass.value, "kg", kind, source) for name, share in shares.items()}
    return _with_head(_split(whole, size), person, size)


def _with_head(found: dict[str, Sourced], person: Person, size: Size) -> dict[str, Sourced]:
    """The masses with a head that is as heavy as it is large, what that takes or gives spread over the trunk.

    Heads hardly grow with the body: as a share of its mass the head of a woman of 50 kg would weigh 2.9 kg, that of one
    of 114 kg 6.5 kg. Of one shape and density, heads weigh as the third power of their size, for which the sum of
    length, breadth and circumference stands, as in the scaling of test dummies (Mertz and others 1989); these follow
    stature and mass by regression. Against the dummy of a small woman, whose head weighs 3.73 kg: 3.77 kg.
    """
    man, heavy = _MEAN_MAN
    own = _head_size(person.sex, size.stature.value, size.mass.value) / _head_size("male", man, heavy)
    row = next(r for r in rows("segment_mass") if r["segment"] == "Head")
    mean = float(row["b0_kg"]) + float(row["b1"]) * heavy + float(row["b2_kg_per_cm"]) * 100.0 * man
    head = mean * own**3
    trunk = sum(found[name].value for name in _TRUNK)
    grown = (trunk + found["Head"].value - head) / trunk
    source = (
        "as the third power of the head's length, breadth and circumference (ANSUR II), from the head of"
        f" {mean:.2f} kg of 100 young men (Zatsiorsky & Seluyanov)"
    )
    changed = {
        name: Sourced(
            found[name].value * grown, "kg", found[name].kind, f"{found[name].source}; less the head's"
        )
        for name in _TRUNK
    }
    return found | changed | {"Head": Sourced(head, "kg", "inferred", source)}


def _head_size(sex: str, stature: float, mass: float) -> float:
    """Length, breadth and circumference (m) of a head together."""
    return sum(
        dimension(f"head{part}", sex, stature, mass) for part in ("length", "breadth", "circumference")
    )


def _by_de_leva(person: Person, size: Size) -> dict[str, Sourced]:
    found = {name: de_leva(name, person.sex) for name in _DE_LEVA}
    subject = "women" if person.sex == "female" else "men"
    source = f"de Leva 1996, J. Biomech. 29:1223, Table 4, {subject}"
    return _shares({name: r["mass"] for name, r in found.items() if r}, "measured", source, person, size)


def _by_fractions(person: Person, size: Size) -> dict[str, Sourced]:
    found = {
        name: row("segment_sets", set="dempster_winter", segment=key, quantity="mass_fraction")
        for name, key in _WINTER.items()
    }
    shares = {name: float(r["value"]) for name, r in found.items()}
    return _shares(shares, "measured", "Dempster 1955 as tabulated in Winter, Table 4.1", person, size)


def _of_child(person: Person, size: Size) -> dict[str, Sourced]:
    """Jensen's shares at 6, 12, 15 and 18 years between them; below 6 the head grows by 0.0114 a year backwards.

    The trunk is split as de Leva's men are, and head from neck as the Hybrid III six-year-old is.
    """
    assert size.age is not None
    age = size.age.value
    ages = ("6", "12", "15", "18")

    def share(part: str) -> float:
        found = [row("children", key=a, quantity=f"segment_mass_fraction:{part}") for a in ages]
        return float(np.interp(age, [float(a) for a in ages], [float(r["p50"]) for r in found]))

    shares = {name: share(part) for name, part in _JENSEN.items()}
    trunk = share("trunk")
    if age < 6.0:
        grown = shares["Head"] + _HEAD_PER_YEAR * (6.0 - age)
        rest = (1.0 - grown) / (1.0 - shares["Head"])
        shares = {name: (grown if name == "Head" else value * rest) for name, value in shares.items()}
        trunk *= rest
    parts = {name: de_leva(name, "male") for name in ("Pelvis", "Abdomen", "Thorax")}
    whole = sum(r["mass"] for r in parts.values() if r)
    shares.update({name: trunk * r["mass"] / whole for name, r in parts.items() if r})
    source = f"Jensen 1986, 1989 at {age:.1f} years (boys), trunk split as de Leva 1996"
    kind: Kind = "inferred"
    dummy = row("dummies", dummy="Hybrid III 6-year-old")
    head, neck = float(dummy["head"]), float(dummy["neck"])
    head_and_neck = shares.pop("Head")
    shares.update(
        {"Head": head_and_neck * head / (head + neck), "Neck": head_and_neck * neck / (head + neck)}
    )
    return {name: Sourced(shares[name] * size.mass.value, "kg", kind, source) for name in SEGMENTS}
