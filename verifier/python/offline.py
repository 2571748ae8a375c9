"""An attestation checked with a proof file against nothing but the hash of one block."""

from dataclasses import replace
from typing import Any

from evidence import Evidence, read_views
from forms import InvalidError, check, to_bytes
from keccak import keccak256
from proof_file import false_claim
from present import Verdict
from provider import PassingFaultError
from reference import Reference
from registry import Block, Entry, Registry, entry_of, recognize_registry
from trie import EMPTY_ROOT, Item, decode_rlp, prove
from verdict import Subject, conclude

_EMPTY_CODE_HASH = keccak256(b"")
_MAX_PAGE_WORDS = 3
_RECORD_BYTES = 64
# Slots by version: firsts, later authorities' indices, entries, and of batches, if there are any, pages' starts and pages.
_SLOTS = {"AttestationRegistry 2": (3, 5, 6, 0, 1), "AttestationRegistry 1": (1, 3, 4, -1, -1)}
# What is proven of each: its code, None where it has one that is not in the file, and its slots.
Accounts = dict[str, tuple[bytes | None, dict[int, int]]]


def verify_offline(subject: Subject, block_hash: str) -> Verdict:
    """The verdict of a proof file as of the block with this hash, which must not come from the file. Raises nothing."""
    reference, text, _, proof = subject
    try:
        evidence = _read(reference, proof["storage"], to_bytes(block_hash))
        claim = false_claim(proof, evidence)
        check(not claim, claim)
        verdict = conclude(subject, [evidence], "", [])
        is_same_length = text is None or proof["content"]["bytes"] in (None, len(text.encode()))
        check(is_same_length or not verdict["textIsContent"], "its length is not that of the text")
    except (InvalidError, PassingFaultError) as error:
        return conclude(subject, [], f"The proof does not hold: {error}.", [])
    chain = f"block {evidence.block.number} of chain {reference.chain_id}"
    return {**verdict, "reason": f"{verdict['reason']} As of {chain}, if {block_hash} is that block."}


def _read(reference: Reference, storage: dict[str, Any] | None, block_hash: bytes) -> Evidence:
    """Checks all that a file proves as of the block with this hash."""
    if storage is None:
        raise InvalidError("it has no storage, which alone is checked without a provider")
    root, block = _read_header(storage["block"], block_hash)
    accounts = {account["address"]: _read_account(root, account) for account in storage["accounts"]}
    address = reference.registry_address
    evidence = Evidence(block, recognize_registry(reference.chain_id, address, _code_at(accounts, address)))
    if "version" not in evidence.registry:
        return evidence
    check(evidence.registry["version"] in _SLOTS, "the storage of this registry cannot be read")
    registry = StoredRegistry(address, evidence.registry["version"], accounts)
    found = registry.index_by(reference.digest, reference.authority_address)
    if found != reference.attestation_index:
        # The look-up alone shows that; what is at the index then need not be in the file.
        return replace(evidence, index_by_authority=found)
    return read_views(evidence, [registry], reference)


def _read_header(block: dict[str, Any], block_hash: bytes) -> tuple[bytes, Block]:
    """The state root and the block."""
    is_of_block = keccak256(block["header"]) == block["hash"] == block_hash
    check(is_of_block, "its header is not that of the block with this hash")
    header = decode_rlp(block["header"])
    check(isinstance(header, list) and len(header) >= 15, "its header has no form of one")
    root, number, timestamp = _string(header[3]), _integer(header[8]), _integer(header[11])
    check(len(root) == 32 and number == block["number"], "its header is not that of the block with its number")
    return root, Block(number, "0x" + block_hash.hex(), timestamp)


def _string(item: Item) -> bytes:
    check(isinstance(item, bytes), "a list stands where bytes belong")
    return item


def _integer(item: Item) -> int:
    data = _string(item)
    check(data[:1] != b"\0" and len(data) <= 6, "a number of RLP is not canonical")
    return int.from_bytes(data, "big")


def _read_account(state_root: bytes, account: dict[str, Any]) -> tuple[bytes | None, dict[int, int]]:
    proven = prove(state_root, keccak256(to_bytes(account["address"])), account["accountProof"])
    fields = [b"", b"", EMPTY_ROOT, _EMPTY_CODE_HASH] if proven is None else decode_rlp(proven)
    check(isinstance(fields, list) and len(fields) == 4, "an account has no form of one")
    storage_root, code_hash, code = _string(fields[2]), _string(fields[3]), account["code"]
    check(code is None or keccak256(code) == code_hash, "its code is not that of the account")
    slots = {}
    for one in account["slots"]:
        word = prove(storage_root, keccak256(one["slot"]), one["proof"])
        value = b"" if word is None else _string(decode_rlp(word))
        is_shortest = value[:1] != b"\0" and len(value) <= 32
        check(is_shortest and value.rjust(32, b"\0") == one["value"], "a value is not that of its slot")
        slots[int.from_bytes(one["slot"], "big")] = int.from_bytes(value, "big")
    return b"" if code_hash == _EMPTY_CODE_HASH else code, slots


def _code_at(accounts: Accounts, address: str) -> bytes:
    check(address in accounts, f"the account {address} is not in the file")
    code, _ = accounts[address]
    if code is None:
        raise InvalidError("the code of an account is not in the file")
    return code


class StoredRegistry(Registry):
    """A registry whose views are read from its storage, as the contract itself reads it."""

    def __init__(self, address: str, version: str, accounts: Accounts) -> None:
        self.address = address
        self._accounts = accounts
        self._firsts, self._laters, self._entries, self._starts, self._pages = _SLOTS[version]

    def index_by(self, digest: str, authority: str) -> int:
        index, _, first_authority = self._first(int(digest, 16))
        if index and first_authority == int(authority, 16):
            return index
        return self._word(_map(_map(self._laters, int(digest, 16)), int(authority, 16)))

    def first_index(self, digest: str) -> int:
        return self._first(int(digest, 16))[0]

    def entry(self, index: int) -> Entry | None:
        start = _map(self._entries, index)
        digest, root, child, last = (self._word(start + place) for place in (0, 1, 3, 4))
        if digest == 0 and root == 0 and self._pages >= 0:
            digest, root = self._paged(index)
        first_index, timestamp, authority = self._first(digest)
        if first_index != index:
            _, timestamp, authority = _origin(last)
        return entry_of(digest, root, authority, timestamp, last >> 208, child)

    def _paged(self, index: int) -> tuple[int, int]:
        """Digest and quote root of a batch's member; zeros where no page has it."""
        for number in range(index // 256, max(-1, index // 256 - _MAX_PAGE_WORDS), -1):
            # Pages that start after the index do not count.
            bits = self._word(_map(self._starts, number)) & ((2 << index - 256 * number) - 1)
            if bits:
                first = 256 * number + bits.bit_length() - 1
                page = _code_at(self._accounts, f"0x{self._word(_map(self._pages, first)):040x}")
                record = page[1 + _RECORD_BYTES * (index - first) :][:_RECORD_BYTES].ljust(_RECORD_BYTES, b"\0")
                return int.from_bytes(record[:32], "big"), int.from_bytes(record[32:], "big")
        return 0, 0

    def _first(self, digest: int) -> tuple[int, int, int]:
        return _origin(self._word(_map(self._firsts, digest)))

    def _word(self, slot: int) -> int:
        _, slots = self._accounts[self.address]
        check(slot % 2**256 in slots, "a slot that the verdict needs is not in the file")
        return slots[slot % 2**256]


def _map(position: int, key: int) -> int:
    """The slot of a mapping's value."""
    return int.from_bytes(keccak256(key.to_bytes(32, "big") + position.to_bytes(32, "big")), "big")


def _origin(word: int) -> tuple[int, int, int]:
    """Index, time and authority of an attestation."""
    return word >> 208, word >> 160 & 0xFFFFFFFFFFFF, word % 2**160
