"""Where in a step a quantity has a value, or turns.

Between the ends of a step it follows the cubic through its values and rates there (Hermite); the error is of fourth
order of the step, two above that of the integrator.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner

HALVINGS = 45


@inner
def between_ends(x, x0, v0, x1, v1):
    """Value at the share x of a step of the cubic with end values x0, x1 and changes at their rates v0, v1."""
    rise = x1 - x0
    return x0 + x * (v0 + x * (3.0 * rise - 2.0 * v0 - v1 + x * (v0 + v1 - 2.0 * rise)))


@inner
def crossing(level, x0, v0, x1, v1):
    """Share of a step after which a level is crossed, 1 when both ends lie on the same side of it."""
    if (x0 > level) == (x1 > level):
        return 1.0
    a, b = 0.0, 1.0
    for _ in range(HALVINGS):
        x = 0.5 * (a + b)
        if (between_ends(x, x0, v0, x1, v1) > level) == (x0 > level):
            a = x
        else:
            b = x
    return b


@inner
def turning(x0, v0, x1, v1):
    """Share of a step at which the rate of the cubic passes zero, 1 when it has one sign at both ends."""
    if v0 == 0.0 or (v0 > 0.0) == (v1 > 0.0):
        return 1.0
    rise = x1 - x0
    c1, c2 = 3.0 * rise - 2.0 * v0 - v1, v0 + v1 - 2.0 * rise
    a, b = 0.0, 1.0
    for _ in range(HALVINGS):
        x = 0.5 * (a + b)
        if (v0 + x * (2.0 * c1 + 3.0 * c2 * x) > 0.0) == (v0 > 0.0):
            a = x
        else:
            b = x
    return b
