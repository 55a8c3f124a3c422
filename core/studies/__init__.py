"""Many rides at once: a study as data, run by many workers, stored as it goes, answered, optimised, calibrated."""
