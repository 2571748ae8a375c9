"""Which contracts are known to be registries: by code, constructor and address, or as the public deployment."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from keccak import keccak256

_KNOWN = json.loads((Path(__file__).resolve().parent.parent / "known-registries.json").read_text("utf-8"))


@dataclass(frozen=True)
class RegistryCode:
    """The code at a registry's address. `version` is None for a contract whose answers mean nothing."""

    code_hash: str
    version: Optional[str]
    reveal_delay_seconds: Optional[int]
    code_is_known: bool


def recognize_registry(chain_id: int, address: str, code: bytes) -> Optional[RegistryCode]:
    """Recognizes the registry at an address, in lower case, by its code; None where there is no code."""
    if not code:
        return None
    code_hash = "0x" + keccak256(code).hex()
    for known in _KNOWN["versions"]:
        delay = _delay_of(known, address, code)
        if delay is not None:
            return RegistryCode(code_hash, known["version"], delay, True)
    public = _KNOWN["publicDeployment"]
    is_public = chain_id in public["chainIds"] and address == public["address"].lower()
    return RegistryCode(code_hash, public["version"] if is_public else None, None, False)


def _delay_of(known: dict[str, Any], address: str, code: bytes) -> Optional[int]:
    """The reveal delay where the code is of this version, left by this version's constructor."""
    offsets = known["delayOffsetsBytes"]
    words = {code[at : at + 32] for at in offsets}
    masked = bytearray(code)
    for at in offsets:
        masked[at : at + 32] = bytes(32)
    if len(words) != 1 or keccak256(bytes(masked)) != _bytes(known["maskedCodeHash"]):
        return None
    (word,) = words
    # Another constructor can leave the same code, and attestations of anyone in the storage.
    init_code = _bytes(known["constructorCode"]) + bytes(masked) + word
    deployment = _KNOWN["deployment"]
    created = keccak256(b"\xff" + _bytes(deployment["from"]) + _bytes(deployment["salt"]) + keccak256(init_code))
    return int.from_bytes(word, "big") if created[12:].hex() == address[2:] else None


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text[2:])
