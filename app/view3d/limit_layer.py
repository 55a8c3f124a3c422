"""Joints that are beyond their range of motion, as red balls in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.human.drawing import LimitedJoint, limited_joints
from ...core.model.bodies import GROUND
from ...core.model.placement import joined, placed_model
from ...core.project.project import Project
from ..widgets.theme import Colours
from .actors import add, make_actor, put, remove
from .mesh import ellipsoid, solid
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv
    from scipy.spatial.transform import Rotation

ROUNDING: Final = 1e-9  # rad; a joint drawn at its limit is not beyond it
RADIUS: Final = 0.065  # m, a little more than a joint, so that it shows through the skin


class LimitLayer:
    """A ball at every joint with limits; shown while the joint is beyond one."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._joints: list[tuple[str, LimitedJoint]] = []  # with their paths
        self._balls: list[tuple[pv.Actor, vtkMatrix4x4] | None] = []  # made when their joint first is beyond
        self._mesh: pv.PolyData | None = None
        self._train: TrainLayer | None = None
        self._moving = False
        self._start: Rotation
        self._ends = self._points = self._lower = self._upper = np.zeros((0, 3))

    @property
    def beyond(self) -> tuple[str, ...]:
        """Paths of the joints that are beyond a limit now."""
        pairs = zip(self._joints, self._balls, strict=True)
        return tuple(path for (path, _), ball in pairs if ball is not None and ball[0].visibility)

    def rebuild(self, project: Project, train: TrainLayer, colours: Colours, *, moving: bool) -> None:
        """Take the joints of a project; moving: there is a run of it."""
        remove(self._plotter, *(ball[0] for ball in self._balls if ball is not None))
        self._joints, self._balls, self._train, self._moving = [], [], train, moving
        if project.assembly is None or train.poses is None:
            return
        columns = {**train.poses.index, GROUND: -1}
        ends = []
        for path, assembly in placed_model(project.assembly).assemblies.items():
            for one in limited_joints(assembly):
                names = [n if n == GROUND else joined(path, n) for n in (one.joint.body_i, one.joint.body_j)]
                if all(name in columns for name in names):
                    self._joints.append((joined(path, one.joint.name), one))
                    ends.append([columns[name] for name in names])
        if not self._joints:
            return
        found = [one for _, one in self._joints]
        self._ends = np.array(ends)
        from scipy.spatial.transform import Rotation  # by those who have such joints

        self._start = Rotation.from_matrix(np.stack([one.start for one in found])).inv()
        self._points = np.array([one.joint.point_i for one in found])
        counted = np.array([[k in one.axes for k in range(3)] for one in found])
        self._lower = np.where(counted, [one.lower for one in found], -np.inf) - ROUNDING
        self._upper = np.where(counted, [one.upper for one in found], np.inf) + ROUNDING
        self._mesh = solid(ellipsoid([0, 0, 0], [RADIUS] * 3, colours.bad))
        self._balls = [None] * len(found)

    def show_time(self) -> None:
        """Follow the bodies where they are now."""
        if self._train is None or not self._balls:
            return
        # the ground is the last row of both
        position = np.vstack([self._train.position, np.zeros(3)])
        rotation = np.concatenate([self._train.rotation, np.eye(3)[None]])
        i, j = self._ends.T
        from_matrix = type(self._start).from_matrix
        first, second = from_matrix(rotation[i]), from_matrix(rotation[j])
        angles = (first.inv() * second * self._start).as_rotvec()
        beyond = np.asarray(((angles < self._lower) | (angles > self._upper)).any(axis=1))
        places = position[i] + first.apply(self._points)
        for k, (ball, on) in enumerate(zip(self._balls, beyond, strict=True)):
            if on:
                actor, matrix = self._balls[k] = ball or self._make()
                put(matrix, places[k], np.eye(3))
                actor.visibility = True
            elif ball is not None:
                ball[0].visibility = False

    def _make(self) -> tuple[pv.Actor, vtkMatrix4x4]:
        """A ball in the scene."""
        assert self._mesh is not None
        ball, matrix = make_actor(self._mesh, lit=False), vtkMatrix4x4()
        ball.SetUserMatrix(matrix)
        add(self._plotter, ball)
        return ball, matrix

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the balls mean, where joints have limits and move."""
        return [(colours.bad, "Joint beyond its range of motion")] if self._balls and self._moving else []
