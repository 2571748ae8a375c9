"""Keccak-256, the hash of Ethereum: the original Keccak, from which SHA3-256 differs in one byte of padding."""

from __future__ import annotations

_RATE = 136
_LANE = (1 << 64) - 1


def _round_constants() -> list[int]:
    """The constants of iota: bits of a shift register, at positions that are powers of two less one."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << ((1 << power) - 1)
            register <<= 1
            if register & 0x100:
                register ^= 0x171
        constants.append(constant)
    return constants


def _steps() -> list[tuple[int, int, int]]:
    """For each lane after rho and pi: the lane that it comes from, its column, and by how much it is rotated."""
    rotations, x, y = {(0, 0): 0}, 1, 0
    for step in range(24):
        rotations[x, y] = (step + 1) * (step + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    moved = {(y, (2 * x + 3 * y) % 5): (x, y) for x, y in rotations}
    sources = [moved[lane % 5, lane // 5] for lane in range(25)]
    return [(x + 5 * y, x, rotations[x, y]) for x, y in sources]


_CONSTANTS = _round_constants()
_STEPS = _steps()
_CHI = [(lane, row + (lane + 1) % 5, row + (lane + 2) % 5) for row in range(0, 25, 5) for lane in range(row, row + 5)]


def _permute(a: list[int]) -> list[int]:
    for constant in _CONSTANTS:
        c0, c1, c2, c3, c4 = (a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5))
        d = (
            c4 ^ (c1 << 1 & _LANE | c1 >> 63),
            c0 ^ (c2 << 1 & _LANE | c2 >> 63),
            c1 ^ (c3 << 1 & _LANE | c3 >> 63),
            c2 ^ (c4 << 1 & _LANE | c4 >> 63),
            c3 ^ (c0 << 1 & _LANE | c0 >> 63),
        )
        b = [((v := a[source] ^ d[x]) << by & _LANE) | v >> (64 - by) for source, x, by in _STEPS]
        a = [b[i] ^ (b[k] & ~b[j]) for i, j, k in _CHI]
        a[0] ^= constant
    return a


def keccak256(data: bytes) -> bytes:
    """The 32 bytes of the hash."""
    padding = bytearray(_RATE - len(data) % _RATE)
    padding[0] = 0x01
    padding[-1] |= 0x80
    message = data + padding
    state = [0] * 25
    for start in range(0, len(message), _RATE):
        for lane in range(_RATE // 8):
            at = start + 8 * lane
            state[lane] ^= int.from_bytes(message[at : at + 8], "little")
        state = _permute(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])
