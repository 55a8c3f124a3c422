"""The faults pydantic finds, in the words of this program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The faults people make most; {name} is from the fault's context.
WORDING = {
    "extra_forbidden": "unknown field; check its spelling",
    "missing": "this field is missing",
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "string_type": "must be a text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "multiple_of": "must be a multiple of {multiple_of:g}",
    "tuple_type": "must be a list",
    "greater_than": "must be larger than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be smaller than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "too_short": "needs at least {min_length} entries and has {actual_length}",
    "too_long": "may have at most {max_length} entries and has {actual_length}",
    "literal_error": "must be {expected}",
    "string_too_short": "must not be empty",
    "string_too_long": "may have at most {max_length} characters",
    "string_pattern_mismatch": "must not contain '/' or control characters",
    "union_tag_invalid": "unknown kind '{tag}'; known are {expected_tags}",
    "union_tag_not_found": "the field 'kind' is missing",
    "json_invalid": "nested too deeply, or a broken escape in a text",
}


def worded(fault: Mapping[str, Any]) -> str:
    """What is wrong, without full stop. fault: an entry of `ValidationError.errors()`."""
    kind = fault["type"]
    if kind in WORDING:
        return WORDING[kind].format(**fault.get("ctx", {}))
    return str(fault["msg"]).removeprefix("Value error, ").rstrip(".")
