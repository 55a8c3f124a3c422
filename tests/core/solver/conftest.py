"""Lets the tests of this folder import its `device_rides`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
