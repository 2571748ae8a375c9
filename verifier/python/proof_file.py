"""The proof file that lies beside an article: its form, before anything in it is believed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Optional

from reference import Reference, ReferenceInvalidError, digest_of_cid, parse_address
from strict_json import parse_json, whole_number

_MAX_BYTES = 10_000_000


class ProofInvalidError(Exception):
    """A file that is no proof file of version 1; the message is one plain line."""


@dataclass(frozen=True)
class ProofSlot:
    """A word of an account's storage, and the nodes that prove it."""

    slot: bytes
    value: bytes
    nodes: list[bytes]


@dataclass(frozen=True)
class ProofAccount:
    """An account, in lower case, and the nodes that prove it."""

    address: str
    nodes: list[bytes]
    code: Optional[bytes]
    slots: list[ProofSlot]


@dataclass(frozen=True)
class ProofStorage:
    """The block, and what is proven of its state; whether the block was final is what a provider said."""

    number: int
    block_hash: bytes
    header: bytes
    accounts: list[ProofAccount]


@dataclass(frozen=True)
class ProofFile:
    """A proof file; what is missing is None."""

    reference: Reference
    quote_root: Optional[str]
    length: Optional[int]
    time: str
    code_hash: Optional[str]
    storage: Optional[ProofStorage]


class _Fields:
    """The fields of an object, with its place in the file for messages."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise ProofInvalidError(f"{place or 'the file'} must be an object")
        self._fields, self._place = value, place

    def get(self, name: str, read: Callable[[Any, str], Any]) -> Any:
        """A field, read; raises ProofInvalidError where it is missing."""
        place = f"{self._place}.{name}" if self._place else name
        if name not in self._fields:
            raise ProofInvalidError(f"{place} is missing")
        return read(self._fields[name], place)

    def find(self, name: str, read: Callable[[Any, str], Any]) -> Any:
        """A field that may be missing."""
        return self.get(name, read) if name in self._fields else None


def _check(holds: Any, place: str, form: str) -> None:
    if not holds:
        raise ProofInvalidError(f"{place} must be {form}")


def _number(least: int) -> Callable[[Any, str], int]:
    def read(value: Any, place: str) -> int:
        number = whole_number(value)
        _check(number is not None and number >= least, place, f"a whole number from {least} on")
        return number or 0

    return read


def _text(pattern: str) -> Callable[[Any, str], str]:
    def read(value: Any, place: str) -> str:
        _check(isinstance(value, str) and re.fullmatch(pattern, value), place, f"a text of the form {pattern}")
        return str(value)

    return read


def _bytes(pattern: str) -> Callable[[Any, str], bytes]:
    return lambda value, place: bytes.fromhex(_text(pattern)(value, place)[2:])


def _list(read: Callable[[Any, str], Any], most: int) -> Callable[[Any, str], list[Any]]:
    def read_all(value: Any, place: str) -> list[Any]:
        _check(isinstance(value, list) and len(value) <= most, place, f"a list of at most {most}")
        return [read(item, f"{place}.{position}") for position, item in enumerate(value)]

    return read_all


_HEX_WORD = "0x[0-9a-f]{64}"
_word = _bytes(_HEX_WORD)
_data = _bytes("0x([0-9a-f]{2})*")
_nodes = _list(_data, 65)


def _boolean(value: Any, place: str) -> bool:
    _check(isinstance(value, bool), place, "true or false")
    return bool(value)


def _address(value: Any, place: str) -> str:
    _check(isinstance(value, str), place, "a text")
    return parse_address(place, value)


def _reference(value: Any, place: str) -> Reference:
    fields = _Fields(value, place)
    return Reference(
        chain_id=fields.get("chainId", _number(1)),
        registry_address=fields.get("registryAddress", _address),
        attestation_index=fields.get("attestationIndex", _number(1)),
        authority_address=fields.get("authorityAddress", _address),
        digest=digest_of_cid(fields.get("contentCid", _text("[!-~]{1,200}"))),
    )


def _slot(value: Any, place: str) -> ProofSlot:
    fields = _Fields(value, place)
    return ProofSlot(fields.get("slot", _word), fields.get("value", _word), fields.get("proof", _nodes))


def _account(value: Any, place: str) -> ProofAccount:
    fields = _Fields(value, place)
    slots = fields.get("slots", _list(_slot, 4096))
    _check_ascending([one.slot for one in slots], f"{place}.slots")
    nodes = fields.get("accountProof", _nodes)
    return ProofAccount(fields.get("address", _address), nodes, fields.find("code", _data), slots)


def _storage(value: Any, place: str) -> ProofStorage:
    fields = _Fields(value, place)
    block = fields.get("block", _Fields)
    accounts = fields.get("accounts", _list(_account, 256))
    _check_ascending([one.address for one in accounts], f"{place}.accounts")
    number, block_hash = block.get("number", _number(0)), block.get("hash", _word)
    block.get("final", _boolean)  # nothing proves it, but the schema has it
    return ProofStorage(number, block_hash, block.get("header", _data), accounts)


def _check_ascending(keys: list[Any], place: str) -> None:
    _check(all(a < b for a, b in zip(keys, keys[1:])), place, "in ascending order, each once")


def parse_proof_file(data: bytes) -> ProofFile:
    """Reads a proof file, or raises ProofInvalidError."""
    if len(data) > _MAX_BYTES:
        raise ProofInvalidError(f"a proof file has at most {_MAX_BYTES} bytes")
    try:
        return _proof_file(_Fields(parse_json(data), ""))
    except ReferenceInvalidError as error:
        raise ProofInvalidError(str(error)) from None
    except ValueError:
        raise ProofInvalidError("the proof file is not JSON") from None


def _proof_file(fields: _Fields) -> ProofFile:
    version = fields.get("version", _number(0))
    _check(version == 1, "version", "1, the only one that is known here")
    content, attested = fields.get("content", _Fields), fields.get("attested", _Fields)
    registry, publisher = fields.find("registry", _Fields), fields.find("publisher", _Fields)
    content.find("quoteTree", _text("[a-z0-9-]{1,40}"))
    for name in ("commitTransaction", "revealTransaction"):
        attested.find(name, _word)
    attested.find("block", _number(0))
    if publisher:
        publisher.get("domain", _text("[a-z0-9.-]{1,253}"))
    return ProofFile(
        reference=fields.get("reference", _reference),
        quote_root=content.find("quoteRoot", _text(_HEX_WORD)),
        length=content.find("bytes", _number(0)),
        time=attested.get("time", _text(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.000)?Z")),
        code_hash=registry and registry.get("codeHash", _text(_HEX_WORD)),
        storage=fields.find("storage", _storage),
    )
