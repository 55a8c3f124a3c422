"""Panels that draw the track: table of control points, profile over arc length, plan and elevation, handles in 3D."""
