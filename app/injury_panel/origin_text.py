"""Where a value comes from, and what would change it, in words."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..widgets import theme, units

if TYPE_CHECKING:
    from ...core.outcome.origin import (  # the solver, slow to load
        Effect,
        Origin,
        Sensitivity,
        SpringState,
    )


def facts_of(o: Origin) -> list[tuple[str, str]]:
    """What was there at the moment of a value: heading and text of each line."""
    when = units.text(o.shown, "s", decimals=2)
    if abs(o.shown - o.time) > 1e-9:
        when += f" in the filtered signal, felt at {units.text(o.time, 's', decimals=2)}"
    facts = [("When", when)]
    if o.arc_length is not None:
        place = units.text(o.arc_length, "m", decimals=1)
        facts.append(("Where", place if o.section is None else f"{place}, {o.section}"))
    if o.curvature is not None:
        bend = "straight" if o.radius is None else f"radius {units.text(o.radius, 'm', decimals=1)}"
        facts.append(("Curve", bend))
        sides = (
            f"{units.text(o.curvature_normal or 0.0, '1/m')} upward, "
            f"{units.text(o.curvature_lateral or 0.0, '1/m')} to the left"
        )
        facts.append(("Curvature", sides))
        facts.append(("Gradient", units.text(o.gradient or 0.0, "rad", decimals=1)))
        facts.append(("Cant", units.text(o.cant or 0.0, "rad", decimals=1)))
        rate = units.text(o.cant_rate or 0.0, "rad/m")
        if o.cant_speed is not None:
            rate += f", {units.text(o.cant_speed, 'rad/s')}"
        facts.append(("Cant rate", rate))
    if o.speed is not None:
        facts.append(("Speed", units.text(o.speed, "m/s")))
    if o.felt is not None:
        felt = ", ".join(
            f"{axis} {units.text(g, 'g')}" for axis, g in zip(("Gx", "Gy", "Gz"), o.felt, strict=True)
        )
        facts.append(("Felt", f"{felt} (as recorded)"))
    if o.nca is not None:
        text = units.text(o.nca, "m/s^2")
        if o.nca_rails is not None:
            text += f" in the carbody, {units.text(o.nca_rails, 'm/s^2')} in the rail plane"
        facts.append(("NCA", text))
    if o.roll is not None:
        facts.append(("Roll of the carbody", units.text(o.roll, "rad")))
    facts += [(spring.name, _spring(spring)) for spring in o.springs]
    return facts


def _spring(spring: SpringState) -> str:
    sliding = spring.unit == "m"
    travel = units.text(spring.travel, "mm" if sliding else "rad")
    force = units.text(spring.force, "N" if sliding else "N m", decimals=0)
    touch = "" if spring.contact is None else (", in contact" if spring.contact else ", free")
    return f"{travel} from free, {force}{touch}"


def origin_html(o: Origin) -> str:
    """The moment as a table."""
    muted = theme.current().muted
    rows = "".join(
        f"<tr><td width='130' style='color:{muted}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in facts_of(o)
    )
    notes = "".join(f"<p style='color:{muted}; margin:4px 0'>{escape(note)}</p>" for note in o.notes)
    return f"<table cellspacing='1'>{rows}</table>{notes}"


def effect_text(effect: Effect, unit: str) -> str:
    """What one change does, beside its bar."""
    change = f"{effect.change:+.3g} {'' if unit == '1' else unit}".strip().replace("-", "−")
    share = f"{100.0 * effect.relative:+.2f} %".replace("-", "−")
    return f"{change} ({share})"


def sensitivity_head(s: Sensitivity) -> str:
    """Whether the short ride gave the value of the whole one."""
    unit = "" if s.unit == "1" else f" {s.unit}"
    same = "as in the run" if s.reproduced else "not as in the run"
    return f"Ridden again from {s.start:.1f} to {s.end:.1f} s: {s.again:.3g}{unit}, {same}."
