"""python -m tools.thesis [--svg FOLDER]: ride both examples, draw the figures, write the comparison."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tools.thesis.conclusions import table
from tools.thesis.pictures import NAMES, draw
from tools.thesis.rides import figures_of, ride

GUIDE = Path(__file__).parents[2] / "resources" / "guide"
INTRODUCTION = """# The thesis, figure by figure

Viegas 2016 rides two coasters, the Looping Star and the GateKeeper (chapter 5), and draws conclusions (chapter
6). Their track data were never published. The bundled `looping_star` and `gatekeeper` are courses of the same
height, length and elements on smooth rails, ridden by the vehicle and the occupant of the thesis; so figures
agree in kind, and what depends on the printed track cannot agree in number. Everything here is written by
`python -m tools.thesis` from one ride each at the default settings; the numbers are in `thesis-numbers.json`.

## The conclusions, one by one

"""
NOTES = """
"g held" is what the upper torso feels without a break for a time, gravity in; on the Looping Star up to where
the last two curves begin. "Used" is that level over the tolerance curve at the duration with the least margin;
the curve is a recalled one of low confidence, as the figure of the thesis was taken from a source that was not
at hand. "Long" is a stretch of more than 30 m with more than 1.5 m/s² of NCA in the rail plane to one side.

## The figures

The shaded stretch of the Looping Star is the unbraked end that the thesis leaves out.
"""
WORDS = {
    "tilting": "roll of the carbody and non-compensated acceleration",
    "speed": "speed",
    "accelerations": "acceleration of the upper torso",
    "durations": "g against duration",
    "head": "HIC and 3 ms",
}


def main(arguments: list[str]) -> int:
    """Write the comparison; with --svg also the vector figures, elsewhere."""
    parser = argparse.ArgumentParser(prog="python -m tools.thesis", description=__doc__)
    parser.add_argument("--svg", metavar="FOLDER", help="write the figures as SVG into this folder too")
    options = parser.parse_args(arguments)
    numbers = {}
    lines = [NOTES]
    for name in ("looping_star", "gatekeeper"):
        this = ride(name)
        numbers[name] = figures_of(this)
        draw(this, GUIDE / "pictures")
        if options.svg:
            draw(this, Path(options.svg), "svg")
        lines.append(f"### {this.title}\n")
        lines += [f"![{this.title}: {WORDS[n]}](pictures/thesis_{name}_{n}.png)\n" for n in NAMES]
    (GUIDE / "thesis-numbers.json").write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    text, count = table(numbers["looping_star"], numbers["gatekeeper"])
    tally = ", ".join(f"{n} {verdict}" for verdict, n in count.items())
    page = f"{INTRODUCTION}{text}\n\nTogether: {tally}.\n" + "\n".join(lines)
    (GUIDE / "thesis-comparison.md").write_text(page.rstrip() + "\n", encoding="utf-8")
    print(tally)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
