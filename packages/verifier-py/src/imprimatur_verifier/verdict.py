"""Verdicts from the answers of providers, or from a proof file."""

import threading
from typing import Any

from .evidence import Evidence, RegistryRecord, read_evidence
from .forms import InvalidError, check
from .proof_file import find_contradiction, read_proven
from .provider import Provider, ProviderFaultError, TransientFaultError
from .quote import quote_root
from .reference import Reference, Subject, checksum_address, cid_of_digest, digest_of_text
from .registry import iso_time

_TIMEOUT_SECONDS = 60.0


def verify(subject: Subject, rpc_urls: list[str], other_registries: list[int]) -> dict[str, Any]:
    """Verifies with providers, one after the other. Raises InvalidError for an invalid URL."""
    reports = []
    for provider in [Provider(url) for url in rpc_urls]:
        report = {"name": provider.name, "answered": False, "says": "does not answer in time"}
        thread = threading.Thread(target=_ask, args=(provider, subject.reference, other_registries, report), daemon=True)
        thread.start()
        thread.join(_TIMEOUT_SECONDS)
        reports.append(dict(report))  # a later answer does not count
    answers, problem = [report.pop("evidence") for report in reports if report["answered"]], None
    # An attacker could block some providers, so too few answers, or answers that disagree, are not a verdict.
    if 2 * len(answers) <= len(reports):
        problem = "Too few providers answered."
    elif any(answer.record != answers[0].record for answer in answers):
        problem = "The providers disagree."
    elif subject.proof and (claim := find_contradiction(subject.proof, answers[0].record)):
        problem = f"The proof file is wrong: {claim} does not match the chain."
    return _make_verdict(subject, [] if problem else answers, problem) | {"providers": reports}


def _ask(provider: Provider, reference: Reference, other_registries: list[int], report: dict[str, Any]) -> None:
    """Adds a provider's answer or fault to its report."""
    try:
        evidence = read_evidence(provider, reference, other_registries)
        says = f"reports {_outcome_of(evidence.record, None)}"
        report.update(answered=True, says=says, block=evidence.block, evidence=evidence)
    except ProviderFaultError as fault:
        report["says"] = str(fault)


def verify_offline(subject: Subject, block_hash: str) -> dict[str, Any]:
    """Verifies a proof file for the block with this hash, which must not come from the file."""
    try:
        evidence = read_proven(subject.reference, subject.proof["storage"], block_hash)
        claim = find_contradiction(subject.proof, evidence.record, subject.text)
        check(not claim, f"{claim} does not match the storage or the text")
    except (InvalidError, TransientFaultError) as error:
        return _make_verdict(subject, [], f"The proof is invalid: {error}.")
    location = f"block {evidence.block['number']} of chain {subject.reference.chain_id}"
    return _make_verdict(subject, [evidence], f"As of {location}, if {block_hash} is that block.")


def _make_verdict(subject: Subject, answers: list[Evidence], reason: str | None) -> dict[str, Any]:
    """Makes the verdict from answers that agree, with the names of `--json`; unknown without answers."""
    reference, text = subject.reference, subject.text
    is_content = None if text is None else digest_of_text(text) == reference.digest
    record = answers[0].record if answers else RegistryRecord({})
    entry, root_holds = record.entry, _root_holds(subject, record)
    outcome = _outcome_of(record, is_content) if answers else "unknown"
    verdict = {
        "outcome": "altered" if subject.quoted and root_holds is False else outcome,
        "reason": reason,
        "chainId": reference.chain_id,
        "registryAddress": checksum_address(reference.registry),
        "attestationIndex": reference.index,
        "authorityAddress": checksum_address(reference.authority),
        "contentCid": cid_of_digest(reference.digest),
        "quoted": subject.quoted,
        "attestedAt": entry and iso_time(entry.timestamp),
        "revokedAt": iso_time(entry.revoked_at) if entry and entry.revoked_at else None,
        # Final means older than the final block of every provider.
        "notYetFinal": any(entry and max(entry.timestamp, entry.revoked_at) >= answer.final_time for answer in answers),
        "textIsContent": is_content,
        "quoteRootHolds": root_holds,
        "indexByAuthority": record.index_by_authority,
        "firstAttestedBy": record.first_attested_by,
        "corrections": record.corrections,
        "registry": record.registry or None,
        "blockNumber": min((answer.block["number"] for answer in answers), default=None),
        "providers": [],
    }
    return {name: fact for name, fact in verdict.items() if fact is not None}


def _outcome_of(record: RegistryRecord, text_is_content: bool | None) -> str:
    """Returns the first outcome in the documented order that applies."""
    if record.registry and "version" not in record.registry:
        return "unknown"
    if record.entry is None:
        return "notFound"
    if text_is_content is False:
        return "altered"
    if record.entry.revoked_at:
        return "revoked"
    return "superseded" if record.entry.child else "verified"


def _root_holds(subject: Subject, record: RegistryRecord) -> bool | None:
    """Whether the quote, or the text by either rule, has the registry's quote root."""
    if subject.quoted:
        return record.entry and record.entry.quote_root == subject.root
    if subject.text is None or not record.entry_at_index.timestamp:
        return None
    return any(record.entry_at_index.quote_root == quote_root(subject.text, splits_pairs) for splits_pairs in (False, True))


def exit_code(verdict: dict[str, Any]) -> int:
    """Returns the exit code: 0 verified; 1 not verified; 2 unknown; 3 superseded."""
    code = {"unknown": 2, "superseded": 3, "verified": 0}.get(verdict.get("outcome"), 1)
    return 1 if verdict.get("quoteRootHolds") is False and code != 2 else code
