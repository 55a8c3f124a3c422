"""The program speaks the terms of the field: what was once called otherwise does not come back."""

from __future__ import annotations

import re

import pytest

from tests.sources import ROOT, texts

PAGES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "resources" / "guide").rglob("*.md")}
# what must not be written, and the term of the field
COINAGES = {
    r"broke off|came to its end": "failed, finished",
    r"keep what there is": "keep partial results",
    r"forgotten run|bring back": "removed run, restore",
    r"judging of riders|how riders are judged": "rider assessment",
    r"on (?:a|the) bench|bodies on a bench": "test rig",
    r"\bmend(?:ed)? it\b|to be mended|what is wrong with it": "fix; error",
    r"told by the ending": "inferred from the extension",
    r"\bin action\b": "enabled",
    r"taken on at|let go at": "engage, release",
    r"clocks? of (?:its|their) own": "step size of its own, multirate",
    r"picture a second|pictures a second": "frames per second",
    r"passes through nothing": "clearance",
    r"\bmass centres?\b": "centre of mass",
    r"start place": "start position",
}


@pytest.mark.parametrize(("coinage", "term"), COINAGES.items(), ids=list(COINAGES.values()))
def test_that_the_terms_of_the_field_are_used(coinage: str, term: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in {**texts(), **PAGES}.items()
        if re.search(coinage, text, re.IGNORECASE)
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(coinage, line, re.IGNORECASE)
    ]
    assert not found, f"write: {term}\n" + "\n".join(found)
