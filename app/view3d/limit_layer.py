"""Joints of riders that are beyond their range of motion, as red balls in the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from app.view3d.actors import add, make_actor, put, remove
from app.view3d.mesh import ellipsoid, solid
from app.view3d.train_layer import TrainLayer
from app.widgets.theme import Colours
from core.base.frames import from_matrix
from core.human.drawing import fans
from core.model.assembly import Assembly
from core.model.placement import Drawn, joined
from core.project.project import Project

if TYPE_CHECKING:
    import pyvista as pv

RADIUS: Final = 0.065  # m, a little more than a joint, so that it shows through the skin


class LimitLayer:
    """A ball at every joint with limits; shown while the joint is beyond one."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._holders: list[tuple[str, Assembly]] = []
        self._balls: dict[tuple[str, str], tuple[pv.Actor, vtkMatrix4x4]] = {}
        self._train: TrainLayer | None = None
        self._moving = False

    @property
    def beyond(self) -> tuple[str, ...]:
        """Paths of the joints that are beyond a limit now."""
        return tuple(joined(path, name) for (path, name), (ball, _) in self._balls.items() if ball.visibility)

    def rebuild(self, project: Project, train: TrainLayer, colours: Colours, *, moving: bool) -> None:
        """Take the joints of a project; moving: there is a run of it."""
        remove(self._plotter, *(ball for ball, _ in self._balls.values()))
        self._holders, self._balls, self._train, self._moving = [], {}, train, moving
        if project.assembly is None or train.poses is None:
            return
        mesh = None
        for path, assembly in Drawn(project.assembly).assemblies.items():
            limited = {fan.joint for fan in fans(assembly)}
            if not limited or any(
                joined(path, body.name) not in train.poses.index for body in assembly.bodies
            ):
                continue
            self._holders.append((path, assembly))
            for joint in limited:
                mesh = mesh or solid(ellipsoid([0, 0, 0], [RADIUS] * 3, colours.bad))
                ball, matrix = make_actor(mesh, lit=False), vtkMatrix4x4()
                ball.SetUserMatrix(matrix)
                ball.visibility = False
                self._balls[path, joint] = ball, matrix
        add(self._plotter, *(ball for ball, _ in self._balls.values()))

    def show_time(self) -> None:
        """Follow the bodies where they are now."""
        if self._train is None:
            return
        for path, assembly in self._holders:
            poses = {}
            for body in assembly.bodies:
                found = self._train.body_pose(joined(path, body.name))
                if found is not None:
                    poses[body.name] = found[0], from_matrix(found[1])
            outside = {}
            for fan in fans(assembly, poses):
                outside[fan.joint] = outside.get(fan.joint, False) or fan.outside
                put(self._balls[path, fan.joint][1], fan.point, np.eye(3))
            for joint, beyond in outside.items():
                self._balls[path, joint][0].visibility = beyond

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the balls mean, where joints have limits and move."""
        return [(colours.bad, "Joint beyond its range of motion")] if self._balls and self._moving else []
