"""What a start of the program sets for the whole process, and that importing core sets nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from ridewright.core.base.own_process import OFTEN, THREADS

SHOW = "import gc, json, os, sys; print(json.dumps([gc.get_threshold()[0], os.environ.get('OPENBLAS_NUM_THREADS')]))"


def after(code: str, **environment: str) -> tuple[int, str | None]:
    """The garbage threshold and the wish for threads of a fresh process that has run some code."""
    around = {name: value for name, value in os.environ.items() if name not in THREADS}
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{SHOW}"],
        env={**around, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return found[0], found[1]


def test_that_importing_core_leaves_the_process_as_it_is() -> None:
    assert after("import ridewright.core.project.project, ridewright.core.cli") == after("")


def test_that_a_start_of_the_program_sets_up_its_process() -> None:
    assert after("from ridewright.core.cli import main\nmain(['examples'])") == (OFTEN, "1")


def test_that_what_the_user_has_set_stays() -> None:
    set_by_hand = (
        "import gc\ngc.set_threshold(50_000)\nfrom ridewright.core.base.own_process import set_up\nset_up()"
    )
    assert after(set_by_hand, OPENBLAS_NUM_THREADS="3") == (50_000, "3")
    assert after(set_by_hand.replace("50_000", "0")) == (0, "1")  # collection switched off


def test_that_only_a_process_of_its_own_leaves_what_exists_out_of_collections() -> None:
    program = (
        "import gc; from ridewright.core.base import own_process as own; own.settle(); before = gc.get_freeze_count();"
        " own.set_up(); own.settle(); print(before, gc.get_freeze_count() > 1000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["0", "True"]
