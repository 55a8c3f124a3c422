"""Rest on surfaces: the pose in which what touches carries what lies on it, contacts on and off found along the way.

As without contacts each step is one of pseudo-transient continuation, (M / tau^2 + K) d = F + G^T lam under G d = -Phi.
Three things are different where surfaces touch.

Friction. At rest nothing slips, and a law that asks for a slip speed gives nothing: nobody would sit on an inclined
seat. So here smoothed friction holds as bristles do, its regularisation: a spring of STICK along the surface from where
two points first touched, which gives way at mu N (return mapping: a step begins from what the last one left). Friction
that holds by itself keeps its own stiffness, and what it is bent by goes into the state that is found, so that a run
begins with it. Among the many poses that friction allows this is one that is reached by sliding from the drawn one.

What slides has a tangent of zero along its way, but k_t mu N / |f| across it and k_t back again: a Newton step that
takes it for free runs to and fro over the border of the two. Here its tangent is a share of k_t, in the matrix only,
never in the force: a share of 1 never overshoots, and creeps; it is lowered while steps fall short, and raised where
they do not. What is nearly in balance (NEARLY) and slides to and fro still after LATE steps is frozen: all of it sticks
where it is, and the steps converge as Newton's do; where friction then exceeds mu N by more than OVER of the weight it
is let slide back to that, and so on until none does.

What slides far against a weak spring creeps: its steps go the same way, each by the same share less than the one
before. Where that is seen over PERIOD steps (ALIKE) the sum of the series ahead is gone at once (Aitken), at most as
far as a step may; friction follows by its return mapping, and the steps after it close what that opens.

The length of steps. By the model of the step the directional derivative behind a share s of it is
p = (1 - s) F.d + s d.M d / tau^2. Where the true one, F(s).d, lies below p by more than F.d, the step has run into
something that the tangent did not know, a surface that was not touched for one, and is shortened (a line search on the
derivative, which needs no energy: friction has none). By how much the model fails follows how tau grows and shrinks.

The side of the hill. A step goes down only if its matrix has as many negative pivots as constraints (the inertia of a
saddle-point matrix that is positive on the null space of G). Otherwise tau is halved: what stands on its tip falls, and
is not balanced there.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..multibody.arrays import BODY, Work, reals
from ..multibody.compile import State, System
from ..multibody.contact_kernels import (
    AT_PAIRS,
    BENT_MEMORY,
    BRISTLE,
    C_T,
    F_PAIRS,
    F_SPOTS,
    FRICTION,
    FX,
    K_F,
    K_S,
    K_T,
    LOAD,
    M0,
    M1,
    MU,
    PAIR_COLUMNS,
    PAIR_NUMBERS,
    PAIRS,
    S0,
    S1,
    SMOOTH,
    SPOT_NUMBERS,
    SPOTS,
    SPRING,
)
from ..multibody.force_kernels import keep_elements
from ..multibody.layout import RIGID
from .balance import CLOSED, FIRST_TAU, LARGEST_MOVE, Balance, Equilibrium, Pose
from .carried import Carried
from .ldl import Factor

STEPS = 4500
SHARP = 0.1  # of the tolerance: what is missing at every part of a body that is one adds up to what its surfaces carry
PERIOD = 20  # steps from look to look for a creep
SLOWLY, ALIKE = 0.5, 0.9  # of what creeps: share of the last way that is gone again, cosine between both
STICK = 2e4  # N/m along a surface: 20 N a millimetre, about as stiff as what is sat on
SHORTEST, LONGEST = 1e-3, 1e3  # s
TRIES = 5  # of a share of a step
LATE = 2000  # steps
NEARLY, OVER = 1e-3, 5e-4  # of the weight: what is so near its balance is frozen; friction beyond mu N
LEAST_SHARE = 0.05  # of the stiffness of what sticks, for what slides
LEANS, FAR = 0.3, 2.0  # m, from where on something is seen to fall; and to come to rest nowhere
NEAR = 0.05  # m, what moves less sways about its rest
WORDS = (("forwards", "backwards"), ("to the left", "to the right"), ("upwards", "downwards"))
AXES = (("along +x", "along -x"), ("along +y", "along -y"), ("upwards", "downwards"))


class Grips:
    """The pairs of a work that hold along their surfaces; smoothed friction is made to hold in its tables."""

    def __init__(self, system: System) -> None:
        work = system.new_work()
        I, own = work.touch, len(work.memory)  # these are the work's own copies
        self.pairs = I[I[AT_PAIRS] : I[AT_PAIRS] + I[PAIRS] * PAIR_COLUMNS].reshape(-1, PAIR_COLUMNS)
        self.numbers = work.contact[I[F_PAIRS] : I[F_PAIRS] + I[PAIRS] * PAIR_NUMBERS].reshape(
            -1, PAIR_NUMBERS
        )
        self.spots = work.contact[I[F_SPOTS] : I[F_SPOTS] + I[SPOTS] * SPOT_NUMBERS].reshape(-1, SPOT_NUMBERS)
        # of the method of points the single points remember nothing: these do not hold
        single = self.pairs[:, S1] - self.pairs[:, S0] == 1
        made = np.flatnonzero((self.pairs[:, FRICTION] == SMOOTH) & single)
        self.spans = self.pairs[np.isin(self.pairs[:, FRICTION], (BRISTLE, SPRING))][:, [M0, M1]]
        self.pairs[made, FRICTION] = BRISTLE
        self.numbers[made, K_T], self.numbers[made, C_T] = STICK, 0.0
        self.pairs[made, M0] = own + BENT_MEMORY * np.arange(len(made))
        self.pairs[made, M1] = self.pairs[made, M0] + BENT_MEMORY
        self.slide = np.flatnonzero((self.pairs[:, FRICTION] == BRISTLE) & single)
        self.work: Work = work._replace(
            memory=np.concatenate([work.memory, np.zeros(BENT_MEMORY * len(made))])
        )

    def hold(self, always: bool) -> None:
        """Let what may slide stick where it is, or slide again."""
        self.pairs[self.slide, FRICTION] = SPRING if always else BRISTLE

    def excess(self) -> float:
        """By how much (N) friction exceeds what it may be, at most, as the last forces have it."""
        spot = self.spots[self.pairs[self.slide, S0]]
        size = np.linalg.norm(spot[:, FX : FX + 3], axis=1)
        return float(np.max(size - self.numbers[self.slide, MU] * spot[:, LOAD], initial=0.0))

    def soften(self, share: float) -> None:
        """Give what slides, as the last forces have it, a share of its stiffness in the tangent."""
        spot = self.pairs[self.slide, S0]
        for slope in (K_S, K_F):
            self.spots[spot, slope] = np.maximum(
                self.spots[spot, slope], share * self.numbers[self.slide, K_T]
            )

    def memory(self, start: Array) -> Array | None:
        """What a run is to remember whose own friction holds; None where none does. start: of a work untouched."""
        if not len(self.spans):
            return None
        found = start.copy()
        for first, end in self.spans:
            found[first:end] = self.work.memory[first:end]
        return found


class Trail:
    """Poses from look to look, by which a creep is seen: the same way, by less and less."""

    def __init__(self, begun: Pose) -> None:
        self.last, self.way = begun, np.zeros(begun.r.size + begun.p.size)

    def end(self, pose: Pose) -> Pose | None:
        """Where a creep ends that has come to a pose, or as far ahead as a step goes; None where nothing creeps."""
        way = np.concatenate([(pose.r - self.last.r).ravel(), (pose.p - self.last.p).ravel()])
        before, self.way, self.last = self.way, way, pose
        size, was = float(np.linalg.norm(way)), float(np.linalg.norm(before))
        if not SLOWLY * was < size < was or float(way @ before) < ALIKE * size * was:
            return None
        ahead = min(size / (was - size), LARGEST_MOVE / float(np.max(np.abs(way))))
        to = pose.copy()
        to.r += ahead * way[: pose.r.size].reshape(pose.r.shape)
        to.p += ahead * way[pose.r.size :].reshape(pose.p.shape)
        to.p /= np.linalg.norm(to.p, axis=1)[:, None]
        self.last, self.way = to, np.zeros(len(way))
        return to


def rest_on_contacts(
    system: System, X: Factor, state: State, *, motion: Carried | None, each: bool, tolerance: float
) -> Equilibrium:
    """As `equilibrium.static_equilibrium`, of a system in which surfaces touch.

    Raises InputError, which names the part that finds no hold and where it goes, when it does not come to rest.
    """
    grips = Grips(system)
    W = grips.work
    balance = Balance(system, X, W, state, motion, each)
    begun = pose = Pose(state.r, state.p, state.path, np.zeros(system.rows)).copy()
    missing = balance.at(pose)
    keep_elements(system.arrays, W)
    tau, share, went, frozen = FIRST_TAU, 1.0, 0.0, False
    trail = Trail(begun)
    leant = np.full_like(pose.r, np.nan)  # how each part had gone when it was first seen to fall
    allowed = SHARP * tolerance * max(balance.weight, 1.0)
    for step in range(STEPS):
        unbalanced = float(np.max(np.abs(missing), initial=0.0))
        if unbalanced <= allowed and balance.open_by <= CLOSED:
            if grips.excess() <= OVER * balance.weight:
                return balance.found(pose, step, unbalanced, went, grips.memory(system.new_work().memory))
            grips.hold(False)
            balance.at(pose)
            keep_elements(system.arrays, W)
            grips.hold(True)
            missing = balance.at(pose)
        elif step >= LATE and frozen != (unbalanced <= NEARLY * balance.weight * (10.0 if frozen else 1.0)):
            frozen = not frozen
            grips.hold(frozen)
            missing = balance.at(pose)
        grips.soften(share)
        tau = _downhill(balance, pose.lam, tau)
        size = balance.solve(missing)
        if not np.isfinite(size):
            break
        pose, missing, off, taken = _line(
            balance, pose, missing, tau, min(1.0, LARGEST_MOVE / max(size, 1e-300))
        )
        keep_elements(system.arrays, W)
        went += taken * size
        cut = off < -1.0 or taken < 1.0
        share = _stiffness(share, off, cut)
        tau *= _growth(off, cut)
        gone = pose.r - begun.r
        first = np.isnan(leant[:, 0]) & (np.linalg.norm(gone, axis=1) > LEANS)
        leant[first] = gone[first]
        if float(np.max(np.abs(gone), initial=0.0)) > FAR:
            break
        ahead = trail.end(pose) if step % PERIOD == 0 and not frozen else None
        if ahead is not None:
            pose, missing = ahead, balance.at(ahead)
            keep_elements(system.arrays, W)
    raise InputError(_no_hold(system, begun, pose, leant, missing))


def _downhill(balance: Balance, lam: Array, tau: float) -> float:
    """Factorise a step of tau (s), or of a shorter one that goes down; returns its length."""
    X = balance.factor
    while True:
        tau = min(LONGEST, max(SHORTEST, tau))
        found = balance.factorise(lam, tau)
        down = int(np.sum(X.D[: len(X.perm)] < 0.0)) == balance.system.rows
        if (found and down) or tau == SHORTEST:
            return tau
        tau *= 0.5


def _line(
    balance: Balance, pose: Pose, missing: Array, tau: float, share: float
) -> tuple[Pose, Array, float, float]:
    """The pose behind a share of the step, shortened where that runs into something; what is missing there, by how much
    of F.d the derivative is off the step's own model, and the share."""
    d = balance.dx[: balance.system.coordinates]
    before, inertia = float(missing @ d), float(d @ balance.system.mass_times(d)) / tau**2
    for again in range(TRIES):
        to = balance.moved(pose, share)
        there = balance.at(to)
        off = (float(there @ d) - (1.0 - share) * before - share * inertia) / max(abs(before), 1e-300)
        if off >= -1.0 or again == TRIES - 1:
            break
        share *= 0.5 if off > -4.0 else 0.2
    return to, there, off, share


def _growth(off: float, cut: bool) -> float:
    """What becomes of tau behind a step whose model was off by so much."""
    if cut:
        return 0.4
    return 2.5 if abs(off) < 0.5 else 1.3 if abs(off) < 0.9 else 0.9


def _stiffness(share: float, off: float, cut: bool) -> float:
    """What becomes of the share of stiffness of what slides behind such a step."""
    if cut or off < -0.4:
        return min(1.0, 2.0 * share)
    return max(LEAST_SHARE, 0.7 * share) if off > -0.1 else share


def _no_hold(system: System, begun: Pose, pose: Pose, leant: Array, missing: Array) -> str:
    """What is said of the part that falls most up to a pose, mass times way, of how it began to, and of what is missing
    most at last. Hands that hang down have gone further than the trunk that falls, and say nothing about it."""
    nb, rigid = system.bodies, system.layout.rigid[: system.bodies]
    gone = pose.r[:nb] - begun.r[:nb]
    masses = reals(system.arrays, BODY)[:nb, 0]
    part = int(np.argmax(masses * np.linalg.norm(gone, axis=1)))
    way = gone[part] if np.isnan(leant[part, 0]) else leant[part]
    far = float(np.linalg.norm(way))
    lacks = np.abs(missing[rigid])
    body, slot = divmod(int(np.argmax(lacks)), RIGID)
    most = say(
        "{load:.3g N} are missing at '{body}'" if slot < 3 else "{load:.3g N m} are missing at '{body}'",
        load=float(lacks[body, slot]), body=system.names[body],
    )  # fmt: skip
    if far < NEAR:
        return say(
            "The model does not come to rest on what it touches: {most}; nothing moves far.", most=most
        )
    return say(
        "The model does not come to rest: '{part}' finds no hold {way}: it goes on at {far:.2f m} from where it is"
        " drawn; {most}."
        " Support it on that side, or brace the muscles that hold it.",
        part=system.names[part], way=_way(system, begun, part, way), far=far, most=most,
    )  # fmt: skip


def _way(system: System, begun: Pose, part: int, gone: Array) -> str:
    """A way (3,) m of a part in words: of riders as their seats face, of others in world axes."""
    words = AXES
    for seated in system.seated:
        if seated.bodies[0] <= part < seated.bodies[1]:
            words, gone = WORDS, rotation_matrix(begun.p[seated.seat]).T @ gone
    order = np.argsort(-np.abs(gone))
    named = [words[k][0 if gone[k] > 0.0 else 1] for k in order if abs(gone[k]) > 0.4 * abs(gone[order[0]])]
    return " and ".join(named)
