"""Ethereum's Merkle-Patricia tries: what a list of nodes proves to be at a key, or shows to be absent."""

from typing import Any

from forms import check
from keccak import keccak256

Item = Any  # bytes, or an RlpList of items
EMPTY_ROOT = bytes.fromhex("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
_MAX_DEPTH = 16


class RlpList(list[Any]):
    """Items, and the bytes that they were read from."""

    raw = b""


def decode_rlp(data: bytes) -> Item:
    """The item that these bytes are, and nothing besides; in canonical form only."""
    item, rest = _take_item(data, 0)
    check(not rest, "something is left over after an item of RLP")
    return item


def _take_item(data: bytes, depth: int) -> tuple[Item, bytes]:
    """The item at the start, and the bytes after it."""
    check(data and depth <= _MAX_DEPTH, "an item of RLP is cut off")
    if data[0] < 0x80:
        return data[:1], data[1:]
    is_list, length = divmod(data[0] - 0x80, 0x40)
    start = 1
    if length > 55:  # it is that of the length that follows
        start = length - 54
        length = int.from_bytes(data[1:start], "big")
        check(length > 55 and data[1] != 0, "a length of RLP is not canonical")
    content, rest = data[start : start + length], data[start + length :]
    check(len(content) == length, "an item of RLP is cut off")
    if not is_list:
        check(length != 1 or content[0] >= 0x80, "an item of RLP is not canonical")
        return content, rest
    items = RlpList()
    items.raw = data[: start + length]
    while content:
        item, content = _take_item(content, depth + 1)
        items.append(item)
    return items, rest


def prove(root: bytes, key: bytes, nodes: list[bytes]) -> bytes | None:
    """The value at a key, or None where it is shown that there is none. Raises InvalidError."""
    if root == EMPTY_ROOT and nodes in ([], [b"\x80"]):
        return None
    rest = list(nodes)
    value = _find(root, key.hex(), rest)
    check(not rest, "a proof has a node that it does not need")
    check(isinstance(value, bytes), "a value of a trie is a list")
    return value or None


def _find(reference: Item, path: str, rest: list[bytes]) -> Item:
    """What stands at a path, taking nodes from the rest; nothing where there is none."""
    while reference != b"":
        node = _take_node(reference, rest)
        if len(node) == 17:
            if not path:
                return node[16]
            reference, path = node[int(path[0], 16)], path[1:]
        else:
            is_leaf, part = _path_of(node[0])
            if not path.startswith(part) or (is_leaf and path != part):
                return b""
            if is_leaf:
                return node[1]
            reference, path = node[1], path[len(part) :]
    return b""


def _take_node(reference: Item, rest: list[bytes]) -> list[Item]:
    """The node that a reference leads to: the next one by its hash, or one so short that it stands in its parent."""
    node = reference
    if isinstance(reference, RlpList):
        check(len(reference.raw) < 32, "a node that stands in its parent is too long")
        if rest and rest[0] == reference.raw:
            rest.pop(0)
    else:
        check(rest and keccak256(rest[0]) == reference, "a node of a proof has not the hash that leads to it")
        node = decode_rlp(rest.pop(0))
    check(isinstance(node, RlpList) and len(node) in (2, 17), "a node of a proof has no form of one")
    return node


def _path_of(item: Item) -> tuple[bool, str]:
    """Whether the node is a leaf, and its nibbles, from the hex-prefix encoding."""
    check(isinstance(item, bytes) and item, "a node has no path")
    nibbles = item.hex()
    kind = int(nibbles[0], 16)
    check(kind <= 3 and (kind % 2 == 1 or nibbles[1] == "0"), "a node has no path")
    return kind >= 2, nibbles[1:] if kind % 2 else nibbles[2:]
