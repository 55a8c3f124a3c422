"""The ride of a point, or of a train as points, along a track: live preview, energy ledger, textbook tracks."""
