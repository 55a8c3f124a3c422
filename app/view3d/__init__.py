"""The 3D view: scene, cameras, picking, playback strip."""
