"""Reads a JSON list of [name, argument] and prints the results as one: None where the argument is refused."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

from keccak import keccak256
from offline import verify_offline
from present import exit_code, present_json
from proof_file import ProofInvalidError, parse_proof_file
from quote_proof import QuoteProofInvalidError, parse_quote_proof
from reference import ReferenceInvalidError, checksum_address, cid_of_digest, digest_of_cid, parse_reference
from text import quote_root, split_quote_root
from trie import Item, ProofFailsError, decode_rlp, prove


def _normal(text: str) -> str:
    one = parse_reference(text)
    place = f"eip155:{one.chain_id}:{checksum_address(one.registry_address)}/{one.attestation_index}"
    return f"{place}/{checksum_address(one.authority_address)}/{cid_of_digest(one.digest)}"


def _offline(argument: str) -> Any:
    given = json.loads(argument)
    proof = parse_proof_file(given["file"].encode())
    verdict = verify_offline(proof, given["blockHash"], given.get("text"))
    facts = present_json(proof.reference, verdict)
    return {"exitCode": exit_code(verdict), **{name: fact for name, fact in facts.items() if name not in _WORDS}}


def _in_hex(item: Item) -> Any:
    return "0x" + item.hex() if isinstance(item, bytes) else [_in_hex(one) for one in item]


def _value_at(argument: str) -> str:
    given = json.loads(argument)
    root, key, *nodes = [bytes.fromhex(data[2:]) for data in (given["root"], given["key"], *given["nodes"])]
    value = prove(root, key, nodes)
    return "absent" if value is None else "0x" + value.hex()


_WORDS = ("reason", "notices", "asked")
_FUNCTIONS: dict[str, Callable[[str], Any]] = {
    "keccak256": lambda data: "0x" + keccak256(bytes.fromhex(data[2:])).hex(),
    "digestOfCid": digest_of_cid,
    "normalReference": _normal,
    "itemOfRlp": lambda data: _in_hex(decode_rlp(bytes.fromhex(data[2:]))),
    "valueAt": _value_at,
    "offline": _offline,
    "rootOfQuote": lambda proof: parse_quote_proof(proof.encode("utf-8", "surrogatepass")).root,
    "quoteRoots": lambda text: [quote_root(text), split_quote_root(text)],
}


def _compute(name: str, argument: str) -> Any:
    try:
        return _FUNCTIONS[name](argument)
    except (ProofFailsError, ProofInvalidError, QuoteProofInvalidError, ReferenceInvalidError):
        return None


print(json.dumps([_compute(name, argument) for name, argument in json.load(sys.stdin)]))
