"""What libraries find wrong, in the words of this program: pydantic, HDF5, NumPy, JSON and XML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from .sentence import Sentence, say
from .system_words import because

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
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "list_type": "must be a list",
    "set_type": "must be a list",
    "frozen_set_type": "must be a list",
    "dataclass_type": "must be an object",
    "mapping_type": "must be an object",
    "none_required": "must be left out",
    "enum": "must be {expected}",
    "missing_keyword_only_argument": "this field is missing",
    "unexpected_keyword_argument": "unknown field; check its spelling",
    "string_unicode": "holds characters that are none",
    "recursion_loop": "refers to itself",
    "json_type": "must be a text",
    "json_invalid": "nested too deeply, or a broken escape in a text",
}


#: For faults that have no sentence of their own, by the part of their name that says what they are about.
KINDS = {
    "float": "must be a number",
    "decimal": "must be a number",
    "int": "must be a whole number",
    "bool": "must be true or false",
    "string": "must be a text",
    "bytes": "must be a text",
    "list": "must be a list",
    "tuple": "must be a list",
    "set": "must be a list",
    "dict": "must be an object",
    "model": "must be an object",
    "union": "fits none of the kinds that are allowed",
}
OWN = ("value_error", "assertion_error")


def worded(fault: Mapping[str, Any]) -> str:
    """What is wrong, without full stop, as the validator has it by `say`. fault: one of `ValidationError.errors()`."""
    kind = str(fault["type"])
    if kind in WORDING:
        return WORDING[kind].format(**fault.get("ctx", {}))
    if kind in OWN:
        own = getattr(fault.get("ctx", {}).get("error"), "args", ())
        if own and isinstance(own[0], Sentence):
            return own[0]
        return str(fault["msg"]).split("error, ", 1)[-1].rstrip(".")
    return next((words for part, words in KINDS.items() if part in kind.split("_")), "is not allowed here")


def spoken(error: ValidationError, where: str) -> str:
    """The first thing a validation found, in a sentence: where, field, what is wrong, what was found."""
    first = error.errors(include_url=False)[0]
    found = first.get("input")
    shown = ""
    if first["type"] not in OWN and isinstance(found, str | int | float):
        text = repr(found)
        shown = f", found {text if len(text) <= 60 else text[:57] + '...'}"
    field = ".".join(str(part) for part in first["loc"])
    path = f"{where}: {field}{': ' if field else ''}"
    return say("{path}{fault}{shown}.", path=path, fault=worded(first), shown=shown)


#: What libraries say, and what it means for a person; \\1 is what they name.
FOREIGN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"object '([^']*)' doesn't exist", r"'\1' is missing"),
        (r"can't (?:locate|open) attribute:? '?([^')]*)'?", r"the mark '\1' is missing"),
        (r"could not convert string to float: (?:np\.\w+\()?b?'?([^']*)", r"'\1' is no number"),
        (r"invalid literal for int\(\) with base 10: (.*)", r"\1 is no whole number"),
        (
            r"cannot reshape|could not broadcast|inhomogeneous|dimension",
            "a table has the wrong number of rows or columns",
        ),
        (r"Can't (?:synchronously )?read data|[Ff]ilter|inflate|checksum", "a part of it cannot be unpacked"),
        (
            r"truncated file|addr overflow|bad object header|unable to (?:synchronously )?open",
            "it is cut off or damaged",
        ),
        (r"Expecting value", "a value is missing"),
        (r"Expecting property name", "a field name in double quotes is missing"),
        (r"Expecting ',' delimiter", "a comma is missing"),
        (r"Expecting ':' delimiter", "a colon is missing"),
        (r"Extra data", "text follows after the end"),
        (r"Unterminated string", "a text is not closed"),
        (r"[Ii]nvalid control character", "a text holds a control character"),
        (r"Invalid \\\\", "a text holds a broken escape"),
        (r"trailing comma", "a comma too many"),
        (r"no element found", "it ends in the middle"),
        (r"mismatched tag", "a mark is closed that was not opened"),
        (r"not well-formed", "a character stands where none may"),
        (r"undefined entity", "an unknown abbreviation with '&'"),
        (r"junk after document", "text follows after the end"),
        (r"line contains NUL|NUL", "it holds a null character"),
        (r"field larger than field limit", "a cell is too long"),
        (r"new-line character seen", "a line break within a line"),
    )
)
PLACE = re.compile(r"line (\d+),? column (\d+)")


def in_words(error: BaseException) -> str:
    """What a library found wrong, without full stop; where it says so, with the place."""
    if isinstance(error, OSError) and error.errno:
        return because(error)
    if isinstance(error, UnicodeError):
        return "it holds characters that are none"
    text = str(error).strip("'\"")
    found = next(((m, words) for pattern, words in FOREIGN if (m := pattern.search(text))), None)
    sentence = "a part of it is not what it should be" if found is None else found[0].expand(found[1])
    position = PLACE.search(text)
    return sentence if position is None else f"{sentence} at line {position[1]}, column {position[2]}"


def json_fault(error: json.JSONDecodeError) -> str:
    """What is wrong with a text that is to be JSON, without full stop: that it ends in the middle, or what is there."""
    ended = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    if ended and error.doc.strip():
        line = error.doc.count("\n") + 1
        return f"ends in the middle of line {line}; the file is cut off"
    return f"not valid JSON ({in_words(error)})"
