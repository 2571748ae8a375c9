"""The quote tree of a text, and proofs of passages: all that can be checked of one without the chain."""

from functools import reduce
from typing import Any, Iterator, NamedTuple

from forms import check, fits, known_version, number, parse_json, read, to_bytes
from keccak import keccak256
from reference import Reference, reference_form

_MAX_BYTES = 1_048_576
_CHUNK_BYTES = 2 * 46
_REPLACEMENT = "\ufffd".encode("utf-16-le")
# Whole characters: half of one could be completed to another than was attested.
_TEXT = r"[^\ud800-\udfff]+"
_FORM = {
    "version": known_version,
    "segments": [{"text": _TEXT, "chunk": number, "offset": number}, 1, _MAX_BYTES],
    "proof": [{"value": [_TEXT, 2, 2], "proof": [("0x[0-9a-fA-F]{64}", to_bytes), 0, 48]}, 1, _MAX_BYTES],
}


class Quote(NamedTuple):
    """The quoted pieces of what a reference is of, and the quote root to which their proof leads."""

    reference: Reference
    pieces: tuple[str, ...]
    root: str


def _is_half(unit: bytes, first: int) -> bool:
    return len(unit) == 2 and first <= unit[1] < first + 4


def _is_whole(chunk: bytes) -> bool:
    return len(chunk) == _CHUNK_BYTES or (len(chunk) == _CHUNK_BYTES + 2 and _is_half(chunk[-2:], 0xDC))


def _chunks(text: str, splits_pairs: bool) -> Iterator[str]:
    """Every 46 units; a cut that would divide a surrogate pair is one unit later, or makes U+FFFD of each half."""
    units, at = text.encode("utf-16-le"), 0
    while at < len(units):
        end = at + _CHUNK_BYTES
        if not splits_pairs and _is_half(units[end - 2 : end], 0xD8):
            end += 2
        yield units[at:end].decode("utf-16-le", "replace")
        at = end


def _string(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(32, "big") + data + bytes(-len(data) % 32)


def _leaf(index: int, chunk: str) -> bytes:
    """The leaf of a chunk: hashed twice, so that no inner node can be passed off as one."""
    name = _string(str(index))
    places = (64).to_bytes(32, "big") + (64 + len(name)).to_bytes(32, "big")
    return keccak256(keccak256(places + name + _string(chunk)))


def _parent(a: bytes, b: bytes) -> bytes:
    return keccak256(min(a, b) + max(a, b))


def quote_root(text: str, splits_pairs: bool = False) -> str | None:
    """The root of the quote tree, or that as public tools make it, who split pairs; None for an empty text."""
    nodes = sorted(_leaf(index, chunk) for index, chunk in enumerate(_chunks(text, splits_pairs)))
    for at in range(0, 2 * len(nodes) - 2, 2):
        nodes.append(_parent(nodes[at], nodes[at + 1]))
    return "0x" + nodes[-1].hex() if nodes else None


def parse_quote_proof(data: bytes) -> Quote:
    """Reads a quote proof and checks that it holds in itself, or raises InvalidError."""
    parsed = parse_json(data, "The proof", _MAX_BYTES)
    fields = read(_FORM, parsed, "The proof")
    chunks: dict[int, bytes] = {}
    roots = set()
    for leaf in fields["proof"]:
        name, chunk = leaf["value"]
        check(fits("0|[1-9][0-9]{0,14}", name), "The index of a leaf is not a decimal number")
        check(int(name) not in chunks, "A leaf is repeated")
        chunks[int(name)] = chunk.encode("utf-16-le")
        roots.add(reduce(_parent, leaf["proof"], _leaf(int(name), chunk)))
    check(list(chunks) == sorted(chunks), "The leaves are not in order")
    check(len(roots) == 1, "The leaves do not lead to one root")
    *others, last = chunks.values()
    is_end = len(last) < _CHUNK_BYTES
    check(all(map(_is_whole, others)) and (is_end or _is_whole(last)), "A chunk has not the length of one")
    _check_segments(fields["segments"], chunks)
    pieces = tuple(segment["text"] for segment in fields["segments"])
    return Quote(read(reference_form("authority", "ipfsCid"), parsed, "The proof"), pieces, "0x" + roots.pop().hex())


def _check_segments(segments: list[dict[str, Any]], chunks: dict[int, bytes]) -> None:
    """Each is what the chunks hold from its place on, after the one before it, and no chunk is idle."""
    used: set[int] = set()
    last = (0, 0)
    for segment in segments:
        rest, index, start = segment["text"].encode("utf-16-le"), segment["chunk"], 2 * segment["offset"]
        check(last <= (index, start), "The quoted pieces are not in the order of the text")
        while rest:
            check(index in chunks, "A chunk of the quoted text is missing in the proof")
            chunk = chunks[index]
            held = chunk[start : start + len(rest)]
            check(held and rest.startswith(held), "The proof is of another text than the quoted one")
            used.add(index)
            last = (index, start + len(held))
            # There public tools hash half of any surrogate pair as U+FFFD.
            at_start = index > 0 and start == 0 and held.startswith(_REPLACEMENT)
            at_end = last[1] == len(chunk) == _CHUNK_BYTES and held.endswith(_REPLACEMENT)
            check(not at_start and not at_end, "A quoted character lies on the border of two chunks")
            rest, index, start = rest[len(held) :], index + 1, 0
    check(used == set(chunks), "The proof has a chunk that belongs to no quoted piece")
