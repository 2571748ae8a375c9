"""A registry: whether its code is known, and its views at one block."""

import json
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from .forms import NUMBER, to_bytes, to_int
from .keccak import keccak256
from .provider import Provider, ProviderFaultError, RevertError

_KNOWN = json.loads((Path(__file__).parent / "known-registries.json").read_text("utf-8"))
_PUBLIC = _KNOWN["publicDeployment"]


def recognize_code(chain_id: int, address: int, code: bytes) -> dict[str, Any]:
    """Recognizes the code at an address; without `version`, it is not a known registry."""
    if not code:
        return {}
    facts = {"codeHash": "0x" + keccak256(code).hex(), "codeIsKnown": False}
    for known in _KNOWN["versions"]:
        delays = {code[offset : offset + 32] for offset in known["delayOffsetsBytes"]}
        masked = bytearray(code)
        for offset in known["delayOffsetsBytes"]:
            masked[offset : offset + 32] = bytes(32)
        is_version = len(delays) == 1 and keccak256(masked) == to_bytes(known["maskedCodeHash"])
        if is_version and address == _create2_address(to_bytes(known["constructorCode"]) + masked + min(delays)):
            delay = int.from_bytes(min(delays), "big")
            return {**facts, "version": known["version"], "revealDelaySeconds": delay, "codeIsKnown": True}
    is_public = chain_id in _PUBLIC["chainIds"] and address == to_int(_PUBLIC["address"])
    return {**facts, "version": _PUBLIC["version"]} if is_public else facts


def _create2_address(init_code: bytes) -> int:
    """Returns the CREATE2 address. It proves the constructor: another one could deploy the same code with forged storage."""
    origin = b"\xff" + to_bytes(_KNOWN["deployment"]["from"]) + to_bytes(_KNOWN["deployment"]["salt"])
    return int.from_bytes(keccak256(origin + keccak256(init_code))[12:], "big")


class Entry(NamedTuple):
    """An attestation in the registry; zeros if there is none. Times are seconds since 1970, 0 for never."""

    digest: int = 0
    quote_root: int = 0
    authority: int = 0
    timestamp: int = 0
    revoked_at: int = 0
    child: int = 0

    def is_of(self, digest: int, authority: int) -> bool:
        """Whether the entry is this authority's attestation of this content."""
        return self.timestamp > 0 and (self.digest, self.authority) == (digest, authority)


def iso_time(seconds: int) -> str:
    """Formats a block time as ISO 8601; times after the year 9999 become its last second."""
    return (datetime(1970, 1, 1) + timedelta(seconds=min(seconds, 253402300799))).strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Registry:
    """Reads a registry's views at a block, by hash or number."""

    is_proven = False  # whether the views are read from a proof, which may lack entries at other indices

    def __init__(self, provider: Provider, address: int, block: dict[str, str] | str) -> None:
        self.address = address
        self._provider = provider
        self._block = block

    def recognize(self, chain_id: int) -> dict[str, Any]:
        """Recognizes the registry's code; without `version`, it is not a known registry."""
        form = ("0x([0-9a-fA-F]{2})*", to_bytes)
        code = self._provider.request(form, "eth_getCode", f"0x{self.address:040x}", self._block)
        return recognize_code(chain_id, self.address, code)

    def others(self, chain_id: int, other_registries: list[int]) -> list["Registry"]:
        """Returns other known registries at the same block: those of the option, then the published ones."""
        published = [*_KNOWN["versions"], *([_PUBLIC] if chain_id in _PUBLIC["chainIds"] else [])]
        addresses = dict.fromkeys([*other_registries, *(to_int(known["address"]) for known in published)])
        others = [Registry(self._provider, address, self._block) for address in addresses if address != self.address]
        return [other for other in others if "version" in other.recognize(chain_id)]

    def entry(self, index: int) -> Entry:
        """Returns the entry at an index. Registries revert or return zeros if there is none."""
        with suppress(RevertError):
            digest, root, _, authority, timestamp, revoked_at, child = self._call("01daf26b", 7, index)
            times = _number(timestamp), _number(revoked_at)
            return Entry(digest, root, authority % 2**160, *times, child) if timestamp else Entry()
        return Entry()

    def index_by(self, digest: int, authority: int) -> int:
        """Returns the index of an authority's attestation of a content, revoked or not; 0 if there is none."""
        return _number(self._call("a1edc0c7", 1, digest, authority)[0])

    def first_index(self, digest: int) -> int:
        """Returns the index of a content's first attestation by anyone; 0 if there is none and the registry reverts."""
        with suppress(RevertError):
            return _number(self._call("67c5ba08", 1, digest, 0)[0])
        return 0

    def _call(self, selector: str, count: int, *arguments: int) -> list[int]:
        """Calls a view and returns its words. Raises ProviderFaultError."""
        data = f"0x{selector}" + "".join(f"{argument:064x}" for argument in arguments)
        words = (f"0x([0-9a-fA-F]{{64}}){{{count}}}([0-9a-fA-F]{{2}})*", to_bytes)
        answer = self._provider.request(words, "eth_call", {"to": f"0x{self.address:040x}", "data": data}, self._block)
        return [int.from_bytes(answer[offset : offset + 32], "big") for offset in range(0, 32 * count, 32)]


def _number(word: int) -> int:
    """Returns an index or a time. Raises ProviderFaultError if it is 2^53 or more."""
    if word not in NUMBER:
        raise ProviderFaultError("returned no usable answer to eth_call")
    return word
