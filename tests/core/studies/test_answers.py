"""Answers: least margins, effects, Sobol indices of a function with known ones, probabilities with their intervals."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.studies.answers import chance, main_effects, min_margins, sobol_indices
from ridewright.core.studies.one_run import Outcome
from ridewright.core.studies.plan import planned
from ridewright.core.studies.probability import interval_of
from ridewright.core.studies.store import Row, Table, table_of
from tests.core.studies.conftest import run_allowed, study_of_function
from tests.core.studies.functions import ishigami

# analytic first-order and total indices for a = 7, b = 0.1 (Sobol and Levitan 1999, with Ishigami's variance)
A, B = 7.0, 0.1
VARIANCE = A**2 / 8.0 + B * math.pi**4 / 5.0 + B**2 * math.pi**8 / 18.0 + 0.5
FIRST = (0.5 * (1.0 + B * math.pi**4 / 5.0) ** 2 / VARIANCE, A**2 / 8.0 / VARIANCE, 0.0)
TOTAL = (
    FIRST[0] + 8.0 * B**2 * math.pi**8 / 225.0 / VARIANCE,
    FIRST[1],
    8.0 * B**2 * math.pi**8 / 225.0 / VARIANCE,
)


def made(runs: int, **plan: Any) -> Table:
    """The table of Ishigami's function by a plan, made here."""
    study = study_of_function(
        "ishigami", ("a", "b", "c"), bounds=(-math.pi, math.pi), plan={"runs": runs, **plan}
    )
    rows = [
        Row(k, tuple(v), Outcome("done", "", ishigami(dict(zip("abc", v, strict=True)))))
        for k, v in enumerate(planned(study).tolist())
    ]
    return table_of(study, rows)


def test_that_the_indices_of_ishigami_are_found_within_their_confidence(
    tmp_path: Path, two_workers: Any
) -> None:
    pytest.importorskip("SALib")
    from ridewright.core.studies.store import Store

    study = study_of_function(
        "ishigami",
        ("a", "b", "c"),
        bounds=(-math.pi, math.pi),
        plan={"kind": "saltelli", "runs": 128, "seed": 7},
    )
    table = run_allowed(Store.create(tmp_path / "s", study, None), two_workers)
    assert len(table) == 128 * 5
    found = sobol_indices(table, "y")
    for one, first, total in zip(found.indices, FIRST, TOTAL, strict=True):
        assert abs(one.first - first) < one.first_half, one
        assert abs(one.total - total) < one.total_half, one
        assert one.total_half < 0.4
    assert (found.blocks, found.of) == (128, 128)


def test_that_sets_with_a_failed_run_are_left_out_whole() -> None:
    pytest.importorskip("SALib")
    table = made(1024, kind="saltelli", seed=3)
    hurt = table.numbers["y"].copy()
    hurt[[7, 5 * 100 + 2]] = np.nan
    less = Table(**{**table.__dict__, "numbers": {"y": hurt}})
    whole, part = sobol_indices(table, "y"), sobol_indices(less, "y")
    assert (part.blocks, part.of) == (1022, 1024)
    assert part.indices[1].first == pytest.approx(whole.indices[1].first, abs=0.02)
    assert part.indices[1].first == pytest.approx(FIRST[1], abs=0.05)


def test_that_indices_of_another_plan_are_refused() -> None:
    with pytest.raises(InputError, match="need runs of Saltelli's plan"):
        sobol_indices(made(64, kind="sobol"), "y")


def test_that_a_main_effect_is_the_difference_of_means() -> None:
    table = made(0 + 3, kind="grid", steps=3)
    effects = {effect.parameter: effect for effect in main_effects(table, "y")}
    # sin(pi) = 0, sin(0) = 0: on this grid only the fourth power of c would count, and it is multiplied by sin(a)
    assert effects["a"].size == pytest.approx(0.0, abs=1e-12)
    smooth = {e.parameter: e for e in main_effects(made(4096, kind="sobol", seed=1), "y")}
    # the mean over b and c of sin(a) (1 + 0.1 c^4) + 7 sin(b)^2 in the middle fifth and next to it
    by_a = [np.sin(x) * (1.0 + B * math.pi**4 / 5.0) + A / 2.0 for x in map(float, smooth["a"].at)]
    assert smooth["a"].mean == pytest.approx(by_a, abs=0.25)
    assert smooth["b"].size > smooth["c"].size


def margins_table(**plan: Any) -> Table:
    study = study_of_function("margins", plan={"kind": "monte_carlo", "runs": 4, **plan})
    numbers = [
        {
            "gz": 5.0,
            "gz.margin": 0.2,
            "gz.s": 10.0,
            "gz.time": 1.0,
            "gy.margin": 0.4,
            "gy": 1.0,
            "margin": 0.2,
        },
        {
            "gz": 6.5,
            "gz.margin": -0.1,
            "gz.s": 55.0,
            "gz.time": 3.0,
            "gy.margin": 0.1,
            "gy": 2.0,
            "margin": -0.1,
        },
        {"gz": 5.5, "gz.margin": 0.1, "gz.s": 30.0, "gy.margin": 0.3, "gy": 1.5, "margin": 0.1},
    ]
    rows = [
        Row(2 * k, (0.1, 0.2), Outcome("done", "", n, {"gz": f"rider {k}"})) for k, n in enumerate(numbers)
    ]
    return table_of(study, [*rows, Row(7, (0.3, 0.3), Outcome("failed", "no"))])


def test_that_the_least_margin_names_run_rider_and_place() -> None:
    first, second = min_margins(margins_table())
    assert (first.criterion, first.margin, first.value, first.run, first.who) == (
        "gz",
        -0.1,
        6.5,
        2,
        "rider 1",
    )
    assert (first.s, first.time) == (55.0, 3.0)
    assert (second.criterion, second.margin, second.run, second.s) == ("gy", 0.1, 2, None)


def test_that_a_probability_counts_finished_runs_and_says_what_it_assumes() -> None:
    found = chance(margins_table())
    assert (found.count, found.judged, found.left_out, found.probability) == (1, 3, 1, 1.0 / 3.0)
    assert any("1 of 4 runs failed" in text for text in found.assumptions)
    above = chance(margins_table(), "gz", 5.2, above=True)
    assert above.count == 2
    for kind in ("grid", "list", "saltelli"):
        with pytest.raises(InputError, match=r"monte_carlo"):
            chance(margins_table(kind=kind), "gz", 5.2)
    with pytest.raises(InputError, match=r"no run has kept 'gx'; there are gy, gy\.margin, gz"):
        chance(margins_table(), "gx")


def test_that_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    hits = [
        low <= 0.07 <= high
        for low, high in (interval_of(int(k), 120) for k in random.binomial(120, 0.07, 400))
    ]
    assert np.mean(hits) >= 0.95
    # nothing in n: the rule of three is the one-sided one; two-sided 1 - 0.025^(1/n)
    assert interval_of(0, 50) == pytest.approx((0.0, 1.0 - 0.025 ** (1.0 / 50.0)))


def test_that_the_command_prints_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from ridewright.core.cli import main
    from ridewright.core.studies.store import Store

    table = made(256, kind="latin_hypercube", seed=3)
    store = Store.create(tmp_path / "s", table.study, None)
    with store.writing():
        store.append([Row(k, tuple(v), Outcome("done", "", {"y": y})) for k, (v, y) in enumerate(
            zip(table.values.tolist(), table.numbers["y"].tolist(), strict=True))])  # fmt: skip
    assert main(["study", "show", str(tmp_path / "s"), "--response", "y", "--above", "7", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["probability"]["count"] == int((table.numbers["y"] > 7.0).sum())
    assert main(["study", "show", str(tmp_path / "s"), "--response", "z"]) == 2
    assert "no run has kept 'z'; there are y" in capsys.readouterr().err
