"""Parses untrusted JSON by forms, which describe the expected values and use the field names of the documents.

A form is a pattern for a string; a range for a whole number; a type; a dict of an object's fields, in which "name?" may
be missing and is then None; a list of the items' form, minimum and maximum number; a function that parses a value; or a
pair of a form and a function to apply to its result.
"""

import json
import re
from typing import Any, Callable

NUMBER, POSITIVE, VERSION = range(2**53), range(1, 2**53), range(1, 2)


class InvalidError(ValueError):
    """Invalid input; the message is one line."""


def check(condition: object, problem: str, error: Callable[[str], Exception] = InvalidError) -> None:
    """Raises an error unless the condition holds."""
    if not condition:
        raise error(problem)


def fits(pattern: str, value: Any) -> bool:
    """Whether a value is a string that fully matches a pattern."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def parse_json(data: bytes, path: str, max_bytes: int) -> Any:
    """Parses JSON; each number becomes a float, as in JavaScript. Raises InvalidError."""
    check(len(data) <= max_bytes, f"{path} is longer than {max_bytes} bytes")
    try:
        # int rejects NaN and Infinity.
        return json.loads(data.decode("utf-8-sig"), parse_int=float, parse_constant=int)
    except (ValueError, RecursionError):
        raise InvalidError(f"{path} is not JSON") from None


def read(form: Any, value: Any, path: str) -> Any:
    """Parses a value by its form. Raises InvalidError, which names the path."""
    if isinstance(form, tuple):
        return form[1](read(form[0], value, path))
    if isinstance(form, str):
        check(fits(form, value), f"{path} must be a string of the form {form}")
    elif isinstance(form, type):
        check(isinstance(value, form), f"{path} must be a {form.__name__}")
    elif isinstance(form, range):
        is_whole = isinstance(value, float) and value.is_integer()
        check(is_whole and int(value) in form, f"{path} must be a whole number from {form[0]} to {form[-1]}")
        return int(value)
    elif isinstance(form, list):
        inner, low, high = form
        check(isinstance(value, list) and low <= len(value) <= high, f"{path} must be a list of {low} to {high} items")
        return [read(inner, item, f"{path}.{position}") for position, item in enumerate(value)]
    elif isinstance(form, dict):
        check(isinstance(value, dict), f"{path} must be an object")
        fields = {}
        for key, inner in form.items():
            name = key.rstrip("?")
            check(name in value or key != name, f"{path}.{name} is missing")
            fields[name] = read(inner, value[name], f"{path}.{name}") if name in value else None
        return fields
    else:
        return form(value, path)
    return value


def to_bytes(text: str) -> bytes:
    """Converts 0x and hexadecimal digits to bytes."""
    return bytes.fromhex(text[2:])


def to_int(text: str) -> int:
    """Converts 0x and hexadecimal digits to a whole number."""
    return int(text, 16)
