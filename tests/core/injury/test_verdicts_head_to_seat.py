"""Histories built to lie 1 % inside and 1 % outside each limit of head, neck, chest, spine and vibration."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.result import GROUPS

RATE = 10_000.0
T = np.arange(int(1.2 * RATE)) / RATE
#: Criterion, the channel that is scaled, and the power of the channel the value grows with.
CASES = (
    ("hic15", "acceleration", 2.5),
    ("hic36", "acceleration", 2.5),
    ("hic15_cfc1000", "acceleration", 2.5),
    ("hic36_cfc1000", "acceleration", 2.5),
    ("clip_3ms", "acceleration", 1.0),
    ("clip_3ms_cumulative", "acceleration", 1.0),
    ("clip_3ms_cfc1000", "acceleration", 1.0),
    ("chest_3ms", "acceleration", 1.0),
    ("chest_3ms_cumulative", "acceleration", 1.0),
    ("chest_3ms_cfc180", "acceleration", 1.0),
    ("nij", "neck", 1.0),
    ("nij_cfc600", "neck", 1.0),
    ("neck_tension", "neck", 1.0),
    ("neck_compression", "neck", 1.0),
    ("damage", "rotation", 1.0),
    ("hip", "all", 2.0),
    ("gambit", "all", 1.0),
    ("ric", "rotation", 2.5),
    ("dri", "acceleration", 1.0),
    ("iso2631_a8", "acceleration", 1.0),
    ("iso2631_vdv", "acceleration", 1.0),
)


def history(which=None, factor=1.0):
    """A blow at half time on a quiet ride, all channels; one of them, or all, scaled."""
    blow = np.exp(-(((T - 0.6) / 0.006) ** 2))[:, None]
    ring = np.sin(2.0 * np.pi * 9.0 * T)[:, None]

    def scale(name):
        return factor if which in (name, "all") else 1.0

    return History(
        T,
        scale("acceleration") * (blow * [31.0, -18.0, 40.0] + 0.4 * ring * [1.0, -2.0, 1.5]),
        "head",
        rotation_rate=scale("rotation") * (np.cumsum(blow, axis=0) / RATE * [900.0, 2400.0, -1500.0]),
        rotation_acceleration=scale("rotation") * blow * [900.0, 2400.0, -1500.0],
        neck_force=scale("neck") * (blow - 0.8 * np.roll(blow, 2000, axis=0)) * [300.0, -200.0, 1900.0],
        neck_moment=scale("neck") * blow * [20.0, 85.0, -30.0],
    )


@pytest.mark.parametrize(("criterion", "channel", "power"), CASES, ids=[c[0] for c in CASES])
def test_that_one_percent_to_either_side_of_a_limit_gives_the_right_verdict(criterion, channel, power):
    (base,) = evaluate_history(history(), [criterion])
    assert base.value is not None
    assert base.limit is not None
    for part, verdict in ((0.85, "inside"), (0.99, "within 10 %"), (1.01, "outside")):
        factor = (part * base.limit / base.value) ** (1.0 / power)
        (found,) = evaluate_history(history(channel, factor), [criterion])
        assert found.value == pytest.approx(part * found.limit, rel=2e-3)
        assert found.verdict == verdict
        assert found.margin == pytest.approx(1.0 - part, abs=2e-3)
        if verdict != "outside":
            assert found.exceeded == () or criterion.startswith(("clip", "chest"))
        elif not criterion.startswith("iso2631"):
            assert found.exceeded
            start, end = found.exceeded[0]
            assert start <= found.time[1]
            assert end >= found.time[0]


def test_that_each_result_says_what_it_is_and_where_it_comes_from():
    wanted = [c for c, _, _ in CASES] + ["bric", "hic36_ais3_risk", "iso2631_av", "iso2631_msdv", "nij_risk"]
    for found in evaluate_history(history(), wanted):
        assert found.group in GROUPS, found.criterion
        assert found.definition, found.criterion
        assert found.applicability, found.criterion
        assert found.limit is None or (found.limit_source and found.confidence)
        assert found.signal.gravity == "in"


def test_that_recalled_limits_are_of_low_confidence():
    low = {"neck_tension", "neck_compression", "hip", "ric", "iso2631_a8", "iso2631_vdv"}
    for found in evaluate_history(history(), [c for c, _, _ in CASES]):
        assert (found.confidence == "low") == (found.criterion in low), found.criterion


def test_that_what_a_record_lacks_is_named():
    plain = History(T, np.tile([0.0, 0.0, 1.0], (T.size, 1)), "phone in the pocket")
    found = {r.criterion: r for r in evaluate_history(plain, ["nij", "bric", "damage", "tilting_nca", "dri"])}
    assert found["nij"].note == "not applicable: needs neck loads in the record"
    assert "needs rotation rates" in found["bric"].note
    assert "needs rotation rates" in found["damage"].note
    assert "NCA of carbody and rail plane" in found["tilting_nca"].note
    assert found["dri"].value == pytest.approx(1.0)
    assert "a criterion of the pelvis, here applied to 'phone in the pocket'" in found["dri"].note


def test_that_the_slope_of_the_rate_stands_in_for_a_missing_rotation_acceleration():
    full = history()
    bare = History(T, full.acceleration, "head", rotation_rate=full.rotation_rate)
    ids = ["damage", "ric", "peak_rotation_acceleration_cfc60"]
    for with_it, without in zip(evaluate_history(full, ids), evaluate_history(bare, ids), strict=True):
        assert without.value == pytest.approx(with_it.value, rel=2e-3)
        assert "slope of the filtered rotation rate" in without.note
        assert "slope" not in with_it.note
