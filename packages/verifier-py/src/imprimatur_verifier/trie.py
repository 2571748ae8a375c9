"""Proofs of Ethereum's Merkle-Patricia tries. RLP items stay encoded until they are read."""

from .forms import check
from .keccak import keccak256

EMPTY_ROOT = bytes.fromhex("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
_NOTHING = b"\x80"  # the empty string


def _split(data: bytes) -> tuple[int, bytes, bytes]:
    """Returns whether the first item is a list, its content, and the rest. The RLP need not be canonical: a hash covers it."""
    check(data, "an item is not valid RLP")
    if data[0] < 0x80:
        return 0, data[:1], data[1:]
    is_list, length = divmod(data[0] - 0x80, 0x40)
    start = 1
    if length > 55:  # the length of the length
        start = length - 54
        length = int.from_bytes(data[1:start], "big")
    content, rest = data[start : start + length], data[start + length :]
    check(len(content) == length, "an item is not valid RLP")
    return is_list, content, rest


def read_string(item: bytes) -> bytes:
    """Reads a string."""
    is_list, content, rest = _split(item)
    check(not is_list and not rest, "an RLP item is not a string")
    return content


def read_list(item: bytes) -> list[bytes]:
    """Reads the items of a list."""
    is_list, content, rest = _split(item)
    check(is_list and not rest, "an RLP item is not a list")
    items = []
    while content:
        rest = _split(content)[2]
        items.append(content[: len(content) - len(rest)])
        content = rest
    return items


def prove(root: bytes, key: bytes, nodes: list[bytes]) -> bytes | None:
    """Returns the value at a key, or None if the proof shows that there is none. Raises InvalidError."""
    if root == EMPTY_ROOT and nodes in ([], [_NOTHING]):
        return None
    rest = list(nodes)
    value = read_string(_find(b"\xa0" + root, key.hex(), rest))
    check(not rest, "a node is not on the path to the key")
    return value or None


def _find(reference: bytes, path: str, rest: list[bytes]) -> bytes:
    """Follows a path, and consumes the nodes on it."""
    if reference == _NOTHING:
        return _NOTHING
    node = read_list(_take_node(reference, rest))
    check(len(node) in (2, 17), "a node does not have 2 or 17 items")
    if len(node) == 17:
        return _find(node[int(path[0], 16)], path[1:], rest) if path else node[16]
    is_leaf, part = _path_of(read_string(node[0]))
    if is_leaf:
        return node[1] if path == part else _NOTHING
    return _find(node[1], path[len(part) :], rest) if path.startswith(part) else _NOTHING


def _take_node(reference: bytes, rest: list[bytes]) -> bytes:
    """Returns the referenced node: the next one, which has this hash, or a short one embedded in its parent."""
    if reference[0] < 0xC0:
        is_next = rest and keccak256(rest[0]) == read_string(reference)
        check(is_next, "a node does not match the hash in its parent")
        return rest.pop(0)
    check(len(reference) < 32, "an embedded node has 32 bytes or more")
    return rest.pop(0) if rest and rest[0] == reference else reference


def _path_of(data: bytes) -> tuple[bool, str]:
    """Decodes the hex-prefix encoding. Returns whether the node is a leaf, and its nibbles."""
    kind, nibbles = int(data.hex()[:1] or "9", 16), data.hex()[1:]
    check(kind <= 3 and (kind % 2 == 1 or nibbles[0] == "0"), "a node has an invalid path")
    return kind >= 2, nibbles if kind % 2 else nibbles[1:]
