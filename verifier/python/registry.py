"""A registry on the chain: whether its code is known, and its views at one block, as one provider answers them."""

import json
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from forms import read, to_bytes
from keccak import keccak256
from provider import PassingFaultError, Provider, ProviderFaultError

_KNOWN = json.loads((Path(__file__).resolve().parent.parent / "known-registries.json").read_text("utf-8"))
QUANTITY = ("0x0*1?[0-9a-fA-F]{1,13}", lambda text: int(text, 16))  # up to 2^53 - 1
_BYTES = ("0x([0-9a-fA-F]{2})*", to_bytes)


def known_registries(chain_id: int) -> list[str]:
    """Addresses, in lower case, at which a registry may be on a chain."""
    public = _KNOWN["publicDeployment"]
    listed = [*_KNOWN["versions"], *([public] if chain_id in public["chainIds"] else [])]
    return [known["address"].lower() for known in listed]


@lru_cache
def recognize_registry(chain_id: int, address: str, code: bytes) -> dict[str, Any]:
    """What `--json` tells of the code at an address in lower case; without a `version` its answers mean nothing."""
    if not code:
        return {}
    told = {"codeHash": "0x" + keccak256(code).hex(), "codeIsKnown": False}
    for known in _KNOWN["versions"]:
        delay = _delay_of(known, address, code)
        if delay is not None:
            return {**told, "version": known["version"], "revealDelaySeconds": delay, "codeIsKnown": True}
    return {**told, "version": _KNOWN["publicDeployment"]["version"]} if is_public(chain_id, address) else told


def is_public(chain_id: int, address: str) -> bool:
    """Whether the public deployment, which is known by its address alone, is at this one on a chain."""
    public = _KNOWN["publicDeployment"]
    return chain_id in public["chainIds"] and address.lower() == public["address"].lower()


def _delay_of(known: dict[str, Any], address: str, code: bytes) -> int | None:
    """The reveal delay where the code is of this version, left by this version's constructor."""
    masked, words = bytearray(code), set()
    for at in known["delayOffsetsBytes"]:
        words.add(code[at : at + 32])
        masked[at : at + 32] = bytes(32)
    if len(words) != 1 or keccak256(bytes(masked)) != to_bytes(known["maskedCodeHash"]):
        return None
    word = words.pop()
    # Another constructor can leave the same code, and attestations of anyone in the storage.
    init_code = to_bytes(known["constructorCode"]) + masked + word
    origin = b"\xff" + to_bytes(_KNOWN["deployment"]["from"]) + to_bytes(_KNOWN["deployment"]["salt"])
    created = keccak256(origin + keccak256(init_code))[12:]
    return int.from_bytes(word, "big") if created == to_bytes(address) else None


class Block(NamedTuple):
    """A block's header, as far as a verification needs it. The timestamp is in seconds since 1970."""

    number: int
    hash: str
    timestamp: int


def iso_time(seconds: int) -> str:
    """A block time as ISO 8601; one that a provider made up as a number."""
    try:
        return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    except OverflowError:
        return f"second {seconds}"


def _read_block(answer: Any) -> Block | None:
    form = {"number": QUANTITY, "hash": "0x[0-9a-fA-F]{64}", "timestamp": QUANTITY}
    return None if answer is None else Block(**read(form, answer, "block"))


def find_block(provider: Provider, block: int | str) -> Block | None:
    """A block's header by number or tag; None where the provider has none."""
    return provider.ask(_read_block, "eth_getBlockByNumber", hex(block) if isinstance(block, int) else block, False)


class Entry(NamedTuple):
    """An attestation as the registry keeps it. Times are seconds since 1970; `revoked_at` is 0 while it stands."""

    digest: str
    quote_root: str
    authority_address: str
    timestamp: int
    revoked_at: int
    child_digest: str | None


def entry_of(digest: int, root: int, authority: int, timestamp: int, revoked_at: int, child: int) -> Entry | None:
    """The entry that these numbers are; None where none is."""
    address, child_digest = f"0x{authority % 2**160:040x}", f"0x{child:064x}" if child else None
    entry = Entry(f"0x{digest:064x}", f"0x{root:064x}", address, timestamp, revoked_at, child_digest)
    return entry if timestamp else None


class Registry:
    """The views of a registry that a verification reads, as a provider answers them at a block, by hash or number."""

    def __init__(self, provider: Provider, address: str, at: dict[str, str] | str) -> None:
        self.address = address
        self._provider = provider
        self._at = at

    def code(self) -> bytes:
        """The code at the address, if there is any."""
        return self._provider.ask(_BYTES, "eth_getCode", self.address, self._at)

    def entry(self, index: int) -> Entry | None:
        """The entry at an index; None where none is: registries revert there, or answer zeros."""
        words = self._call(f"0x01daf26b{index:064x}", 7) or [0] * 7
        digest, root, _, authority, timestamp, revoked_at, child = words
        return entry_of(digest, root, authority, timestamp, revoked_at, child)

    def index_by(self, digest: str, authority: str) -> int:
        """Index of an authority's attestation of a content, revoked or not; 0 when there is none."""
        words = self._call(f"0xa1edc0c7{digest[2:]}{authority[2:]:0>64}", 1)
        if words is None:
            raise ProviderFaultError("reverts where no registry does")
        return words[0]

    def first_index(self, digest: str) -> int:
        """Index of the first attestation of a content by anyone; 0 when there is none: registries revert there."""
        words = self._call(f"0x67c5ba08{digest[2:]}{0:064x}", 1) or [0]
        return words[0]

    def _call(self, data: str, count: int) -> list[int] | None:
        """The words that the contract answers; None when it reverts."""
        try:
            answer = self._provider.ask(_BYTES, "eth_call", {"to": self.address, "data": data}, self._at)
        except PassingFaultError as refusal:
            if refusal.reverted:
                return None
            raise
        if len(answer) < 32 * count:
            raise ProviderFaultError("gives no usable answer to eth_call")
        return [int.from_bytes(answer[at : at + 32], "big") for at in range(0, 32 * count, 32)]
