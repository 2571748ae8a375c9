"""JSON from outside, read by forms: tables in the words of the documents.

A form is a pattern that a text matches; a dict of an object's fields ("name?" may be missing, and is None then); a list
of the form of items, their least and their greatest number; a function that reads a value; or a pair of a form and a
function of what it gives.
"""

import json
import re
from typing import Any, Callable

Form = str | dict[str, Any] | list[Any] | Callable[[Any], Any] | tuple[Any, Callable[[Any], Any]]
MAX_NUMBER = 2**53 - 1


class InvalidError(ValueError):
    """Something given is not what it must be; the message is one plain line."""


def check(holds: object, problem: str) -> None:
    """Raises InvalidError where something does not hold."""
    if not holds:
        raise InvalidError(problem)


def fits(pattern: str, value: Any) -> bool:
    """Whether a value is a text that matches a pattern as a whole."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def parse_json(data: bytes, place: str, most_bytes: int) -> Any:
    """The value, with each number as a float, as other parsers have it. Raises InvalidError."""
    check(len(data) <= most_bytes, f"{place} has more than {most_bytes} bytes")
    try:
        # int takes neither NaN nor Infinity.
        return json.loads(data.decode("utf-8-sig"), parse_int=float, parse_constant=int)
    except (ValueError, RecursionError):
        raise InvalidError(f"{place} is not JSON") from None


def read(form: Form, value: Any, place: str) -> Any:
    """The value as its form gives it. Raises InvalidError, which names the place."""
    if isinstance(form, dict):
        check(isinstance(value, dict), f"{place} must be an object")
        fields = {}
        for key, of in form.items():
            name = key.rstrip("?")
            check(name in value or key != name, f"{place}.{name} is missing")
            fields[name] = read(of, value[name], f"{place}.{name}") if name in value else None
        return fields
    if isinstance(form, list):
        of, least, most = form
        check(isinstance(value, list) and least <= len(value) <= most, f"{place} must be a list of {least} to {most}")
        return [read(of, item, f"{place}.{position}") for position, item in enumerate(value)]
    if isinstance(form, tuple):
        return form[1](read(form[0], value, place))
    if isinstance(form, str):
        check(fits(form, value), f"{place} must be a text of the form {form}")
        return value
    try:
        return form(value)
    except InvalidError as error:
        raise InvalidError(f"{place} {error}") from None


def known_version(value: Any) -> None:
    """The form of a file's version."""
    check(isinstance(value, float) and value == 1, "must be 1, the only version that is known here")


def number(value: Any) -> int:
    """The form of a whole number."""
    is_whole = isinstance(value, float) and value.is_integer() and 0 <= value <= MAX_NUMBER
    check(is_whole, f"must be a whole number from 0 to {MAX_NUMBER}")
    return int(value)


def positive(value: Any) -> int:
    """The form of a whole number from 1 on."""
    check(number(value) > 0, "must be 1 or more")
    return int(value)


def to_bytes(text: str) -> bytes:
    """The bytes that a text with 0x has in hexadecimal."""
    return bytes.fromhex(text[2:])
