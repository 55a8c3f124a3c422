"""`python -m ridewright.core.cli` is the command `ridewright`."""

import sys

from . import main

sys.exit(main())
