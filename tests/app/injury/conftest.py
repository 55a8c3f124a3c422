"""The runs of the plots' tests, for what stands around the injury panel."""

from __future__ import annotations

from tests.app.plots.conftest import make_run, shown, with_run

__all__ = ["make_run", "shown", "with_run"]
