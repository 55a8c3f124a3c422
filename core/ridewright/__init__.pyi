from ridewright.core.api import *  # noqa: F403
from ridewright.core.api import __all__ as __all__
from ridewright.core.api import __version__ as __version__
