"""What a text is compared by: the root of its quote tree, and the simplest of the accidents that alter a text."""

from __future__ import annotations

from typing import Callable, Iterator, Optional

from keccak import keccak256
from reference import digest_of_text

CHUNK_UNITS = 46


def units_of(text: str) -> bytes:
    """UTF-16, two bytes a unit; half a pair stays what it is."""
    return text.encode("utf-16-le", "surrogatepass")


def _is_high(unit: bytes) -> bool:
    return len(unit) == 2 and 0xD8 <= unit[1] <= 0xDB


def _chunks(text: str) -> Iterator[str]:
    """Every 46 units; a cut that would divide a surrogate pair is one unit later."""
    units, at = units_of(text), 0
    while at < len(units):
        end = at + 2 * CHUNK_UNITS
        if _is_high(units[end - 2 : end]) and end < len(units):
            end += 2
        yield units[at:end].decode("utf-16-le", "surrogatepass")
        at = end


def _split_chunks(text: str) -> Iterator[str]:
    """Every 46 units as public tools cut them, half a pair as U+FFFD."""
    units, size = units_of(text), 2 * CHUNK_UNITS
    for at in range(0, len(units), size):
        chunk = units[at : at + size].decode("utf-16-le", "surrogatepass")
        yield "".join("\ufffd" if "\ud800" <= unit <= "\udfff" else unit for unit in chunk)


def _word(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _encode_string(data: bytes) -> bytes:
    return _word(len(data)) + data + bytes(-len(data) % 32)


def leaf_hash(index: int, chunk: str) -> bytes:
    """The leaf of a chunk: hashed twice, so that no inner node can be passed off as one."""
    name, body = _encode_string(str(index).encode()), _encode_string(chunk.encode())
    return keccak256(keccak256(_word(64) + _word(64 + len(name)) + name + body))


def parent_hash(a: bytes, b: bytes) -> bytes:
    """The node above two others."""
    return keccak256(min(a, b) + max(a, b))


def _root(chunks: Iterator[str]) -> Optional[str]:
    nodes, taken = sorted(leaf_hash(index, chunk) for index, chunk in enumerate(chunks)), 0
    while taken + 1 < len(nodes):
        nodes.append(parent_hash(nodes[taken], nodes[taken + 1]))
        taken += 2
    return "0x" + nodes[-1].hex() if nodes else None


def quote_root(text: str) -> Optional[str]:
    """The root of the quote tree; None for an empty text, which has none."""
    return _root(_chunks(text))


def split_quote_root(text: str) -> Optional[str]:
    """The root as public tools make it."""
    return _root(_split_chunks(text))


_ACCIDENTS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("Your text begins with a byte order mark; the attested one does not.", lambda text: text.removeprefix("\ufeff")),
    ("The attested text begins with a byte order mark; yours does not.", lambda text: "\ufeff" + text),
    ("The attested text ends without a newline; yours has one.", lambda text: text.removesuffix("\n")),
    ("The attested text ends with a newline; yours does not.", lambda text: text + "\n"),
    ("The same words, other line endings.", lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    ("The same words, other line endings.", lambda text: text.replace("\n", "\r\n")),
)


def accident(text: str, digest: str) -> Optional[str]:
    """What alone explains that a text has not this digest, in a sentence; None where none of these does."""
    for statement, undo in _ACCIDENTS:
        if digest_of_text(undo(text).encode()) == digest:
            return statement
    return None
