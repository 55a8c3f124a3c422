"""What the ride does to a body: filters, criteria and limits for any acceleration history.

Start at `history.History` (or `measured.read_accelerometer_csv`) and `evaluate.evaluate_history`.
"""
