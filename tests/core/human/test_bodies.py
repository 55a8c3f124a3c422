"""Generated bodies against the closed reference sets: masses, totals, principal moments, proportions, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.human import make
from ridewright.core.human.anthropometry import DUMMIES, dimensions, dummy, size_of
from ridewright.core.human.masses import count, masses
from ridewright.core.human.shape import Segment, segments
from ridewright.core.human.tables import row, rows
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.person import Person

GRID = [(m, h) for m in (45.0, 62.5, 80.0, 101.0, 126.0) for h in (1.47, 1.68, 1.8, 2.03)]
SCALINGS = ("regression", "de_leva", "fractions")


def totals(found: tuple[Segment, ...]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass (3,) and inertia (3, 3) about it of standing segments."""
    mass = sum(s.mass.value for s in found)
    centre = sum(s.mass.value * s.centre for s in found) / mass
    inertia = np.zeros((3, 3))
    for s in found:
        d = s.centre - centre
        inertia += np.diag(s.inertia) + s.mass.value * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, centre, inertia


def raw(mass: float, stature: float) -> tuple[Segment, ...]:
    return segments(Person(mass=mass, stature=stature, scaling="regression_raw"))


def test_that_the_regression_gives_the_table_evaluated_by_others() -> None:
    for column, mass, stature in (("80_180", 80.0, 1.8), ("100_200", 100.0, 2.0), ("50_150", 50.0, 1.5)):
        person = Person(mass=mass, stature=stature, scaling="regression_raw")
        found = masses(person, size_of(person))
        for name, figure in found.items():
            assert figure.value == pytest.approx(
                float(row("segment_mass_check", segment=name)[f"calc_{column}"])
            )
        total = sum(count(name) * figure.value for name, figure in found.items())
        assert total == pytest.approx(float(row("segment_mass_check", segment="Body")[f"calc_{column}"]))


@pytest.mark.parametrize(("mass", "stature"), GRID)
def test_that_the_printed_regression_sums_to_its_closed_form_and_the_scaled_one_to_the_mass(
    mass: float, stature: float
) -> None:
    assert totals(raw(mass, stature))[0] == pytest.approx(
        -0.0426 + 1.00098 * mass + 0.078 * stature, abs=1e-9
    )
    for scaling in SCALINGS:
        made = segments(Person(mass=mass, stature=stature, scaling=scaling))
        assert totals(made)[0] == pytest.approx(mass, rel=1e-12)


def test_that_centre_and_principal_moments_are_those_of_the_reference() -> None:
    """Computed independently from the same table: standing, density 1000, raw masses."""
    for mass, height, moments, trunk in (
        (80.0, 0.555458, (14.31886, 13.64104, 1.07596), 0.434545),
        (100.0, 0.557214, (17.36956, 16.48088, 1.50915), 0.448963),
    ):
        made = raw(mass, 1.8)
        whole, centre, inertia = totals(made)
        assert centre[2] / 1.8 == pytest.approx(height, abs=5e-7)
        assert np.diag(inertia) == pytest.approx(moments, abs=6e-6)
        assert sum(s.mass.value for s in made[:3]) / whole == pytest.approx(trunk, abs=5e-7)


@pytest.mark.parametrize(("mass", "stature"), GRID)
def test_that_six_points_of_each_ellipsoid_have_its_moments_and_its_mass_fills_it(
    mass: float, stature: float
) -> None:
    for s in segments(Person(mass=mass, stature=stature)):
        points = np.sqrt(0.6) * np.vstack([np.diag(s.half), -np.diag(s.half)])
        moments = [s.mass.value / 6.0 * float((np.delete(points, k, 1) ** 2).sum()) for k in range(3)]
        assert s.inertia == pytest.approx(moments, rel=1e-12)
        assert 4.0 / 3.0 * np.pi * 1000.0 * float(np.prod(s.half)) == pytest.approx(s.mass.value, rel=1e-12)


def test_that_thin_and_stout_look_alike_only_where_stature_alone_sets_the_shape() -> None:
    def halves(girths: str, mass: float) -> dict[str, np.ndarray]:
        found = segments(Person(mass=mass, stature=1.75, girths=girths, scaling="fractions"))
        return {s.name: s.half for s in found}

    thin, stout = halves("stature", 55.0), halves("stature", 120.0)
    assert all(thin[name] == pytest.approx(stout[name]) for name in thin)
    ratio = halves("mass", 120.0)["Left Calf"] / halves("mass", 55.0)["Left Calf"]
    assert ratio == pytest.approx([(120.0 / 55.0) ** 0.5] * 2 + [1.0])


def test_that_radii_of_gyration_are_de_levas() -> None:
    made = segments(Person(mass=62.0, stature=1.70, sex="female", scaling="de_leva", inertia="gyration"))
    calf = next(s for s in made if s.name == "Left Calf")
    length = 0.4323 / 1.735 * 1.70
    assert calf.mass.value == pytest.approx(0.0481 * 62.0, rel=2e-4)  # de Leva's shares sum to 99.99 %
    assert calf.inertia == pytest.approx(calf.mass.value * (np.array([0.271, 0.267, 0.093]) * length) ** 2)
    for s in made:
        assert max(s.inertia) < 0.5 * s.inertia.sum()


@pytest.mark.parametrize("scaling", [*SCALINGS, "child"])
def test_that_left_mirrors_right_and_joints_meet(scaling: str) -> None:
    size = {"age": 7.0} if scaling == "child" else {"mass": 71.0, "stature": 1.66, "sex": "female"}
    for posture in ("seated", "standing"):
        made = make.mechanism(Person(scaling=scaling, posture=posture, **size))
        bodies = {b.name: b for b in made.bodies}
        assert len(bodies) == 17
        assert len(made.joints) == 16
        for name, b in bodies.items():
            if name.startswith("Left "):
                other = bodies["Right " + name[5:]]
                assert other.position == pytest.approx(np.array(b.position) * [1.0, -1.0, 1.0])
        for j in made.joints:
            ends = [
                np.array(b.position) + rotation_matrix(b.orientation) @ point
                for b, point in ((bodies[j.body_i], j.point_i), (bodies[j.body_j], j.point_j))
            ]
            assert ends[0] == pytest.approx(ends[1], abs=1e-12)


def lowest(made: Assembly, names: tuple[str, ...]) -> float:
    found = []
    for b in made.bodies:
        if b.name in names:
            skin, A = b.surfaces[0], rotation_matrix(b.orientation)
            middle = np.array(b.position) + A @ skin.position
            found.append(float(middle[2] - np.linalg.norm(np.array(skin.semi_axes) * A[2])))
    return min(found)


@pytest.mark.parametrize(
    "person", [Person(mass=52.0, stature=1.52), Person(mass=130.0, stature=1.95), dummy("H3-6")]
)
def test_that_every_size_sits_on_the_pan_and_stands_on_the_floor(person: Person) -> None:
    seated = make.mechanism(person)
    assert lowest(seated, ("Pelvis", "Left Thigh", "Right Thigh")) == pytest.approx(-0.147)
    # of a foot of the reference geometry the sole lies within a few centimetres of the floor
    standing = make.mechanism(person.model_copy(update={"posture": "standing"}))
    assert abs(lowest(standing, ("Left Foot", "Right Foot"))) < 0.03 * size_of(person).stature.value


def test_that_limits_turn_from_the_tables_axes_into_the_programs_and_mirror() -> None:
    """Elbow: 142 degrees of flexion towards -X left, which is -y; 100 in, 10 out about Y up, which is z."""
    from ridewright.core.human.joints import limits

    lower, upper = (np.degrees(v) for v in limits("Right elbow"))
    assert lower == pytest.approx([-5.0, -142.0, -10.0])
    assert upper == pytest.approx([5.0, 5.0, 100.0])
    for name in {r["joint"][2:] for r in rows("joint_rom") if r["joint"][1] == " "}:
        left, right = limits(f"Left {name}"), limits(f"Right {name}")
        for axis, sign in ((0, -1.0), (1, 1.0), (2, -1.0)):
            mine = sorted((left[0][axis], left[1][axis]))
            theirs = sorted((sign * right[0][axis], sign * right[1][axis]))
            assert mine == pytest.approx(theirs), (name, axis)


def test_that_passive_moments_are_those_of_the_source_at_its_checks() -> None:
    """Values computed independently from the printed coefficients; Riener & Edrich 1999."""
    from ridewright.core.human.joints import passive_moment

    for angles, wanted in (
        ((90, 90, 0), (0.30, -3.54, 0.11)),
        ((90, 0, 0), (-51.4, 47.0, -6.39)),
        ((0, 0, 0), (8.58, 10.42, -6.39)),
    ):
        found = [passive_moment(joint, *angles) for joint in ("hip", "knee", "ankle")]
        assert found == pytest.approx(wanted, abs=0.05)


def test_that_measured_curves_hold_the_seated_leg_with_small_moments() -> None:
    from ridewright.core.model.forces import TYPES

    made = make.mechanism(Person(mass=80.0, stature=1.75))
    component = __import__(TYPES["range_of_motion"].model.__module__, fromlist=["component"]).component
    ranges = {f.joint: f for f in made.forces if f.kind == "range_of_motion"}
    moment = {name: component(ranges[f"Left {name}"], 1, at)[0] for name, at in (
        ("hip", -np.pi / 2), ("knee", np.pi / 2), ("ankle", 0.0)
    )}  # fmt: skip
    # moment against the rotation about y: flexing the hip is -y, the knee +y, dorsiflexion -y
    assert moment == pytest.approx({"hip": 0.30, "knee": 3.54, "ankle": 0.11}, abs=0.01)


@pytest.mark.parametrize("scaling", ["de_leva", "fractions"])
def test_that_a_head_is_as_heavy_as_it_is_large(scaling: str) -> None:
    """The small woman's against the dummy of her size, whose head was weighed; heavy people have no heavy heads."""

    def found(**who: object) -> dict[str, float]:
        person = Person.model_validate({"scaling": scaling, "sex": "female"} | who)
        return {name: figure.value for name, figure in masses(person, size_of(person)).items()}

    dummy_head = float(row("dummies", dummy="Hybrid III 5th female")["head"])
    small, stout = found(mass=49.0, stature=1.501), found(mass=114.0, stature=1.63)
    assert small["Head"] == pytest.approx(dummy_head, rel=0.02)
    assert 4.2 < stout["Head"] < 4.8
    tall = found(mass=114.0, stature=1.78)["Head"]
    assert stout["Head"] < tall < 1.1 * stout["Head"]
    # limbs stay as their table has them: what a head weighs more or less the trunk gives or takes
    share = small["Calf"] / 49.0
    assert stout["Calf"] / 114.0 == pytest.approx(share, rel=1e-9)


# -- who


def test_that_percentiles_choose_mass_and_stature_apart() -> None:
    heavy = size_of(Person(sex="female", mass_percentile="95", stature_percentile="5", scaling="de_leva"))
    assert heavy.mass.value == 114.1
    assert heavy.mass.kind == "measured"
    assert "NHANES" in heavy.mass.source
    assert heavy.stature.value < 1.55
    soldier = Person(mass_percentile="95", stature_percentile="50", population="soldiers")
    assert size_of(soldier).mass.value == 110.7


@pytest.mark.parametrize("key", DUMMIES)
def test_that_a_dummy_gives_a_body_of_its_total_size(key: str) -> None:
    person = dummy(key)
    made = make.mechanism(person)
    assert made.mass() == pytest.approx(float(row("dummies", dummy=DUMMIES[key][0])["mass_kg"]))


def test_that_child_proportions_lie_near_the_child_dummies() -> None:
    """Head and neck of the Hybrid III children, whose cuts are alike; their trunks hold the upper thigh."""
    for key, share in (("H3-3", (2.685 + 0.748) / 15.46), ("H3-6", (3.475 + 0.544) / 23.41)):
        by = {s.name: s.mass.value for s in segments(dummy(key))}
        assert (by["Head"] + by["Neck"]) / sum(by.values()) == pytest.approx(share, abs=0.012)
        assert min(by.values()) > 0.05


@pytest.mark.parametrize("stature", [1.0, 1.2, 1.4])
def test_that_height_limits_have_children_with_masses_of_that_stature(stature: float) -> None:
    person = Person(stature=stature, scaling="child", mass_percentile="50", sex="female")
    found = size_of(person)
    wanted = row("children", key_type="stature", sex="female", key=str(stature), quantity="mass")
    assert found.mass.value == pytest.approx(float(wanted["p50"]))
    made = segments(person)
    assert totals(made)[0] == pytest.approx(found.mass.value)
    top = max(s.middle[2] + s.half[2] for s in made)
    assert top == pytest.approx(stature, rel=0.02)


def test_that_lms_percentiles_are_those_printed_with_them() -> None:
    for r in rows("children"):
        if r["key_type"] == "age" and r["quantity"] in ("stature", "mass") and r["L"]:
            for p in ("5", "95"):
                field = f"{r['quantity']}_percentile"
                person = Person.model_validate(
                    {"sex": r["sex"], "age": float(r["key"]), "scaling": "child", field: p}
                )
                found = getattr(size_of(person), r["quantity"]).value
                assert found == pytest.approx(float(r[f"p{p}"]), rel=6e-4)


def test_that_dimensions_follow_the_regression_inside_its_sample_only() -> None:
    found = {
        d.title: d for d in dimensions(Person(sex="female", stature=1.6285, mass=67.76, scaling="de_leva"))
    }
    # a regression passes through the means of its sample
    assert found["Sitting height, seat surface to vertex"].value == pytest.approx(0.8566, abs=3e-4)
    assert dimensions(Person(stature=2.1, mass=90.0, scaling="fractions")) == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mass": 18.0, "stature": 1.10}, "outside 1.45 to 2.05 m"),
        ({"stature": 1.8}, "no mass"),
        ({"mass": 80.0}, "no stature"),
        ({"mass": 160.0, "stature": 1.9}, "outside 40 to 140 kg"),
        ({"mass": 160.0, "stature": 1.4, "scaling": "fractions"}, "body mass index"),
        ({"scaling": "child"}, "age or a stature"),
        ({"mass": 80.0, "stature": 1.8, "age": 9.0}, "child proportions"),
        ({"mass": 60.0, "stature": 1.95, "scaling": "child"}, "outside 0.85 to 1.8 m"),
    ],
)
def test_that_what_makes_no_body_is_refused_in_one_sentence(fields: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        make.mechanism(Person.model_validate(fields))
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).endswith(".")


def test_that_every_number_says_its_kind_and_source() -> None:
    for scaling in SCALINGS:
        for s in segments(Person(mass=70.0, stature=1.7, scaling=scaling)):
            for figure in (s.mass, s.length, s.girth, s.moments):
                assert figure.kind in ("measured", "inferred", "chosen")
                assert len(figure.source) > 10
    for table in ("joint_start", "muscle_start"):
        for r in rows(table):
            assert r["kind"] == "chosen"
            assert len(r["reason"]) >= 8
