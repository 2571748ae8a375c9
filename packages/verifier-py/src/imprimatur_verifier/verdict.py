"""Verdicts from the answers of providers, or from a proof file."""

import threading
from typing import Any

from .evidence import Evidence, Found, read_evidence
from .forms import InvalidError, check
from .proof_file import false_claim, read_proven
from .provider import PassingFaultError, Provider, ProviderFaultError
from .quote import quote_root
from .reference import Reference, Subject, checksum_address, cid_of_digest, digest_of_text
from .registry import iso_time

_TIMEOUT_SECONDS = 60.0


def verify(subject: Subject, rpc_urls: list[str], named: list[int]) -> dict[str, Any]:
    """Verifies with providers, one after the other. Raises InvalidError for an invalid URL."""
    reports = []
    for provider in [Provider(url) for url in rpc_urls]:
        report = {"name": provider.name, "answered": False, "says": "does not answer in time"}
        thread = threading.Thread(target=_ask, args=(provider, subject.reference, named, report), daemon=True)
        thread.start()
        thread.join(_TIMEOUT_SECONDS)
        reports.append(dict(report))  # a later answer does not count
    answers, problem = [report.pop("evidence") for report in reports if report["answered"]], None
    # An attacker could block some providers, so answers that disagree or are too few are only reported.
    if 2 * len(answers) <= len(reports):
        problem = "Too few providers answered."
    elif any(answer.found != answers[0].found for answer in answers):
        problem = "The providers disagree."
    elif subject.proof and (claim := false_claim(subject.proof, answers[0].found)):
        problem = f"The proof file is wrong: {claim} does not match the chain."
    return _conclude(subject, [] if problem else answers, problem) | {"providers": reports}


def _ask(provider: Provider, reference: Reference, named: list[int], report: dict[str, Any]) -> None:
    """Adds a provider's answer or fault to its report."""
    try:
        evidence = read_evidence(provider, reference, named)
        says = f"reports {_outcome_of(evidence.found, None)}"
        report.update(answered=True, says=says, block=evidence.block, evidence=evidence)
    except ProviderFaultError as fault:
        report["says"] = str(fault)


def verify_offline(subject: Subject, block_hash: str) -> dict[str, Any]:
    """Verifies a proof file for the block with this hash, which must not come from the file."""
    try:
        evidence = read_proven(subject.reference, subject.proof["storage"], block_hash)
        claim = false_claim(subject.proof, evidence.found, subject.text)
        check(not claim, f"{claim} does not match the storage")
    except (InvalidError, PassingFaultError) as error:
        return _conclude(subject, [], f"The proof is invalid: {error}.")
    place = f"block {evidence.block['number']} of chain {subject.reference.chain_id}"
    return _conclude(subject, [evidence], f"As of {place}, if {block_hash} is that block.")


def _conclude(subject: Subject, answers: list[Evidence], reason: str | None) -> dict[str, Any]:
    """Makes the verdict from answers that agree, with the names of `--json`; unknown without answers."""
    reference, text = subject.reference, subject.text
    is_content = None if text is None else digest_of_text(text) == reference.digest
    found = answers[0].found if answers else Found({})
    entry, holds = found.entry, _root_holds(subject, found)
    outcome = _outcome_of(found, is_content) if answers else "unknown"
    verdict = {
        "outcome": "altered" if subject.quoted and holds is False else outcome,
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
        "notYetFinal": any(entry and max(entry.timestamp, entry.revoked_at) >= one.final_time for one in answers),
        "textIsContent": is_content,
        "quoteRootHolds": holds,
        "indexByAuthority": found.index_by_authority,
        "firstAttestedBy": found.first_attested_by,
        "corrections": found.corrections,
        "registry": found.registry or None,
        "blockNumber": min((answer.block["number"] for answer in answers), default=None),
        "providers": [],
    }
    return {name: fact for name, fact in verdict.items() if fact is not None}


def _outcome_of(found: Found, text_is_content: bool | None) -> str:
    """Returns the first outcome in the documented order that applies."""
    if found.registry and "version" not in found.registry:
        return "unknown"
    if found.entry is None:
        return "notFound"
    if text_is_content is False:
        return "altered"
    if found.entry.revoked_at:
        return "revoked"
    return "superseded" if found.entry.child else "verified"


def _root_holds(subject: Subject, found: Found) -> bool | None:
    """Whether the quote, or the text by either rule, has the registry's quote root."""
    if subject.quoted:
        return found.entry and found.entry.quote_root == subject.root
    if subject.text is None or not found.held.timestamp:
        return None
    return any(found.held.quote_root == quote_root(subject.text, splits_pairs) for splits_pairs in (False, True))


def exit_code(verdict: dict[str, Any]) -> int:
    """0 verified; 1 not verified; 2 unknown; 3 superseded."""
    code = {"unknown": 2, "superseded": 3, "verified": 0}.get(verdict.get("outcome"), 1)
    return 1 if verdict.get("quoteRootHolds") is False and code != 2 else code
