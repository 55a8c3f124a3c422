"""Flexible bodies as described: what is refused, and how they follow edits."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import delete_element, dependants, rename_element, set_element
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.flexible import FlexibleBody
from ridewright.core.model.frame_checks import frame_faults
from ridewright.core.multibody.flexible import built_of, reduced_body
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.structure.reduction import craig_bampton


def _beam() -> FlexibleBody:
    (found,) = load_example("swing_beam").assembly.flexibles  # type: ignore[union-attr]
    return found


def _with(**fields: object) -> FlexibleBody:
    return FlexibleBody.model_validate({**_beam().model_dump(), **fields})


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"interfaces": []}, "has no interface; fix at least one body"),
        ({"beams": []}, "has no beams"),
        ({"interfaces": [{"node": "middle", "body": "Hub"}]}, "at node 'middle', which does not exist"),
        (
            {"interfaces": [{"node": "top", "body": x} for x in ("Hub", "Bearing")]},
            "two interfaces at node 'top'",
        ),
        ({"nodes": [{"name": "top", "position": [0, 0, k]} for k in (0, 1)]}, "two nodes of 'Main beam'"),
    ],
)
def test_that_what_cannot_be_is_refused_in_a_sentence(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        _with(**fields)


def test_that_beams_that_cannot_be_built_are_named_with_their_body() -> None:
    flat = _beam().beams[0].model_dump() | {"up": (0.0, 0.0, 1.0)}
    with pytest.raises(
        InputError, match=r"Flexible body 'Main beam': The beam from 'top' to 'bottom' has no up direction"
    ):
        reduced_body(_with(beams=[flat]))
    thick = _beam().beams[0].model_dump()
    thick["section"]["wall"] = 0.4
    with pytest.raises(InputError, match=r"has no wall of 0\.4 m"):
        reduced_body(_with(beams=[thick]))


def test_that_loose_beams_are_refused() -> None:
    far = [{"name": name, "position": (5.0, 0.0, z)} for name, z in (("c", 0.0), ("d", 1.0))]
    nodes = [*(node.model_dump() for node in _beam().nodes), *far]
    loose = _beam().beams[0].model_dump() | {"start": "c", "end": "d"}
    with pytest.raises(InputError, match="Flexible body 'Main beam'"):
        reduced_body(_with(nodes=nodes, beams=[_beam().beams[0].model_dump(), loose]))


def test_that_interfaces_follow_the_names_of_their_bodies() -> None:
    project, _ = rename_element(load_example("swing_beam"), "body", ("Hub",), "Axle")
    assert project.assembly is not None
    assert [one.body for one in project.assembly.flexibles[0].interfaces] == ["Axle", "Bearing"]
    assert [j.body_j for j in project.assembly.joints] == ["Axle", "Seats"]


def test_that_a_flexible_body_goes_with_a_body_at_its_interface() -> None:
    project = load_example("swing_beam")
    assert ("flexible", ("Main beam",)) in dependants(project, "body", ("Hub",))
    left = delete_element(project, "body", ("Hub",)).assembly
    assert left is not None
    assert left.flexibles == ()


def test_that_fields_are_edited_and_checked_like_those_of_other_elements() -> None:
    project = set_element(load_example("swing_beam"), "flexible", ("Main beam",), {"modes": 4, "ratio": 0.02})
    assert project.assembly is not None
    assert (project.assembly.flexibles[0].modes, project.assembly.flexibles[0].ratio) == (4, 0.02)
    with pytest.raises(InputError, match="Main beam"):
        set_element(project, "flexible", ("Main beam",), {"modes": -1})


def test_that_projects_without_flexible_bodies_are_written_as_before() -> None:
    assert '"flexibles"' not in load_example("free_body").model_dump_json()
    again = Project.model_validate_json(load_example("swing_beam").model_dump_json())
    assert again == load_example("swing_beam")


def test_that_a_body_that_is_not_there_or_only_the_ground_is_no_interface() -> None:
    top = load_example("swing_beam").assembly
    assert top is not None

    def at(*bodies: str) -> dict[str, object]:
        ends = [{"node": n, "body": b} for n, b in zip(("top", "bottom"), bodies, strict=False)]
        return {**top.model_dump(), "flexibles": [_with(interfaces=ends).model_dump()]}

    with pytest.raises(ValidationError, match="refers to body 'Axle', which does not exist"):
        Assembly.model_validate(at("Axle", "Bearing"))
    with pytest.raises(ValidationError, match="is fixed to the ground alone"):
        Assembly.model_validate(at("ground"))


def test_that_reductions_are_kept_by_content() -> None:
    assert reduced_body(_beam()) is reduced_body(_with())
    assert reduced_body(_with(modes=3)) is not reduced_body(_beam())
    assert _beam().mass() == pytest.approx(reduced_body(_beam()).mass, rel=1e-9)


def test_that_ends_of_beams_count_in_mass_stiffness_and_file() -> None:
    """An eccentric end makes the beam shorter by its arm; a hinge lets it go; nothing of both stands in a file that
    has none."""
    plain = _beam()
    (one,) = plain.beams
    arm = [0.25 * (b - a) for a, b in zip(plain.nodes[0].position, plain.nodes[1].position, strict=True)]
    short = _with(beams=[one.model_dump() | {"offset_start": arm}])
    assert short.mass() == pytest.approx(0.75 * plain.mass(), rel=1e-12)
    assert reduced_body(short).mass == pytest.approx(short.mass(), rel=1e-9)
    assert not {"offset_start", "hinge_end", "spring_end"} & set(one.model_dump())
    soft = _with(beams=[one.model_dump() | {"hinge_start": "xyz", "spring_start": 1.0}])
    held = [craig_bampton(built_of(body)[0], ("top", "bottom"), 2).fixed[0] for body in (soft, plain)]
    # between two clamps, and between a clamp and a hinge, of a slender beam; this one shears a little
    assert held[0] / held[1] == pytest.approx((3.92660 / 4.73004) ** 2, rel=0.05)


def test_that_frames_that_cannot_be_built_are_found_with_their_rows() -> None:
    beam = _beam().beams[0].model_dump()
    nodes = [*(node.model_dump() for node in _beam().nodes)]
    nodes += [
        {"name": name, "position": (5.0, 0.0, z)}
        for name, z in (("c", 0.0), ("d", 1.0), ("e", 1.0), ("f", 9.0))
    ]
    thick = {**beam, "section": {**beam["section"], "wall": 0.4}, "start": "c", "end": "d"}
    short, upright = beam | {"start": "d", "end": "e"}, beam | {"up": (0.0, 0.0, 1.0)}
    found = list(frame_faults(_with(nodes=nodes, beams=[beam, upright, thick, short])))
    assert [row for row, _ in found] == [("nodes", 5), ("beams", 1), ("beams", 2), ("beams", 3), ("nodes", 2)]
    for sentence, (_, told) in zip(
        ("'f' has no beam", "up direction along itself", "has no wall of 0.4 m", "has no length", "from node 'top'"),
        found, strict=True,
    ):  # fmt: skip
        assert sentence in told
    assert not list(frame_faults(_beam()))


def test_that_springs_join_parts_of_a_frame_and_count_in_its_stiffness() -> None:
    """A beam of two halves with a spring between them bends as one as the spring becomes stiff; without it, and with
    one that lets the halves turn, the frame is found loose."""
    (one,), (top, bottom) = _beam().beams, _beam().nodes
    middle = [0.5 * (a + b) for a, b in zip(top.position, bottom.position, strict=True)]
    nodes = [top.model_dump(), bottom.model_dump()] + [{"name": name, "position": middle} for name in "ab"]
    half = one.model_dump() | {"elements": one.elements // 2}
    halves = [half | {"start": top.name, "end": "a"}, half | {"start": "b", "end": bottom.name}]

    def joined(stiffness: float, turning: float) -> FlexibleBody:
        spring = {"start": "a", "end": "b", "along": [stiffness] * 3, "about": [turning] * 3}
        return _with(nodes=nodes, beams=halves, springs=[spring])

    plain = craig_bampton(built_of(_beam())[0], ("top", "bottom"), 2).fixed[0]
    found = [
        craig_bampton(built_of(joined(k, c))[0], ("top", "bottom"), 2).fixed[0]
        for k, c in ((1e12, 1e12), (1e12, 1e5))
    ]
    assert found[0] == pytest.approx(plain, rel=1e-4)
    assert found[1] < 0.9 * plain
    assert not list(frame_faults(joined(1e9, 1e6)))
    assert (
        "join the two parts by a beam or a spring" in next(frame_faults(_with(nodes=nodes, beams=halves)))[1]
    )
    with pytest.raises(InputError):
        reduced_body(joined(1e9, 0.0))
    assert "springs" not in _beam().model_dump()
    for wrong, told in (
        ({"along": [-1.0, 0.0, 0.0]}, "below 0"),
        ({"along": [0.0] * 3}, "none at all"),
        ({"end": "a"}, "choose two"),
    ):
        with pytest.raises(ValidationError, match=told):
            _with(nodes=nodes, beams=halves, springs=[{"start": "a", "end": "b", **wrong}])


@pytest.mark.parametrize(
    ("ends", "loose"),
    [
        ({"hinge_end": "y"}, "y"), ({"hinge_end": "xyz"}, "x"), ({"hinge_start": "z"}, "y"), ({"hinge_end": "x"}, "z"),
        ({"hinge_end": "y", "spring_end": 1e4}, ""), ({"hinge_end": "z", "offset_end": (0.0, 0.0, 0.5)}, "x"),
        ({"offset_end": (0.0, 0.2, 0.5)}, ""),
    ],
)  # fmt: skip
def test_that_a_node_that_hinges_alone_hold_is_found_where_it_cannot_be_reduced(
    ends: dict[str, object], loose: str
) -> None:
    """The beam hangs along -z with its own y and z along -y and x, or with another direction of up along them."""
    up = (0.0, 1.0, 0.0) if ends == {"hinge_start": "z"} else (1.0, 0.0, 0.0)
    body = _with(beams=[_beam().beams[0].model_dump() | {**ends, "up": up}])
    faults = [told for _, told in frame_faults(body)]
    assert ([told.partition(" turns about ")[2][:1] for told in faults] or [""]) == [loose]
    if loose:
        with pytest.raises(InputError, match=f"about {loose}"):
            reduced_body(body)
    else:
        assert reduced_body(body).mass > 0.0


def test_that_a_skew_hinge_is_found_at_an_interface_and_left_out_elsewhere() -> None:
    (one,) = _beam().beams
    far = {"name": "far", "position": (1.0, 2.0, -9.0)}
    nodes = [*(node.model_dump() for node in _beam().nodes), far]
    arm = one.model_dump() | {"start": "bottom", "end": "far", "hinge_end": "y"}
    free = _with(nodes=nodes, beams=[one.model_dump(), arm])
    assert not list(frame_faults(free))
    assert reduced_body(free).mass > 0.0
    held = _with(nodes=nodes, beams=[one.model_dump(), arm], interfaces=[{"node": "far", "body": "Hub"}])
    ((row, told),) = frame_faults(held)
    assert row == ("nodes", 2)
    assert "turns mainly about" in told
    with pytest.raises(InputError, match="without meeting stiffness"):
        reduced_body(held)
