"""The views of a registry that a verification reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from chain import BlockView, malformed

_ENTRY = bytes.fromhex("01daf26b")
_INDEX_BY_AUTHORITY = bytes.fromhex("a1edc0c7")
_FIRST_INDEX = bytes.fromhex("67c5ba08")


@dataclass(frozen=True)
class Entry:
    """An attestation as the registry keeps it. Times are seconds since 1970; `revoked_at` is 0 while it stands."""

    digest: str
    quote_root: str
    authority_address: str
    timestamp: int
    revoked_at: int
    child_digest: Optional[str]


class Registry:
    """A registry at one block."""

    def __init__(self, view: BlockView, address: str) -> None:
        self.address = address
        self._view = view

    def entry(self, index: int) -> Optional[Entry]:
        """The entry at an index; None where none is: registries revert there, or answer zeros."""
        words = self._call(_ENTRY + index.to_bytes(32, "big"), 7)
        if words is None or not any(words[4]):
            return None
        return Entry(
            digest="0x" + words[0].hex(),
            quote_root="0x" + words[1].hex(),
            authority_address="0x" + words[3][12:].hex(),
            timestamp=int.from_bytes(words[4], "big"),
            revoked_at=int.from_bytes(words[5], "big"),
            child_digest="0x" + words[6].hex() if any(words[6]) else None,
        )

    def index_by(self, digest: str, authority: str) -> int:
        """Index of an authority's attestation of a content, revoked or not; 0 when there is none."""
        arguments = bytes.fromhex(digest[2:]) + bytes(12) + bytes.fromhex(authority[2:])
        words = self._call(_INDEX_BY_AUTHORITY + arguments, 1)
        # This look-up reverts in no registry.
        if words is None:
            raise malformed("eth_call")
        return int.from_bytes(words[0], "big")

    def first_index(self, digest: str) -> int:
        """Index of the first attestation of a content by anyone; 0 when there is none: registries revert there."""
        words = self._call(_FIRST_INDEX + bytes.fromhex(digest[2:]) + bytes(32), 1)
        return 0 if words is None else int.from_bytes(words[0], "big")

    def _call(self, data: bytes, count: int) -> Optional[list[bytes]]:
        """The words of the answer; None when the call reverts."""
        answer = self._view.call(self.address, data)
        if answer is None:
            return None
        if len(answer) < 32 * count:
            raise malformed("eth_call")
        return [answer[at : at + 32] for at in range(0, 32 * count, 32)]
