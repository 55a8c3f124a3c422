"""The meshes we write are read back by VTK, an independent reader, with the size and shape of the track."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.exchange import WriteOptions, export_track
from ridewright.core.exchange.mesh import track_parts
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import build_track


@pytest.mark.parametrize("ending", [".obj", ".glb"])
def test_that_vtk_reads_what_is_written(ending: str, tmp_path: Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    track = load_example("looping_star").track
    assert track is not None
    built = build_track(track, ride=False)
    export_track(built, tmp_path / f"t{ending}", WriteOptions(spacing=2.0))
    read = pyvista.read(tmp_path / f"t{ending}")
    surface = read.combine().extract_surface(algorithm="dataset_surface") if ending == ".glb" else read
    parts = track_parts(built, 2.0)
    expected = np.concatenate([part.vertices for part in parts])
    low, high = expected.min(axis=0), expected.max(axis=0)
    if ending == ".glb":  # y is up there: (x, y, z) is written as (x, z, -y)
        low, high = low[[0, 2, 1]] * [1, 1, -1], high[[0, 2, 1]] * [1, 1, -1]
        low, high = np.minimum(low, high), np.maximum(low, high)
    bounds = np.array(surface.bounds).reshape(3, 2)
    assert np.allclose(bounds[:, 0], low, atol=1e-3)
    assert np.allclose(bounds[:, 1], high, atol=1e-3)
    assert surface.n_cells == sum(len(part.triangles) for part in parts)
    area = sum(
        0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
        for a, b, c in (tuple(part.vertices[part.triangles[:, k]] for k in range(3)) for part in parts)
    )
    assert surface.triangulate().area == pytest.approx(area, rel=1e-4)
