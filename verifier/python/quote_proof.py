"""Proofs of quoted passages: all that can be checked of one without the chain, and the root that it leads to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from reference import Reference, ReferenceInvalidError, digest_of_cid, parse_address
from strict_json import parse_json, whole_number
from text import CHUNK_UNITS, leaf_hash, parent_hash, units_of

_MAX_BYTES = 1_048_576
_MAX_DEPTH = 48
_REPLACEMENT = units_of("\ufffd")


class QuoteProofInvalidError(Exception):
    """A quote proof that is malformed or proves nothing; the message is one plain sentence."""


@dataclass(frozen=True)
class Quote:
    """The quoted pieces of what a reference is of, and the quote root to which their proof leads."""

    reference: Reference
    pieces: tuple[str, ...]
    root: str


@dataclass(frozen=True)
class _Part:
    """What a piece takes of one chunk: the UTF-16 units from one place to before another."""

    index: int
    chunk: bytes
    start: int
    end: int

    def is_ambiguous(self) -> bool:
        """Whether it has U+FFFD at a border, where public tools hash half of any surrogate pair so."""
        at_start = self.index > 0 and self.start == 0 and self.chunk.startswith(_REPLACEMENT)
        is_whole = len(self.chunk) == self.end == 2 * CHUNK_UNITS
        return at_start or (is_whole and self.chunk.endswith(_REPLACEMENT))


def parse_quote_proof(data: bytes) -> Quote:
    """Reads a quote proof and checks that it holds in itself, or raises QuoteProofInvalidError."""
    _check(len(data) <= _MAX_BYTES, f"The proof is larger than {_MAX_BYTES} bytes")
    try:
        fields = _object(parse_json(data))
    except ValueError:
        raise QuoteProofInvalidError("The proof is not JSON.") from None
    _check(_number(fields.get("version")) == 1, "The proof is not of version 1, the only one known here")
    leaves = [_leaf(leaf) for leaf in _list(fields.get("proof"))]
    segments = [_object(segment) for segment in _list(fields.get("segments"))]
    _check_leaves([(index, units_of(chunk)) for index, chunk, _ in leaves])
    chunks = {index: units_of(chunk) for index, chunk, _ in leaves}
    pieces = [_text(segment.get("text")) for segment in segments]
    parts = [
        _parts_of(units_of(piece), _number(segment.get("chunk")), 2 * _number(segment.get("offset")), chunks)
        for piece, segment in zip(pieces, segments)
    ]
    _check_parts(parts, chunks)
    roots = {_root_of(*leaf) for leaf in leaves}
    _check(len(roots) == 1, "The leaves do not lead to one root")
    return Quote(_reference(fields), tuple(pieces), "0x" + roots.pop().hex())


def _check(holds: bool, problem: str) -> None:
    if not holds:
        raise QuoteProofInvalidError(f"{problem}.")


def _object(value: Any) -> dict[str, Any]:
    _check(isinstance(value, dict), "What must be an object is none")
    return dict(value)


def _list(value: Any) -> list[Any]:
    _check(isinstance(value, list) and len(value) > 0, "What must be a list of one or more is none")
    return list(value)


def _number(value: Any) -> int:
    number = whole_number(value)
    if number is None:
        raise QuoteProofInvalidError("What must be a whole number is none.")
    return number


def _text(value: Any) -> str:
    """A text of whole characters: half of one could be completed to another than was attested."""
    _check(isinstance(value, str) and value != "", "What must be a text is none")
    _check(not re.search("[\ud800-\udfff]", value), "A text has half a character")
    return str(value)


def _leaf(value: Any) -> tuple[int, str, list[bytes]]:
    fields = _object(value)
    pair, siblings = _list(fields.get("value")), fields.get("proof")
    _check(len(pair) == 2, "The value of a leaf is not an index and a chunk")
    is_index = isinstance(pair[0], str) and re.fullmatch("0|[1-9][0-9]{0,14}", pair[0])
    _check(bool(is_index), "The index of a leaf is not a decimal number")
    _check(isinstance(siblings, list) and len(siblings) <= _MAX_DEPTH, "The proof of a leaf is not a list of hashes")
    for sibling in siblings:
        is_hash = isinstance(sibling, str) and re.fullmatch("0x[0-9a-fA-F]{64}", sibling)
        _check(bool(is_hash), "A hash is not 32 bytes in hexadecimal")
    return int(pair[0]), _text(pair[1]), [bytes.fromhex(sibling[2:]) for sibling in siblings]


def _check_leaves(chunks: list[tuple[int, bytes]]) -> None:
    """Each once, in order, and each but the last of the text as long as chunks are."""
    for (index, _), (following, _) in zip(chunks, chunks[1:]):
        _check(index < following, "The leaves are repeated or not in order")
    for position, (_, chunk) in enumerate(chunks):
        units, has_pair = len(chunk) // 2, chunk[-1] in range(0xDC, 0xE0)
        is_whole = units == CHUNK_UNITS or (units == CHUNK_UNITS + 1 and has_pair)
        is_end = position == len(chunks) - 1 and units < CHUNK_UNITS
        _check(is_whole or is_end, "A chunk has not the length of one")


def _parts_of(rest: bytes, index: int, start: int, chunks: dict[int, bytes]) -> list[_Part]:
    """A piece as its chunks hold it, from a place in the first of them on."""
    parts = []
    while rest:
        _check(index in chunks, "A chunk of the quoted text is missing in the proof")
        chunk = chunks[index]
        held = chunk[start : start + len(rest)]
        _check(held != b"" and rest.startswith(held), "The proof is of another text than the quoted one")
        parts.append(_Part(index, chunk, start, start + len(held)))
        rest, index, start = rest[len(held) :], index + 1, 0
    return parts


def _check_parts(pieces: list[list[_Part]], chunks: dict[int, bytes]) -> None:
    for before, after in zip(pieces, pieces[1:]):
        end, start = before[-1], after[0]
        is_before = (end.index, end.end) <= (start.index, start.start)
        _check(is_before, "The quoted pieces are not in the order of the text")
    parts = [part for piece in pieces for part in piece]
    _check(not any(part.is_ambiguous() for part in parts), "A quoted character lies on the border of two chunks")
    _check({part.index for part in parts} == set(chunks), "The proof has a chunk that belongs to no quoted piece")


def _root_of(index: int, chunk: str, siblings: list[bytes]) -> bytes:
    node = leaf_hash(index, chunk)
    for sibling in siblings:
        node = parent_hash(node, sibling)
    return node


def _reference(fields: dict[str, Any]) -> Reference:
    try:
        reference = Reference(
            chain_id=_number(fields.get("chainId")),
            registry_address=parse_address("registryAddress", _text(fields.get("registryAddress"))),
            attestation_index=_number(fields.get("attestationIndex")),
            authority_address=parse_address("authority", _text(fields.get("authority"))),
            digest=digest_of_cid(_text(fields.get("ipfsCid"))),
        )
    except ReferenceInvalidError as error:
        raise QuoteProofInvalidError(f"The proof names no attestation: {error}.") from None
    _check(reference.chain_id > 0 and reference.attestation_index > 0, "The proof names no attestation")
    return reference
