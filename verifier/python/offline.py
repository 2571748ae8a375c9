"""An attestation checked with a proof file against nothing but the hash of one block."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

from chain import Block
from evidence import Evidence
from keccak import keccak256
from proof_file import ProofAccount, ProofFile, ProofStorage
from provider import ContradictionError
from record import Record, read_record
from registries import recognize_registry
from reference import digest_of_text
from registry import Entry
from trie import EMPTY_ROOT, Item, ProofFailsError, decode_rlp, prove
from verdict import Verdict, has_root, iso_time, judge

_EMPTY_CODE_HASH = keccak256(b"")
_MAX_PAGE_WORDS = 3
_RECORD_BYTES = 64


@dataclass(frozen=True)
class Layout:
    """Slots of a version: of pages' starts and pages, of firsts, of later authorities' indices, of entries."""

    pages: Optional[tuple[int, int]]
    firsts: int
    laters: int
    entries: int


_LAYOUTS = {
    "AttestationRegistry 2": Layout((0, 1), 3, 5, 6),
    "AttestationRegistry 1": Layout(None, 1, 3, 4),
}


@dataclass(frozen=True)
class Account:
    """What is proven of an account."""

    code_hash: bytes
    code: Optional[bytes]
    slots: dict[bytes, int]


def verify_offline(proof: ProofFile, block_hash: str, text: Optional[str] = None) -> Verdict:
    """Verifies with a proof file, as of the block with this hash, which must not come from the file. Raises nothing."""
    content = None if text is None else text.encode()
    is_content = None if content is None else digest_of_text(content) == proof.reference.digest
    evidence: Optional[Evidence] = None
    try:
        evidence = _read(proof, bytes.fromhex(block_hash[2:]))
        if content is not None and is_content and proof.length not in (None, len(content)):
            raise ProofFailsError("its length is not that of the text")
        outcome, reason = judge(proof.reference, evidence, text)
        chain = f"block {evidence.block.number} of chain {proof.reference.chain_id}"
        reason = f"{reason} As of {chain}, if {block_hash} is that block."
    except ProofFailsError as error:
        evidence, outcome, reason = None, "unknown", f"The proof does not hold: {error}."
    entry = evidence.record.entry if evidence and evidence.record else None
    return Verdict(
        outcome=outcome,
        reason=reason,
        evidence=evidence,
        is_found=entry is not None,
        not_yet_final=entry is not None,  # nothing in a file proves that its block is final
        reveal_block=None,
        text_is_content=is_content,
        quote_root_holds=None if text is None or entry is None else has_root(text, entry.quote_root),
        witnesses=[],
    )


def against_proof(verdict: Verdict, proof: ProofFile) -> Verdict:
    """The verdict of providers on what a proof file names: where the file says otherwise than they do, it is false."""
    evidence = verdict.evidence
    code, record = (evidence.registry, evidence.record) if evidence else (None, None)
    try:
        if code is not None and proof.code_hash not in (None, code.code_hash):
            raise ProofFailsError("its code hash is not that of the registry")
        if record and record.entry:
            _check_plain_fields(proof, record.entry)
    except ProofFailsError as error:
        return replace(verdict, outcome="unknown", reason=f"The proof file is false: {error}.")
    return verdict


def _read(proof: ProofFile, block_hash: bytes) -> Evidence:
    """Checks all that a file proves as of the block with this hash."""
    if proof.storage is None:
        raise ProofFailsError("it has no storage, which alone is checked without a provider")
    root, block = _check_header(proof.storage, block_hash)
    accounts = {account.address: _check_account(root, account) for account in proof.storage.accounts}
    reference = proof.reference
    account = _account_in(accounts, reference.registry_address)
    code = recognize_registry(reference.chain_id, reference.registry_address, _code_of(account))
    if code is not None and proof.code_hash not in (None, code.code_hash):
        raise ProofFailsError("its code hash is not that of the registry")
    layout = _LAYOUTS.get(code.version or "") if code else None
    if layout is None:
        return Evidence(block, None, code, None)
    registry = StoredRegistry(reference.registry_address, layout, accounts)
    found = registry.index_by(reference.digest, reference.authority_address)
    if found != reference.attestation_index:
        # The look-up alone shows that; what is at the index then need not be in the file.
        return Evidence(block, None, code, Record(None, found))
    try:
        record = read_record([registry], reference)
    except ContradictionError as error:
        raise ProofFailsError(f"the storage {error}") from None
    _check_plain_fields(proof, record.entry)
    return Evidence(block, None, code, record)


def _check_plain_fields(proof: ProofFile, entry: Optional[Entry]) -> None:
    if entry is None or proof.quote_root not in (None, entry.quote_root):
        raise ProofFailsError("its quote root is not that of the registry")
    if iso_time(entry.timestamp) not in (proof.time, proof.time.replace("Z", ".000Z")):
        raise ProofFailsError("its time is not that of the registry")


def _check_header(storage: ProofStorage, block_hash: bytes) -> tuple[bytes, Block]:
    """The state root and the block."""
    if not keccak256(storage.header) == storage.block_hash == block_hash:
        raise ProofFailsError("the header in the file is not that of the block with this hash")
    header = decode_rlp(storage.header)
    if not isinstance(header, list) or len(header) < 15:
        raise ProofFailsError("the header in the file has no form of one")
    root, number, timestamp = _string(header[3]), _integer(header[8]), _integer(header[11])
    if len(root) != 32 or number != storage.number:
        raise ProofFailsError("the header in the file is not that of the block with this number")
    return root, Block(number, "0x" + block_hash.hex(), timestamp)


def _string(item: Item) -> bytes:
    if not isinstance(item, bytes):
        raise ProofFailsError("a list stands where bytes belong")
    return item


def _integer(item: Item) -> int:
    data = _string(item)
    if data[:1] == b"\0" or len(data) > 6:
        raise ProofFailsError("a number of RLP is not canonical")
    return int.from_bytes(data, "big")


def _check_account(state_root: bytes, account: ProofAccount) -> Account:
    proven = prove(state_root, keccak256(bytes.fromhex(account.address[2:])), account.nodes)
    storage_root, code_hash = EMPTY_ROOT, _EMPTY_CODE_HASH
    if proven is not None:
        fields = decode_rlp(proven)
        if not isinstance(fields, list) or len(fields) != 4:
            raise ProofFailsError("an account has no form of one")
        storage_root, code_hash = _string(fields[2]), _string(fields[3])
    if account.code is not None and keccak256(account.code) != code_hash:
        raise ProofFailsError("code in the file is not that of its account")
    for one in account.slots:
        word = prove(storage_root, keccak256(one.slot), one.nodes)
        value = b"" if word is None else _string(decode_rlp(word))
        if value[:1] == b"\0" or len(value) > 32 or value.rjust(32, b"\0") != one.value:
            raise ProofFailsError("a value in the file is not that of its slot")
    slots = {one.slot: int.from_bytes(one.value, "big") for one in account.slots}
    return Account(code_hash, account.code, slots)


def _account_in(accounts: dict[str, Account], address: str) -> Account:
    if address not in accounts:
        raise ProofFailsError(f"the account {address} is not in the file")
    return accounts[address]


def _code_of(account: Account) -> bytes:
    if account.code is None and account.code_hash != _EMPTY_CODE_HASH:
        raise ProofFailsError("the code of an account is not in the file")
    return account.code or b""


def _map(position: int, key: int) -> int:
    """The slot of a mapping's value."""
    return int.from_bytes(keccak256(key.to_bytes(32, "big") + position.to_bytes(32, "big")), "big")


class StoredRegistry:
    """A registry whose views are read from its storage, as the contract itself reads it."""

    def __init__(self, address: str, layout: Layout, accounts: dict[str, Account]) -> None:
        self.address = address
        self._layout = layout
        self._accounts = accounts
        self._slots = accounts[address].slots

    def index_by(self, digest: str, authority: str) -> int:
        """Index of an authority's attestation of a content; 0 when there is none."""
        index, _, first_authority = self._first(digest)
        if index and first_authority == authority:
            return index
        later = _map(self._layout.laters, int(digest, 16))
        return self._word(_map(later, int(authority, 16)))

    def first_index(self, digest: str) -> int:
        """Index of the first attestation of a content by anyone; 0 when there is none."""
        return self._first(digest)[0]

    def entry(self, index: int) -> Optional[Entry]:
        """The entry at an index; None where none is."""
        start = _map(self._layout.entries, index)
        digest, root = self._word(start), self._word(start + 1)
        child, last = self._word(start + 3), self._word(start + 4)
        if digest == 0 and root == 0 and self._layout.pages:
            digest, root = self._paged(*self._layout.pages, index)
        hex_digest = _hex(digest)
        first_index, timestamp, authority = self._first(hex_digest)
        if first_index != index:
            _, timestamp, authority = _origin(last)
        if timestamp == 0:
            return None
        return Entry(hex_digest, _hex(root), authority, timestamp, last >> 208, _hex(child) if child else None)

    def _paged(self, starts: int, pages: int, index: int) -> tuple[int, int]:
        """Digest and quote root of a batch's member; zeros where no page has it."""
        first = self._page_start(starts, index)
        if first is None:
            return 0, 0
        page = _account_in(self._accounts, f"0x{self._word(_map(pages, first)):040x}")
        start = 1 + _RECORD_BYTES * (index - first)
        record = _code_of(page)[start : start + _RECORD_BYTES].ljust(_RECORD_BYTES, b"\0")
        return int.from_bytes(record[:32], "big"), int.from_bytes(record[32:], "big")

    def _page_start(self, starts: int, index: int) -> Optional[int]:
        number, bit = divmod(index, 256)
        for word_number in range(number, max(-1, number - _MAX_PAGE_WORDS), -1):
            bits = self._word(_map(starts, word_number))
            if word_number == number:
                bits &= (2 << bit) - 1
            if bits:
                return 256 * word_number + bits.bit_length() - 1
        return None

    def _first(self, digest: str) -> tuple[int, int, str]:
        """Index, time and authority of the first attestation of a content."""
        return _origin(self._word(_map(self._layout.firsts, int(digest, 16))))

    def _word(self, slot: int) -> int:
        key = (slot % 2**256).to_bytes(32, "big")
        if key not in self._slots:
            raise ProofFailsError("a slot that the verdict needs is not in the file")
        return self._slots[key]


def _origin(word: int) -> tuple[int, int, str]:
    return word >> 208, word >> 160 & 0xFFFFFFFFFFFF, f"0x{word & (1 << 160) - 1:040x}"


def _hex(word: int) -> str:
    return f"0x{word:064x}"
