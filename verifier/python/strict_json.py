"""JSON as other parsers have it, and the numbers in it."""

from __future__ import annotations

import json
from typing import Any, Optional

_MAX_NUMBER = 2**53 - 1
_MAX_DIGITS = 20


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _integer(digits: str) -> int | float:
    """Python refuses thousands of digits, and other parsers take them for infinity."""
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def parse_json(data: bytes) -> Any:
    """The value, or ValueError for what is no JSON in UTF-8."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse, parse_int=_integer)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def whole_number(value: Any) -> Optional[int]:
    """A whole number from 0 to 2^53 - 1; None for all else, true and false among it."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value <= _MAX_NUMBER and value == int(value) else None
