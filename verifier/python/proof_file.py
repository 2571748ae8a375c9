"""The proof file that lies beside an article: its form, before anything in it is believed, and what it claims."""

from typing import Any

from evidence import Evidence
from forms import check, known_version, number, parse_json, read, to_bytes
from reference import parse_address, reference_form
from registry import iso_time

_MAX_BYTES = 10_000_000
_HASH = "0x[0-9a-f]{64}"
_WORD, _DATA = (_HASH, to_bytes), ("0x([0-9a-f]{2})*", to_bytes)
_NODES = [_DATA, 0, 65]


def _boolean(value: Any) -> None:
    check(isinstance(value, bool), "must be true or false")


_SLOT = {"slot": _WORD, "value": _WORD, "proof": _NODES}
_ACCOUNT = {"address": parse_address, "accountProof": _NODES, "code?": _DATA, "slots": [_SLOT, 0, 4096]}
_FORM = {
    "version": known_version,
    "reference": reference_form(),
    "content": {"bytes?": number, "quoteRoot?": _HASH, "quoteTree?": "[a-z0-9-]{1,40}"},
    "attested": {
        "commitTransaction?": _HASH,
        "revealTransaction?": _HASH,
        "block?": number,
        "time": r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.000)?Z",
    },
    "registry?": {"codeHash": _HASH},
    "publisher?": {"domain": "[a-z0-9.-]{1,253}"},
    "storage?": {
        "block": {"number": number, "hash": _WORD, "header": _DATA, "final": _boolean},
        "accounts": [_ACCOUNT, 0, 256],
    },
}


def parse_proof_file(data: bytes) -> dict[str, Any]:
    """The fields of a proof file by their documented names; what is missing is None. Raises InvalidError."""
    proof = read(_FORM, parse_json(data, "the proof file", _MAX_BYTES), "the proof file")
    accounts = proof["storage"]["accounts"] if proof["storage"] else []
    for keys in [[one["address"] for one in accounts], *([one["slot"] for one in each["slots"]] for each in accounts)]:
        check(keys == sorted(set(keys)), "accounts and slots of the proof file must be in ascending order, each once")
    return proof


def false_claim(proof: dict[str, Any], evidence: Evidence) -> str:
    """What a file only claims, and was found to be otherwise; empty where there is no such thing."""
    held, registry, time = evidence.held, proof["registry"] or {}, proof["attested"]["time"]
    claims = [
        ("code hash", registry.get("codeHash"), evidence.registry.get("codeHash")),
        ("quote root", proof["content"]["quoteRoot"], held and held.quote_root),
        ("time", time.removesuffix("Z").removesuffix(".000") + ".000Z", held and iso_time(held.timestamp)),
    ]
    false = [name for name, claimed, found in claims if claimed and found and claimed != found]
    return f"its {false[0]} is not that of the registry" if false else ""
