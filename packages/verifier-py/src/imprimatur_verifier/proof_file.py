"""Proof files: their form, their plain fields, and their proofs of one block's state."""

from typing import Any

from .evidence import Evidence, RegistryRecord, read_record
from .forms import NUMBER, VERSION, check, parse_json, read, to_bytes, to_int
from .keccak import keccak256
from .reference import Reference, digest_of_text, parse_address, reference_form
from .registry import Entry, Registry, iso_time, recognize_code
from .trie import EMPTY_ROOT, prove, read_list, read_string

_MAX_BYTES = 10_000_000
_EMPTY_CODE_HASH = keccak256(b"")
_MAX_PAGE_WORDS = 3
_RECORD_BYTES = 64
# The registry version with a known storage layout, and the slots of its mappings.
_REGISTRY_VERSION = "AttestationRegistry 2"
_STARTS, _PAGES, _FIRSTS, _LATERS, _ENTRIES = 0, 1, 3, 5, 6
# For each address, the proven code, or None if it is not in the file, and the slots.
Accounts = dict[int, tuple[bytes | None, dict[int, int]]]
_HASH = "0x[0-9a-f]{64}"
_WORD, _DATA = (_HASH, to_int), ("0x([0-9a-f]{2})*", to_bytes)
_NODES = [_DATA, 0, 65]
_TIME = r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.000)?Z"
_SLOT = {"slot": _WORD, "value": _WORD, "proof": _NODES}
_ACCOUNT = {"address": parse_address, "accountProof": _NODES, "code?": _DATA, "slots": [_SLOT, 0, 4096]}
_BLOCK = {"number": NUMBER, "hash": _HASH, "header": _DATA, "final": bool}
_FORM = {
    "version": VERSION,
    "reference": reference_form(),
    "content": {"bytes?": NUMBER, "quoteRoot?": _WORD, "quoteTree?": "[a-z0-9-]{1,40}"},
    "attested": {"commitTransaction?": _HASH, "revealTransaction?": _HASH, "block?": NUMBER, "time": _TIME},
    "registry?": {"codeHash": _HASH},
    "publisher?": {"domain": "[a-z0-9.-]{1,253}"},
    "storage?": {"block": _BLOCK, "accounts": [_ACCOUNT, 0, 256]},
}


def parse_proof_file(data: bytes) -> dict[str, Any]:
    """Parses the fields of a proof file; missing ones are None. Raises InvalidError."""
    proof = read(_FORM, parse_json(data, "the proof file", _MAX_BYTES), "the proof file")
    accounts = proof["storage"]["accounts"] if proof["storage"] else []
    for keys in [[item["address"] for item in accounts], *([item["slot"] for item in each["slots"]] for each in accounts)]:
        check(keys == sorted(set(keys)), "accounts and slots of the proof file must be in ascending order without duplicates")
    return proof


def find_contradiction(proof: dict[str, Any], record: RegistryRecord, text: str | None = None) -> str:
    """Returns the name of the first plain field that does not match the record; empty if all match."""
    entry, time = record.entry_at_index, proof["attested"]["time"]
    is_content = text is not None and digest_of_text(text) == proof["reference"].digest
    claims = {
        "registry.codeHash": (proof["registry"] and proof["registry"]["codeHash"], record.registry.get("codeHash")),
        "content.quoteRoot": (proof["content"]["quoteRoot"], entry.quote_root if entry.timestamp else None),
        "attested.time": (time[:19] + ".000Z", iso_time(entry.timestamp) if entry.timestamp else None),
        "content.bytes": (proof["content"]["bytes"], len(text.encode()) if is_content else None),
    }
    contradictions = [name for name, claim in claims.items() if None not in claim and claim[0] != claim[1]]
    return contradictions[0] if contradictions else ""


def read_proven(reference: Reference, storage: dict[str, Any] | None, block_hash: str) -> Evidence:
    """Reads the evidence from a proof. The hash must not be from the file. Raises InvalidError, TransientFaultError."""
    check(storage, "it has no storage, which the offline check needs")
    state_root, block = _read_header(storage["block"], block_hash)
    accounts = {account["address"]: _read_account(state_root, account) for account in storage["accounts"]}
    registry = StoredRegistry(reference.registry, accounts)
    return Evidence(block, 0, read_record(registry.recognize(reference.chain_id), registry, reference, []))


def _read_header(block: dict[str, Any], block_hash: str) -> tuple[bytes, dict[str, Any]]:
    """Returns the state root and the block."""
    is_of_block = "0x" + keccak256(block["header"]).hex() == block["hash"] == block_hash
    check(is_of_block, "storage.block.header does not match the block hash")
    header = read_list(block["header"])
    check(len(header) >= 15, "storage.block.header is not a block header")
    root, number, timestamp = read_string(header[3]), _read_number(header[8], 6), _read_number(header[11], 6)
    check(len(root) == 32 and number == block["number"], "storage.block.number does not match storage.block.header")
    return root, {"number": number, "hash": block_hash, "timestamp": timestamp}


def _read_number(item: bytes, max_bytes: int) -> int:
    data = read_string(item)
    check(data[:1] != b"\0" and len(data) <= max_bytes, "a number is not canonical RLP, or is too long")
    return int.from_bytes(data, "big")


def _read_account(state_root: bytes, account: dict[str, Any]) -> tuple[bytes | None, dict[int, int]]:
    proven = prove(state_root, keccak256(account["address"].to_bytes(20, "big")), account["accountProof"])
    fields = [b"", b"", EMPTY_ROOT, _EMPTY_CODE_HASH] if proven is None else list(map(read_string, read_list(proven)))
    check(len(fields) == 4, "an account's value is not an account")
    _, _, storage_root, code_hash = fields
    check(account["code"] is None or keccak256(account["code"]) == code_hash, "an account's code does not match its code hash")
    slots = {}
    for item in account["slots"]:
        word = prove(storage_root, keccak256(item["slot"].to_bytes(32, "big")), item["proof"])
        slots[item["slot"]] = 0 if word is None else _read_number(word, 32)
        check(slots[item["slot"]] == item["value"], "the value of a slot does not match its proof")
    return b"" if code_hash == _EMPTY_CODE_HASH else account["code"], slots


def _code_at(accounts: Accounts, address: int) -> bytes:
    code, _ = accounts.get(address, (None, {}))
    check(code is not None, f"storage has no code for account 0x{address:040x}")
    return code


class StoredRegistry(Registry):
    """Reads a registry from its storage."""

    is_proven = True

    def __init__(self, address: int, accounts: Accounts) -> None:
        self.address = address
        self._accounts = accounts

    def recognize(self, chain_id: int) -> dict[str, Any]:
        recognized = recognize_code(chain_id, self.address, _code_at(self._accounts, self.address))
        check(recognized.get("version") in (None, _REGISTRY_VERSION), "the storage layout of this registry is not known")
        return recognized

    def index_by(self, digest: int, authority: int) -> int:
        first = self._word(_FIRSTS, digest)
        return first >> 208 if first % 2**160 == authority else self._word(_LATERS, digest, authority)

    def first_index(self, digest: int) -> int:
        return self._word(_FIRSTS, digest) >> 208

    def entry(self, index: int) -> Entry:
        digest, root, child, last = (self._word(_ENTRIES, index, word_offset=word_offset) for word_offset in (0, 1, 3, 4))
        if digest == 0 and root == 0:
            digest, root = self._read_page_record(index)
        first = self._word(_FIRSTS, digest)
        origin = first if first >> 208 == index else last
        timestamp = origin >> 160 & 0xFFFFFFFFFFFF
        return Entry(digest, root, origin % 2**160, timestamp, last >> 208, child) if timestamp else Entry()

    def _read_page_record(self, index: int) -> tuple[int, int]:
        """Returns digest and quote root of a batch's member; zeros if no page has it."""
        for number in range(index // 256, max(-1, index // 256 - _MAX_PAGE_WORDS), -1):
            # Pages that start after the index do not count.
            bits = self._word(_STARTS, number) & ((2 << index - 256 * number) - 1)
            if bits:
                first = 256 * number + bits.bit_length() - 1
                page = _code_at(self._accounts, self._word(_PAGES, first))
                record = page[1 + _RECORD_BYTES * (index - first) :][:_RECORD_BYTES].ljust(_RECORD_BYTES, b"\0")
                return int.from_bytes(record[:32], "big"), int.from_bytes(record[32:], "big")
        return 0, 0

    def _word(self, slot: int, *keys: int, word_offset: int = 0) -> int:
        """Returns a word of a value in a mapping, possibly nested; `word_offset` selects the word of a struct."""
        for key in keys:
            slot = int.from_bytes(keccak256(key.to_bytes(32, "big") + slot.to_bytes(32, "big")), "big")
        _, slots = self._accounts[self.address]
        check((slot + word_offset) % 2**256 in slots, "storage has no proof for a slot that the verdict needs")
        return slots[(slot + word_offset) % 2**256]
