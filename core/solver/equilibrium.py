"""Static equilibrium: the pose in which springs and joints carry the weight, and the loads of a motion.

Pseudo-transient continuation (Kelley & Keyes 1998): implicit steps (M / tau^2 + K) d = F + G^T lam under G d = -Phi,
without velocity, tau growing as the unbalanced force shrinks. It follows the way the mechanism would settle, so it ends
in the stable equilibrium below the start pose, and free directions without force stay where they are. Where surfaces
touch, what holds is found along the way: see `contact_rest`.
"""

from __future__ import annotations

import numpy as np

from ..base.errors import InputError
from ..multibody.compile import State, System
from ..multibody.force_kernels import keep_elements
from .balance import CLOSED, FIRST_TAU, LARGEST_MOVE, Balance, Equilibrium, Pose
from .carried import Carried
from .contact_rest import rest_on_contacts
from .ldl import Factor

STEPS = 4000
LAST_TAU = 1e4  # s
PATIENCE, SHORTER = 20, 0.1  # steps in balance that do not close, and what becomes of tau
STILL = 1e-10  # m or rad a step


def static_equilibrium(
    system: System,
    X: Factor,
    state: State,
    *,
    motion: Carried | None = None,
    each: bool = True,
    tolerance: float = 1e-6,
    steps: int = STEPS,
) -> Equilibrium:
    """Settle a system from an assembled state under its forces at that state's time.

    motion: of the train that carries it: under the loads of that it comes to rest against the train. Guides keep their
    arc lengths (a train is held where it stands; devices do nothing); without `each`, and of a train that moves, one of
    each row of coupled cars: the others hang on their couplings, or their loads are in balance along the track.
    tolerance: allowed imbalance relative to the weight of the whole system; of what weighs less than 1 N, 1 N counts,
    once nothing moves any more. steps: as many at most, where nothing touches.
    Raises InputError when it does not come to rest.
    """
    W = system.new_work()
    if len(W.touch):
        return rest_on_contacts(system, X, state, motion=motion, each=each, tolerance=tolerance)
    balance = Balance(system, X, W, state, motion, each)
    pose = Pose(state.r, state.p, state.path, np.zeros(system.rows)).copy()
    tau, before, moved, unbalanced, size, balanced = FIRST_TAU, np.inf, 0.0, np.inf, np.inf, 0
    for step in range(steps):
        missing = balance.at(pose)
        keep_elements(system.arrays, W)
        unbalanced = float(np.max(np.abs(missing), initial=0.0))
        allowed = tolerance * max(balance.weight, 1.0 if size <= STILL else 0.0)
        if unbalanced <= allowed and balance.open_by <= CLOSED:
            return balance.found(pose, step, unbalanced, moved)
        # what stays in balance but does not close, since it still creeps, is closed without moving on
        balanced = balanced + 1 if unbalanced <= allowed else 0
        closing = balanced >= PATIENCE
        longer = SHORTER if closing else float(np.clip(before / max(unbalanced, 1e-300), 0.5, 2.0))
        tau = min(LAST_TAU, max(FIRST_TAU, tau * longer))
        before = unbalanced
        if not balance.factorise(pose.lam, tau):
            break
        size = balance.solve(missing * (not closing))
        if not np.isfinite(size):
            break
        scale = min(1.0, LARGEST_MOVE / size) if size > 0.0 else 1.0
        if scale < 1.0:
            tau = max(FIRST_TAU, 0.7 * tau)
        pose = balance.moved(pose, scale)
        moved += scale * size
    raise InputError(
        f"The model does not come to rest under its weight (largest imbalance {unbalanced:.3g} N or N m);"
        " support what falls freely, and of what is pushed steadily take the modes at a time of its run (--time)."
    )
