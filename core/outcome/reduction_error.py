"""The flexible bodies of frames of beams beside their whole models, see `core.structure.reduction_error`."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix, diags

from ..multibody.flexible import Flexible, built_of
from ..structure.model import Structure
from ..structure.reduction_error import COUNT, ModeError, compared


def reduction_error(flexible: Flexible, held: str, count: int = COUNT) -> tuple[ModeError, ...]:
    """The lowest modes with an interface held, reduced beside whole, each with the one of its number.

    Of a body whose whole model is not kept, because it was imported or because bodies were taken out of its mass, none.
    Raises InputError for what cannot be built.
    """
    description = flexible.description
    if description.imported is not None or description.includes_bodies:
        return ()
    structure = built_of(description)[0]
    extra = np.zeros(structure.size)
    for mass in description.masses:
        extra[structure.of_frame(mass.node)[:3]] += mass.mass
    whole = Structure(
        structure.nodes,
        structure.unknowns,
        structure.K,
        csc_matrix(structure.M + diags(extra)),
        structure.frames,
    )
    return compared(whole, flexible.floating, held, count)
