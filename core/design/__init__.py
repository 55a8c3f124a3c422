"""Tools that change a track for a reason: bank it, smooth it, close it, stand it on the ground."""
