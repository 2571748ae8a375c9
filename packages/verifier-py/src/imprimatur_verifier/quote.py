"""Quote trees, and the checks of quote proofs that do not need the chain."""

from functools import reduce
from typing import Any, Iterator

from .forms import NUMBER, VERSION, check, fits, parse_json, read, to_bytes
from .keccak import keccak256
from .reference import Subject, reference_form

_MAX_BYTES = 1_048_576
_CHUNK_BYTES = 2 * 46
_REPLACEMENT = "\ufffd".encode("utf-16-le")
# Rejects lone surrogates, because a different half could complete the character.
_TEXT = r"[^\ud800-\udfff]+"
_FORM = {
    "version": VERSION,
    "segments": [{"text": _TEXT, "chunk": NUMBER, "offset": NUMBER}, 1, _MAX_BYTES],
    "proof": [{"value": [_TEXT, 2, 2], "proof": [("0x[0-9a-fA-F]{64}", to_bytes), 0, 48]}, 1, _MAX_BYTES],
}


def _chunks(text: str, splits_pairs: bool = False) -> Iterator[str]:
    """Splits every 46 units. A border in a surrogate pair moves by one unit, or replaces each half with U+FFFD."""
    units, start = text.encode("utf-16-le"), 0
    while start < len(units):
        end = start + _CHUNK_BYTES
        if not splits_pairs and units[end - 1 : end] in (b"\xd8", b"\xd9", b"\xda", b"\xdb"):
            end += 2
        yield units[start:end].decode("utf-16-le", "replace")
        start = end


def _string(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(32, "big") + data + bytes(-len(data) % 32)


def _leaf(index: str, chunk: str) -> bytes:
    """Returns the leaf of a chunk, hashed twice so that an inner node cannot pass as a leaf."""
    places = (64).to_bytes(32, "big") + (64 + len(_string(index))).to_bytes(32, "big")
    return keccak256(keccak256(places + _string(index) + _string(chunk)))


def _parent(a: bytes, b: bytes) -> bytes:
    return keccak256(min(a, b) + max(a, b))


def quote_root(text: str, splits_pairs: bool = False) -> int | None:
    """Returns the quote root by our rule, or by that of public tools, which split pairs; None for an empty text."""
    nodes = sorted(_leaf(str(index), chunk) for index, chunk in enumerate(_chunks(text, splits_pairs)))
    for left in range(0, 2 * len(nodes) - 2, 2):
        nodes.append(_parent(nodes[left], nodes[left + 1]))
    return int.from_bytes(nodes[-1], "big") if nodes else None


def parse_quote_proof(data: bytes) -> Subject:
    """Parses a quote proof and checks all but its root. Raises InvalidError."""
    parsed = parse_json(data, "The proof", _MAX_BYTES)
    fields = read(_FORM, parsed, "The proof")
    leaves = [leaf["value"] for leaf in fields["proof"]]
    check(all(fits("0|[1-9][0-9]{0,14}", index) for index, _ in leaves), "The index of a leaf is not a decimal number")
    chunks = {int(index): chunk for index, chunk in leaves}
    check(list(chunks) == sorted(chunks) and len(chunks) == len(leaves), "The leaves are repeated or not in order")
    roots = {reduce(_parent, leaf["proof"], _leaf(*leaf["value"])) for leaf in fields["proof"]}
    check(len(roots) == 1, "The leaves do not lead to one root")
    *others, last = chunks.values()
    # A longer text must split off each chunk unchanged; only the last chunk may be shorter.
    are_whole = next(_chunks(last)) == last and all(next(_chunks(chunk + "a")) == chunk for chunk in others)
    check(are_whole, "A chunk has the wrong length")
    _check_segments(fields["segments"], {index: chunk.encode("utf-16-le") for index, chunk in chunks.items()})
    reference = read(reference_form("authority", "ipfsCid"), parsed, "The proof")
    quoted = [segment["text"] for segment in fields["segments"]]
    return Subject(reference, quoted=quoted, root=int.from_bytes(roots.pop(), "big"))


def _check_segments(segments: list[dict[str, Any]], chunks: dict[int, bytes]) -> None:
    """Checks that the chunks contain the segments in order, without unused chunks."""
    used: set[int] = set()
    last = (0, 0)
    for segment in segments:
        remaining, index, start = segment["text"].encode("utf-16-le"), segment["chunk"], 2 * segment["offset"]
        check(last <= (index, start), "The quoted pieces are not in the order of the text")
        while remaining:
            check(index in chunks, f"Chunk {index} of the quoted text is missing")
            chunk = chunks[index]
            piece = chunk[start : start + len(remaining)]
            check(piece and remaining.startswith(piece), "A chunk does not contain the quoted text")
            used.add(index)
            last = (index, start + len(piece))
            # Public tools hash each half of a split pair as U+FFFD.
            at_start = index > 0 and start == 0 and piece.startswith(_REPLACEMENT)
            at_end = last[1] == len(chunk) == _CHUNK_BYTES and piece.endswith(_REPLACEMENT)
            check(not at_start and not at_end, "A quoted character is split between two chunks, so the quote root does not prove it")
            remaining, index, start = remaining[len(piece) :], index + 1, 0
    check(used == set(chunks), "The proof has a chunk that no quoted piece uses")
