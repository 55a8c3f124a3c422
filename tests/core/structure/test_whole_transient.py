"""A swinging arm: stress by superposition of the reduced one against the whole mesh under the same motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")


@pytest.mark.nightly
def test_that_a_reduced_arm_is_stressed_as_its_whole_mesh_at_every_instant(tmp_path: Path) -> None:
    """Gravity, swing and what turning does to the arm's own mass: the worst stress within 0.1 %, any node at any
    instant within 0.5 % of it; with the same boundary motion, and weight and inertia of the mesh its own."""
    from tests.benchmarks import bench_structure as bench

    arm = bench.reduced_arm((8, 3, 2))
    results, _ = bench.ride(arm)
    motion = bench.motion_of(results, arm)
    full, _ = bench.whole_transient(arm, motion, tmp_path / "full")
    small, _, _ = bench.superposed(arm, motion, tmp_path / "small")
    worst = np.unravel_index(int(full.argmax()), full.shape)
    assert abs(small[worst] - full[worst]) < 1e-3 * full.max()
    assert np.abs(small - full).max() < 5e-3 * full.max()
    assert full.max() > 2e7
    assert (tmp_path / "full").stat().st_size > 21 * (tmp_path / "small").stat().st_size
