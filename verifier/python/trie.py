"""Ethereum's Merkle-Patricia tries: what a list of nodes proves to be at a key, or shows to be absent."""

from __future__ import annotations

from typing import Optional, Union

from keccak import keccak256

Item = Union[bytes, "list[Item]"]

EMPTY_ROOT = bytes.fromhex("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
_MAX_DEPTH = 16


class ProofFailsError(Exception):
    """A proof that proves nothing: neither for nor against. The message is one plain line."""


def decode_rlp(data: bytes) -> Item:
    """The item that these bytes are, and nothing besides; in canonical form only."""
    item, end = _decode(data, 0, len(data), 0)
    if end != len(data):
        raise ProofFailsError("something is left over after an item of RLP")
    return item


def _decode(data: bytes, at: int, limit: int, depth: int) -> tuple[Item, int]:
    """The item at a place, and where it ends, which is not after the limit."""
    if at >= limit or depth > _MAX_DEPTH:
        raise ProofFailsError("an item of RLP is cut off")
    first = data[at]
    if first < 0x80:
        return data[at : at + 1], at + 1
    is_list = first >= 0xC0
    start, end = _span(data, at + 1, limit, first - (0xC0 if is_list else 0x80))
    if not is_list:
        if end - start == 1 and data[start] < 0x80:
            raise ProofFailsError("an item of RLP is not canonical")
        return data[start:end], end
    items = []
    while start < end:
        item, start = _decode(data, start, end, depth + 1)
        items.append(item)
    return items, end


def _span(data: bytes, at: int, limit: int, length: int) -> tuple[int, int]:
    """Where an item's content begins and ends; a length above 55 is that of the length that follows."""
    start = at
    if length > 55:
        start = at + length - 55
        length = int.from_bytes(data[at:start], "big")
        if length <= 55 or data[at] == 0:
            raise ProofFailsError("a length of RLP is not canonical")
    if start + length > limit:
        raise ProofFailsError("an item of RLP is cut off")
    return start, start + length


def _encode(item: Item) -> bytes:
    """The bytes of an item of up to 55; a longer one stands in no other node."""
    if isinstance(item, bytes) and len(item) == 1 and item[0] < 0x80:
        return item
    content = b"".join(map(_encode, item)) if isinstance(item, list) else item
    if len(content) > 55:
        raise ProofFailsError("a node that stands in its parent is too long")
    return bytes([len(content) + (0xC0 if isinstance(item, list) else 0x80)]) + content


def prove(root: bytes, key: bytes, nodes: list[bytes]) -> Optional[bytes]:
    """The value at a key, or None where it is shown that there is none. Raises ProofFailsError."""
    if root == EMPTY_ROOT and nodes in ([], [b"\x80"]):
        return None
    path = [nibble for byte in key for nibble in divmod(byte, 16)]
    rest = list(nodes)
    value = _walk(root, path, rest)
    if rest:
        raise ProofFailsError("a proof has a node that it does not need")
    return value


def _walk(reference: Item, path: list[int], rest: list[bytes]) -> Optional[bytes]:
    while True:
        node = _take(reference, rest)
        if len(node) == 17:
            if not path:
                return _value_in(node[16])
            reference, path = node[path[0]], path[1:]
        else:
            is_leaf, part = _path_of(node[0])
            if path[: len(part)] != part or (is_leaf and path != part):
                return None
            if is_leaf:
                return _value_in(node[1])
            reference, path = node[1], path[len(part) :]
        if reference == b"":
            return None


def _value_in(item: Item) -> Optional[bytes]:
    if not isinstance(item, bytes):
        raise ProofFailsError("a value of a trie is a list")
    return item or None


def _take(reference: Item, rest: list[bytes]) -> list[Item]:
    """The node that a reference leads to: the next one by its hash, or one so short that it stands in its parent."""
    if isinstance(reference, list):
        encoded = _encode(reference)
        if len(encoded) >= 32:
            raise ProofFailsError("a node that stands in its parent is too long")
        if rest and rest[0] == encoded:
            rest.pop(0)
        node: Item = reference
    else:
        if len(reference) != 32 or not rest or keccak256(rest[0]) != reference:
            raise ProofFailsError("a node of a proof has not the hash that leads to it")
        node = decode_rlp(rest.pop(0))
    if not isinstance(node, list) or len(node) not in (2, 17):
        raise ProofFailsError("a node of a proof has no form of one")
    return node


def _path_of(item: Item) -> tuple[bool, list[int]]:
    """Whether the node is a leaf, and its nibbles, from the hex-prefix encoding."""
    if not isinstance(item, bytes) or not item:
        raise ProofFailsError("a node has no path")
    kind, *nibbles = [nibble for byte in item for nibble in divmod(byte, 16)]
    if kind > 3 or (kind % 2 == 0 and nibbles[0] != 0):
        raise ProofFailsError("a node has no path")
    return kind >= 2, nibbles if kind % 2 else nibbles[1:]
