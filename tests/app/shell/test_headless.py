"""Without a display `make run` rides an example and writes its report."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("typst")

from ridewright.app.shell import headless
from ridewright.core.results.results import Results


@pytest.mark.nightly
def test_that_the_headless_run_says_where_everything_is(
    make_results: Callable[..., Results],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = types.ModuleType("ridewright.core.run.simulate")
    engine.simulate = lambda project, **_: make_results()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ridewright.core.run.simulate", engine)
    assert headless.main(["--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    for name in ("results.h5", "summary.json", "report.pdf", "pages"):
        assert (tmp_path / "out" / name).exists()
        assert str(tmp_path / "out" / name) in out
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert any((tmp_path / "out" / "pages").glob("*.png"))


def test_that_an_unknown_example_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert headless.main(["--example", "no such ride", "--out", str(tmp_path)]) == 2
    assert "ridewright: no example is called" in capsys.readouterr().err
