"""The laws of several coordinates compiled, as another engine asks for them thousands of times a second."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.choice import choice
from ..jit.decorators import kernel
from ..multibody.law_kernels import WIDE

NUMBER = {id(law): k for k, law in enumerate(WIDE)}
_wide = choice([(k, law.evaluate) for k, law in enumerate(WIDE)])


@kernel
def say_law(law, p, x, v, z, zdot, m, s, out):
    """Fill out (ROWS, COLUMNS), which is cleared, with what a law of a number says (`core.model.laws`)."""
    out[:] = 0.0
    _wide(law, p, x, v, z, zdot, m, s, out)
