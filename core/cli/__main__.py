"""`python -m core.cli` is the command `ridewright`."""

import sys

from core.cli import main

sys.exit(main())
