"""The static LDL^T against a general sparse and a dense solver on the same saddle-point matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from tests.benchmarks import measure
from tests.benchmarks.captured import captured_ride

LOOP = 100


def main() -> None:
    """Print and store factorise-and-solve times, fill and residuals."""
    ride = captured_ride()
    # compiled calls in a loop, so that no call from Python is in our figures; SuperLU's and LAPACK's are a microsecond
    K, b = ride.dense_matrix(), np.random.default_rng(3).standard_normal(ride.unknowns)
    sparse = csc_matrix(K)
    ride.load_and_factorise()
    ours = ride.solve_with_ldl(b)
    super_lu = splu(sparse)
    dense = lu_factor(K)
    # symmetric mode: SuperLU's own best setting for matrices such as this
    options: dict[str, Any] = {"permc_spec": "MMD_AT_PLUS_A", "options": {"SymmetricMode": True}}
    symmetric = splu(sparse, diag_pivot_thresh=0.01, **options)
    cpu = {
        "LDL^T scatter": measure.cpu_each(lambda: ride.load_matrix(LOOP)) / LOOP,
        "LDL^T scatter and factorise": measure.cpu_each(lambda: ride.load_and_factorise(LOOP)) / LOOP,
        "LDL^T solve": measure.cpu_each(lambda: ride.solve_with_ldl(b, LOOP)) / LOOP,
        "SuperLU factorise": measure.cpu_each(lambda: splu(sparse)),
        "SuperLU symmetric mode factorise": measure.cpu_each(
            lambda: splu(sparse, diag_pivot_thresh=0.01, **options)
        ),
        "SuperLU solve": measure.cpu_each(lambda: super_lu.solve(b)),
        "dense LU factorise (LAPACK)": measure.cpu_each(lambda: lu_factor(K)),
        "dense LU solve (LAPACK)": measure.cpu_each(lambda: lu_solve(dense, b)),
        "numpy.linalg.solve": measure.cpu_each(lambda: np.linalg.solve(K, b)),
    }
    own_factor = cpu["LDL^T scatter and factorise"] - cpu["LDL^T scatter"]
    cpu["LDL^T factorise"] = own_factor
    best_lu = min(cpu["SuperLU factorise"], cpu["SuperLU symmetric mode factorise"])
    ratios = {
        "SuperLU / LDL^T, factorise": best_lu / own_factor,
        "SuperLU / LDL^T, solve": cpu["SuperLU solve"] / cpu["LDL^T solve"],
        "dense / LDL^T, factorise": cpu["dense LU factorise (LAPACK)"] / own_factor,
        "dense / LDL^T, solve": cpu["dense LU solve (LAPACK)"] / cpu["LDL^T solve"],
    }
    exact = np.linalg.solve(K, b)
    error = {
        "LDL^T against dense": float(np.abs(ours - exact).max() / np.abs(exact).max()),
        "SuperLU against dense": float(np.abs(super_lu.solve(b) - exact).max() / np.abs(exact).max()),
    }
    fill = {
        "entries of the lower triangle": int((np.tril(K, -1) != 0).sum()),
        "LDL^T": ride.fill,
        "SuperLU L and U": int(super_lu.nnz),
        "SuperLU symmetric mode L and U": int(symmetric.nnz),
    }
    print(f"  {ride.unknowns} unknowns; entries {fill}")
    print(measure.table(("what", "us"), [(name, 1e6 * value) for name, value in cpu.items()]))
    print(measure.table(("ratio", ""), list(ratios.items())))
    print(f"  relative difference of the solutions {error}")
    measure.write(
        "ldl",
        {
            "unknowns": ride.unknowns,
            "fill": fill,
            "cpu_s": cpu,
            "ratios": ratios,
            "solution_difference": error,
        },
    )
