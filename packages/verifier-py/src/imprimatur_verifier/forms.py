"""JSON from outside, read by forms: tables in the words of the documents.

A form is a pattern that a text matches; a range that a whole number is in; a type; a dict of an object's fields, of
which "name?" may be missing, and is None then; a list of the form of items, their least and their greatest number; a
function that reads a value; or a pair of a form and a function of what it gives.
"""

import json
import re
from typing import Any, Callable

NUMBER, POSITIVE, VERSION = range(2**53), range(1, 2**53), range(1, 2)


class InvalidError(ValueError):
    """Something given is not what it must be; the message is one plain line."""


def check(holds: object, problem: str, error: Callable[[str], Exception] = InvalidError) -> None:
    """Raises an error where something does not hold."""
    if not holds:
        raise error(problem)


def fits(pattern: str, value: Any) -> bool:
    """Whether a value is a text that matches a pattern as a whole."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def parse_json(data: bytes, place: str, most_bytes: int) -> Any:
    """The value, with each number as a float, as other parsers have it. Raises InvalidError."""
    check(len(data) <= most_bytes, f"{place} is longer than {most_bytes} bytes")
    try:
        # int takes neither NaN nor Infinity.
        return json.loads(data.decode("utf-8-sig"), parse_int=float, parse_constant=int)
    except (ValueError, RecursionError):
        raise InvalidError(f"{place} is not JSON") from None


def read(form: Any, value: Any, place: str) -> Any:
    """The value as its form gives it. Raises InvalidError, which names the place."""
    if isinstance(form, tuple):
        return form[1](read(form[0], value, place))
    if isinstance(form, str):
        check(fits(form, value), f"{place} must be a string of the form {form}")
    elif isinstance(form, type):
        check(isinstance(value, form), f"{place} must be a {form.__name__}")
    elif isinstance(form, range):
        is_whole = isinstance(value, float) and value.is_integer()
        check(is_whole and int(value) in form, f"{place} must be a whole number from {form[0]} to {form[-1]}")
        return int(value)
    elif isinstance(form, list):
        of, least, most = form
        check(isinstance(value, list) and least <= len(value) <= most, f"{place} must be a list of {least} to {most} items")
        return [read(of, item, f"{place}.{position}") for position, item in enumerate(value)]
    elif isinstance(form, dict):
        check(isinstance(value, dict), f"{place} must be an object")
        fields = {}
        for key, of in form.items():
            name = key.rstrip("?")
            check(name in value or key != name, f"{place}.{name} is missing")
            fields[name] = read(of, value[name], f"{place}.{name}") if name in value else None
        return fields
    else:
        return form(value, place)
    return value


def to_bytes(text: str) -> bytes:
    """The bytes that a text with 0x has in hexadecimal."""
    return bytes.fromhex(text[2:])


def to_int(text: str) -> int:
    """The whole number that a text with 0x has in hexadecimal."""
    return int(text, 16)
