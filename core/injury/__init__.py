"""What the ride does to a body: filters, criteria and limits for any acceleration history.

Start at `History` (or `read_accelerometer_csv`) and `evaluate_history`.
"""

from core.injury.align import Alignment, align
from core.injury.charts import DurationChart, EggChart, duration_charts, egg_charts
from core.injury.clip import ClipResult, cumulative_clip, exceedance
from core.injury.evaluate import criterion_ids, evaluate_history
from core.injury.filters import cfc_coefficients, cfc_filter, ride_filter
from core.injury.grid import resample_uniform, uniform_rate
from core.injury.hic import HicResult, hic
from core.injury.history import History
from core.injury.limits import load_limits
from core.injury.measured import conditioned, read_accelerometer_csv
from core.injury.mounting import Mounting, find_rest, mounted
from core.injury.nca import lateral_load_in_curve, nca, nca_of_body, roll_between
from core.injury.report_text import criteria_dict, criteria_table
from core.injury.result import CriterionResult, Signal
from core.injury.rider_axes import DIRECTIONS, directional, specific_force
from core.injury.sustained import SustainedCurve, sustained_g
from core.injury.trace import CriterionTrace, criterion_trace

__all__ = [
    "DIRECTIONS",
    "Alignment",
    "ClipResult",
    "CriterionResult",
    "CriterionTrace",
    "DurationChart",
    "EggChart",
    "HicResult",
    "History",
    "Mounting",
    "Signal",
    "SustainedCurve",
    "align",
    "cfc_coefficients",
    "cfc_filter",
    "conditioned",
    "criteria_dict",
    "criteria_table",
    "criterion_ids",
    "criterion_trace",
    "cumulative_clip",
    "directional",
    "duration_charts",
    "egg_charts",
    "evaluate_history",
    "exceedance",
    "find_rest",
    "hic",
    "lateral_load_in_curve",
    "load_limits",
    "mounted",
    "nca",
    "nca_of_body",
    "read_accelerometer_csv",
    "resample_uniform",
    "ride_filter",
    "roll_between",
    "specific_force",
    "sustained_g",
    "uniform_rate",
]
