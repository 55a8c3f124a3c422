"""Types of arrays in signatures; shapes and units stand in the docstrings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Array32 = NDArray[np.float32]
Integers32 = NDArray[np.int32]
