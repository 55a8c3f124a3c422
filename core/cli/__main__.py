"""`python -m ridewright.core.cli` is the command `ridewright`."""

import sys

from ridewright.core.cli import main

sys.exit(main())
