"""Reads lines of JSON lists of [name, argument], and prints a list of results for each; None for rejected input."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from typing import Any, Callable

from imprimatur_verifier.forms import InvalidError
from imprimatur_verifier.keccak import keccak256
from imprimatur_verifier.proof_file import parse_proof_file
from imprimatur_verifier.quote import parse_quote_proof, quote_root
from imprimatur_verifier.reference import Subject, checksum_address, cid_of_digest, parse_cid, parse_reference
from imprimatur_verifier.trie import prove
from imprimatur_verifier.verdict import exit_code, verify_offline
from imprimatur_verifier.__main__ import main


def _normal_reference(text: str) -> str:
    reference = parse_reference(text)
    registry = f"eip155:{reference.chain_id}:{checksum_address(reference.registry)}/{reference.index}"
    return f"{registry}/{checksum_address(reference.authority)}/{cid_of_digest(reference.digest)}"


def _offline(argument: str) -> Any:
    fields = json.loads(argument)
    proof = parse_proof_file(fields["file"].encode())
    verdict = verify_offline(Subject(proof["reference"], fields.get("text"), proof=proof), fields["blockHash"])
    verdict.pop("reason", None)
    return {"exitCode": exit_code(verdict), "verified": exit_code(verdict) in (0, 3), **verdict}


def _word(number: int | None) -> str | None:
    return None if number is None else f"0x{number:064x}"


def _value_at(argument: str) -> str:
    fields = json.loads(argument)
    root, key, *nodes = [bytes.fromhex(data[2:]) for data in (fields["root"], fields["key"], *fields["nodes"])]
    value = prove(root, key, nodes)
    return "absent" if value is None else "0x" + value.hex()


def _command(argument: str) -> Any:
    """Runs the command in this process."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            code = main(json.loads(argument))
        except SystemExit as end:
            code = end.code
    return {"code": code, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}


_FUNCTIONS: dict[str, Callable[[str], Any]] = {
    "keccak256": lambda data: "0x" + keccak256(bytes.fromhex(data[2:])).hex(),
    "digestOfCid": lambda text: _word(parse_cid(text, "the CID")),
    "normalReference": _normal_reference,
    "valueAt": _value_at,
    "offline": _offline,
    "command": _command,
    "rootOfQuote": lambda proof: _word(parse_quote_proof(proof.encode("utf-8", "surrogatepass")).root),
    "quoteRoots": lambda text: [_word(quote_root(text, splits_pairs)) for splits_pairs in (False, True)],
}


def _compute(name: str, argument: str) -> Any:
    try:
        return _FUNCTIONS[name](argument)
    except InvalidError:
        return None


for line in sys.stdin:
    print(json.dumps([_compute(name, argument) for name, argument in json.loads(line)]), flush=True)
