"""Keccak-256, the hash of Ethereum: the original Keccak, from which SHA3-256 differs in one byte of padding."""

import struct

_RATE_BYTES = 136
_LANE = (1 << 64) - 1
_ROUND_CONSTANTS = [int(word, 16) for word in """
0000000000000001 0000000000008082 800000000000808a 8000000080008000 000000000000808b 0000000080000001
8000000080008081 8000000000008009 000000000000008a 0000000000000088 0000000080008009 000000008000000a
000000008000808b 800000000000008b 8000000000008089 8000000000008003 8000000000008002 8000000000000080
000000000000800a 800000008000000a 8000000080008081 8000000000008080 0000000080000001 8000000080008008
""".split()]
# Rho and pi: each lane moves to the next position in this cycle, rotated by a triangular number; lane 0 stays.
_CYCLE = (1, 10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1)
_MOVED = {0: (0, 0)} | {_CYCLE[step]: (_CYCLE[step - 1], step * (step + 1) // 2 % 64) for step in range(1, 25)}
_STEPS = [(source, source % 5, by) for source, by in map(_MOVED.__getitem__, range(25))]
_CHI = [(lane, row + (lane + 1) % 5, row + (lane + 2) % 5) for row in range(0, 25, 5) for lane in range(row, row + 5)]


def _permute(a: list[int]) -> list[int]:
    for constant in _ROUND_CONSTANTS:
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        d = [c[x - 1] ^ (c[x - 4] << 1 & _LANE | c[x - 4] >> 63) for x in range(5)]
        b = [((v := a[source] ^ d[x]) << by & _LANE) | v >> (64 - by) for source, x, by in _STEPS]
        a = [b[i] ^ (b[k] & ~b[j]) for i, j, k in _CHI]
        a[0] ^= constant
    return a


def keccak256(data: bytes) -> bytes:
    """Returns the 32 bytes of the hash."""
    padding = bytearray(_RATE_BYTES - len(data) % _RATE_BYTES)
    padding[0] = 0x01
    padding[-1] |= 0x80
    message = data + padding
    state = [0] * 25
    for start in range(0, len(message), _RATE_BYTES):
        for lane, word in enumerate(struct.unpack_from("<17Q", message, start)):
            state[lane] ^= word
        state = _permute(state)
    return struct.pack("<4Q", *state[:4])
