"""Words for the states of runs."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "done": "finished",
    "early": "ended early",
    "screened": "screened out",
    "failed": "failed",
}
