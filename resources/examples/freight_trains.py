"""Freight trains after Massa et al. 2012: two cars pushed, ten cars pushed, two cars on a curved track.

Data of the paper's Tables 1 and 2 and sections 9 to 11. It does not print the shank's length (here 0.8 m), the height
of the couplers (here that of the centreline, so that cant does not shift them), the spacing of the rails (here
1.511 m), the car that is pushed in the long train (here the last) and which coordinates were set free (here the place
along the track alone: one body a car, with a full guide). `inertia` of the couplings switches between both models.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.couplings.coupler import CarCoupler
from ridewright.core.model.forces.coupler import CouplerEnd
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.functions import constant
from ridewright.core.model.guides import Guide
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.elements.railway_curve import RailwayCurveSection

APART = 13.976  # m, between centres of mass
KNUCKLE, REST, SHANK = 0.204, 0.289, 0.8  # m
LOADED = (93800.0, (1.17e5, 1.37e6, 1.38e6), 1.85)  # kg, kg m^2, m
EMPTY = (23800.0, (2.09e4, 2.37e5, 2.43e5), 1.085)
RAILS = 1.511  # m, centre to centre
BODY = "Car body"


def car(name: str, load: tuple[float, tuple[float, float, float], float], behind: float) -> Assembly:
    """A car of one body, guided with all rotations on the centreline under its centre of mass."""
    mass, inertia, height = load
    return Assembly(
        name=name, role="car", offset=behind,
        bodies=(Body(name=BODY, mass=mass, inertia=inertia, position=(0.0, 0.0, height)),),
        guides=(Guide(name="Wheels", kind="full", body=BODY, point=(0.0, 0.0, -height)),),
    )  # fmt: skip


def train(
    count: int,
    load: tuple[float, tuple[float, float, float], float],
    *,
    inertia: bool = False,
    damping: float = 2.5e5,
    knuckle: float = KNUCKLE,
    push: float = 0.0,
    rates: str = "equilibrium",
) -> Assembly:
    """Cars, the first one ahead, coupled one to the next; the last is pushed with a force (N) along x."""
    cars = tuple(car(f"Car {k + 1}", load, k * APART) for k in range(count))
    end = CouplerEnd(rest_length=REST, shank_length=SHANK, damping=damping)
    half = 0.5 * (APART - 2.0 * (REST + SHANK) - knuckle)
    couplings = tuple(
        CarCoupler(
            # the car behind comes first, as in the paper
            name=f"Coupling {k + 1}", body_i=f"Car {k + 2}/{BODY}", point_i=(half, 0.0, -load[2]),
            body_j=f"Car {k + 1}/{BODY}", point_j=(-half, 0.0, -load[2]),
            end_i=end, end_j=end, knuckle_length=knuckle, inertia=inertia, rates=rates,
        )
        for k in range(count - 1)
    )  # fmt: skip
    force = AppliedForce(
        name="Push", body=f"Car {count}/{BODY}", components=(constant(push), constant(0), constant(0))
    )
    return Assembly(
        name="Train", role="train", children=cars, couplings=couplings, forces=(force,) if push else ()
    )


def _straight(name: str, notes: str, made: Assembly, duration: float, length: float) -> Project:
    start = made.children[-1].offset + 20.0
    section = StraightSection(name="Straight", start=(0.0, 0.0, 0.0), end=(length, 0.0, 0.0), cant=0.0)
    return Project(
        name=name, notes=notes, track=Track(name="Straight", sections=(section,), gauge=RAILS), train=made,
        scenario=Ride(start=start, speed=0.0, duration=duration),
    )  # fmt: skip


def two_cars(inertia: bool = False, load: str = "loaded", rates: str = "equilibrium") -> Project:
    """Two cars on straight level track, the rear one pushed with 3e5 N for 3 s."""
    which = {"loaded": LOADED, "empty": EMPTY}[load]
    notes = (
        f"Two {load} freight cars after Massa et al. 2012, section 9: 300 kN push the rear one for 3 s.\n"
        "The switch 'Mass of the parts' of the coupling chooses between four bodies and none."
    )
    made = train(2, which, inertia=inertia, push=3e5, rates=rates)
    return _straight(f"Two {load} cars", notes, made, 3.0, 120.0)


def ten_cars(inertia: bool = False, rates: str = "equilibrium") -> Project:
    """Ten loaded cars on straight level track, the last one pushed with 3e6 N for 20 s."""
    notes = "Ten loaded freight cars after Massa et al. 2012, section 10: 3 MN push the last one for 20 s."
    made = train(10, LOADED, inertia=inertia, damping=8e5, push=3e6, rates=rates)
    return _straight("Ten loaded cars", notes, made, 20.0, 900.0)


def curved_track() -> Track:
    """The track of the paper, 853.44 m: a left and a right curve of 3 degrees, spirals of 121.92 and 91.44 m."""
    shape = {
        "curve_radius": None, "degree": math.radians(3.0), "curve_length": 91.44, "superelevation": 0.0762,
        "smoothness": "linear",
    }  # fmt: skip
    left = RailwayCurveSection(
        name="Left curve", direction="left", tangent_in=60.96, spiral=121.92, spiral_out=91.44, tangent_out=121.92,
        pose={"position": (0.0, 0.0, 0.0)}, **shape,
    )  # fmt: skip
    right = RailwayCurveSection(
        name="Right curve", direction="right", spiral=91.44, spiral_out=121.92, tangent_out=60.96, **shape
    )
    return Track(name="Curved track", sections=(left, right), gauge=RAILS)


def curve(inertia: bool = False, rates: str = "equilibrium") -> Project:
    """Two loaded cars at 20 m/s over the curved track, the knuckle without length."""
    made = train(2, LOADED, inertia=inertia, knuckle=0.0, rates=rates)
    notes = (
        "Two loaded freight cars after Massa et al. 2012, section 11: 20 m/s over 853 m of track with two curves of"
        " 3 degrees; the shanks turn in the spirals."
    )
    return Project(
        name="Freight cars in curves", notes=notes, track=curved_track(), train=made,
        scenario=Ride(start=20.0, speed=20.0, duration=40.0),
    )  # fmt: skip


EXAMPLES: dict[str, Callable[[], Project]] = {
    "two_cars_loaded": two_cars,
    "two_cars_empty": lambda: two_cars(load="empty"),
    "ten_cars": ten_cars,
    "freight_curve": curve,
}
