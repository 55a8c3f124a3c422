"""Kernel of the line tables: what the motion of a point and the loads of a rider need, from curve and canted frame.

The numpy-level functions that document shapes and meaning are in `tables.py`.
"""
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..jit.decorators import kernel

# columns of the motion of one point, all by the arc length s of the centreline
HEIGHT, SLOPE, MASS, MASS_RATE, PACE, PACE3, SIDE_2, SIDE_0, UP_2, UP_0, BEND_SIDE, BEND_UP = range(12)
# columns of the rider's table, each three components along forward, left and up of the canted track frame
PATH_1, PATH_2, UPRIGHT, BEND = 0, 3, 6, 9


ON_RAILS, ON_HEARTLINE, ABOVE_RAILS = 0, 1, 2


@kernel
def line_fields(
    curve: Array,
    left: Array,
    twist: Array,
    height: Array,
    beyond: Array,
    upward: Array,
    carried: int,
    mass_height: float,
    motion: Array,
    rider: Array,
) -> None:
    """Fill motion (n, 12) and rider (n, 12) at n places.

    curve (n, 5, 3), left (n, 3), twist (n, 3) as in `FrameState`; height (n, 3) of the heartline with two derivatives;
    beyond (n,) m: how far the place lies outside an open end, where the track goes on straight; upward (3,) unit
    vector against gravity; carried: where the mass is, ON_HEARTLINE, ON_RAILS (on the centreline, only its weight
    mass_height (m) above it) or ABOVE_RAILS (weight and inertia mass_height above it, on the canted track).

    The heartline is h = c + H u. With t' = a l + b u, l' = -a t + w u, u' = -b t - w l its derivatives have, along
    t, l, u, h' = (1 - H b, -H w, H') and h'' = (p' - q a - r b, p a + q' - r w, p b + q w + r') with h' = (p, q, r).

    The force of the wheels on a free mass per its mass is SIDE_2 q + SIDE_0 g to the left and UP_2 q + UP_0 g upwards,
    at q = (ds/dt)^2: the parts across the path of h'' and of the upward vector along m = u - r h'/h'^2, which is u
    where the line keeps its height above the rails, and along m x h'. BEND_SIDE, BEND_UP: a and b.
    """
    for i in range(curve.shape[0]):
        t, t1, t2 = curve[i, 1], curve[i, 2], curve[i, 3]
        l = left[i]
        up0 = t[1] * l[2] - t[2] * l[1]
        up1 = t[2] * l[0] - t[0] * l[2]
        up2 = t[0] * l[1] - t[1] * l[0]
        inside = 1.0 if beyond[i] == 0.0 else 0.0
        w, w1 = inside * twist[i, 0], inside * twist[i, 1]
        a = inside * (t1[0] * l[0] + t1[1] * l[1] + t1[2] * l[2])
        b = inside * (t1[0] * up0 + t1[1] * up1 + t1[2] * up2)
        b1 = inside * (t2[0] * up0 + t2[1] * up1 + t2[2] * up2) - w * a
        H, H1, H2 = height[i, 0], inside * height[i, 1], inside * height[i, 2]
        p, q, r = 1.0 - H * b, -H * w, H1
        p1, q1, r1 = -H1 * b - H * b1, -H1 * w - H * w1, H2
        second = (p1 - q * a - r * b, p * a + q1 - r * w, p * b + q * w + r1)
        e_t = upward[0] * t[0] + upward[1] * t[1] + upward[2] * t[2]
        e_l = upward[0] * l[0] + upward[1] * l[1] + upward[2] * l[2]
        e_u = upward[0] * up0 + upward[1] * up1 + upward[2] * up2
        rider[i, 0], rider[i, 1], rider[i, 2] = p, q, r
        rider[i, 3], rider[i, 4], rider[i, 5] = second[0], second[1], second[2]
        rider[i, 6], rider[i, 7], rider[i, 8] = e_t, e_l, e_u
        rider[i, 9], rider[i, 10], rider[i, 11] = a, b, w
        z = upward[0] * curve[i, 0, 0] + upward[1] * curve[i, 0, 1] + upward[2] * curve[i, 0, 2]
        z += beyond[i] * e_t
        if carried == ON_HEARTLINE:
            z += H * e_u
        elif carried == ABOVE_RAILS:
            z += mass_height * e_u
            p, q, r = 1.0 - mass_height * b, -mass_height * w, 0.0
            p1, q1 = -mass_height * b1, -mass_height * w1
            second = (p1 - q * a, p * a + q1, p * b + q * w)
        else:
            p, q, r = 1.0, 0.0, 0.0
            second = (0.0, a, b)
            z += mass_height * e_u
        slope = p * e_t + q * e_l + r * e_u
        pace2 = p * p + q * q + r * r
        along = p * second[0] + q * second[1] + r * second[2]
        pace = np.sqrt(pace2)
        # part of h'' across the path, its square and its upward component
        back = along / pace2
        n0, n1, n2 = second[0] - back * p, second[1] - back * q, second[2] - back * r
        motion[i, 0], motion[i, 1] = z, slope
        if carried == ON_RAILS:
            motion[i, 1] -= mass_height * (b * e_t + w * e_l)
        motion[i, 2], motion[i, 3] = pace2, 2.0 * along
        motion[i, 4], motion[i, 5] = pace, pace2 * pace
        m0, m1, m2 = -r * p / pace2, -r * q / pace2, 1.0 - r * r / pace2
        size = np.sqrt(m2)
        m0, m1, m2 = m0 / size, m1 / size, m2 / size
        d0, d1, d2 = (m1 * r - m2 * q) / pace, (m2 * p - m0 * r) / pace, (m0 * q - m1 * p) / pace
        motion[i, 6], motion[i, 7] = n0 * d0 + n1 * d1 + n2 * d2, e_t * d0 + e_l * d1 + e_u * d2
        motion[i, 8], motion[i, 9] = n0 * m0 + n1 * m1 + n2 * m2, e_t * m0 + e_l * m1 + e_u * m2
        motion[i, 10], motion[i, 11] = a, b
