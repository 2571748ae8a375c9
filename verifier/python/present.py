"""The verdict as a person, a script and a shell read it. None of it holds anything of the text."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import Any

from record import Correction
from reference import Reference, checksum_address, cid_of_digest
from verdict import Verdict, Witness, iso_time

_PRODUCTION_DELAY_SECONDS = 60
# Every chain in use has a block in this time.
_STALE_SECONDS = 3600
_ENDS = {
    "missing": "which is not attested in a registry that was asked",
    "foreign": "which only other authorities attested",
    "revoked": "which was withdrawn",
    "loop": "which it corrects itself: the corrections go in a circle",
    "limit": "and no more corrections are followed",
}


def exit_code(verdict: Verdict) -> int:
    """0 verified; 1 a check failed; 2 unknown; 3 superseded."""
    if verdict.outcome in ("unknown", "superseded", "verified") and verdict.quote_root_holds is not False:
        return {"unknown": 2, "superseded": 3, "verified": 0}[verdict.outcome]
    return 2 if verdict.outcome == "unknown" else 1


def notices(verdict: Verdict) -> list[str]:
    """Sentences that a reader should be told beside the outcome."""
    if not verdict.evidence:
        return []
    told, read_at = [], verdict.evidence.block.timestamp
    if time.time() - read_at >= _STALE_SECONDS:
        since = "what happened since, such as a revocation, is not known"
        told.append(f"It was read at a block of {iso_time(read_at)}: {since}.")
    if not verdict.is_found or not verdict.evidence.record:
        return told
    if verdict.not_yet_final:
        told.append("A reorganisation of the chain may still undo it: its block is not known to be final.")
    first, corrections = verdict.evidence.record.first_attested_by, verdict.evidence.record.corrections
    if first:
        authority = checksum_address(first.authority_address)
        told.append(f"{authority} attested the same content first, at {iso_time(first.attested_at)}.")
    if corrections and corrections.unfollowed_digest:
        last = cid_of_digest(corrections.unfollowed_digest)
        told.append(f"The last correction names {last}, {_ENDS[corrections.end]}.")
    registry = verdict.evidence.registry
    delay = registry.reveal_delay_seconds if registry else None
    if delay is None:
        told.append("The registry is the public deployment by its address; its code is not compared with any.")
    elif delay < _PRODUCTION_DELAY_SECONDS:
        told.append(f"The registry lets content be revealed {delay} seconds after its commit.")
    if verdict.text_is_content and verdict.quote_root_holds is False:
        told.append("The quote root that the registry keeps is not that of this text.")
    told += [f"{one.provider.name} {one.fault}." for one in verdict.witnesses if one.evidence is None]
    return told


def present_text(reference: Reference, verdict: Verdict, quoted: tuple[str, ...] = ()) -> str:
    """Lines for a person; quoted pieces as JSON, with nothing that a terminal would act on."""
    lines = [f"quoted  {json.dumps(piece)}" for piece in quoted]
    lines.append(f"{verdict.outcome}: {_reason(verdict)}")
    if verdict.evidence:
        registry, block = verdict.evidence.registry, verdict.evidence.block
        code = f"{registry.version or 'not known'}, code hash {registry.code_hash}" if registry else "no contract"
        lines.append(f"registry: {checksum_address(reference.registry_address)}, {code}")
        lines.append(f"authority: {checksum_address(reference.authority_address)}")
        if verdict.reveal_block:
            lines.append("revealed in block {}, {} deep".format(*verdict.reveal_block))
        lines.append(f"read at block {block.number} of {iso_time(block.timestamp)}")
        if not verdict.witnesses:
            lines.append("not checked offline: transactions, the block of the reveal, the publisher, whether it is final")
    if quoted:
        lines.append("that the passage is in the text with the CID only that text shows")
    elif verdict.text_is_content is None:
        lines.append("the text itself was not given (--file)")
    return "\n".join(lines + notices(verdict))


def _reason(verdict: Verdict) -> str:
    """The reason, and what became of the attestation that an altered text is not of: that outcome would hide it."""
    record = verdict.evidence.record if verdict.evidence else None
    if verdict.outcome != "altered" or not record or not record.entry:
        return verdict.reason
    if record.entry.revoked_at:
        return f"{verdict.reason.removesuffix('.')}; it was withdrawn since"
    return f"{verdict.reason.removesuffix('.')}; it was corrected since" if record.entry.child_digest else verdict.reason


def present_json(reference: Reference, verdict: Verdict, quoted: tuple[str, ...] = ()) -> dict[str, Any]:
    """The object that --json prints, with the names that the command in TypeScript has for the same."""
    evidence = verdict.evidence
    record = evidence.record if evidence else None
    entry = record.entry if record and verdict.is_found else None
    first = record.first_attested_by if record else None
    result = {
        "verified": exit_code(verdict) in (0, 3),
        "chainId": reference.chain_id,
        "registryAddress": checksum_address(reference.registry_address),
        "attestationIndex": reference.attestation_index,
        "authorityAddress": checksum_address(reference.authority_address),
        "contentCid": cid_of_digest(reference.digest),
        "quoted": list(quoted) or None,
        "outcome": verdict.outcome,
        "reason": verdict.reason,
        "notices": notices(verdict),
        "attestedAt": iso_time(entry.timestamp) if entry else None,
        "revokedAt": iso_time(entry.revoked_at) if entry and entry.revoked_at else None,
        "blockNumber": evidence.block.number if evidence else None,
        "notYetFinal": verdict.not_yet_final,
        "firstAttestedBy": _in_json(asdict(first)) if first else None,
        "corrections": _corrections_of(verdict),
        "textIsContent": verdict.text_is_content,
        "quoteRootHolds": verdict.quote_root_holds,
        "registry": _in_json(asdict(evidence.registry)) if evidence and evidence.registry else None,
        "revealBlock": dict(zip(("number", "depth"), verdict.reveal_block)) if verdict.reveal_block else None,
        "providers": [_report_of(witness) for witness in verdict.witnesses],
        "asked": [question for witness in verdict.witnesses for question in witness.provider.asked],
    }
    return {name: value for name, value in result.items() if value is not None}


def _corrections_of(verdict: Verdict) -> dict[str, Any] | None:
    corrections = verdict.evidence and verdict.evidence.record and verdict.evidence.record.corrections
    if not corrections:
        return None
    unfollowed = corrections.unfollowed_digest
    told = {"unfollowedCid": cid_of_digest(unfollowed)} if unfollowed else {}
    return {"followed": [_correction_in_json(one) for one in corrections.followed], "end": corrections.end, **told}


def _correction_in_json(correction: Correction) -> dict[str, Any]:
    fields = _in_json(asdict(correction))
    return {"contentCid": cid_of_digest(fields.pop("digest")), **fields}


def _report_of(witness: Witness) -> dict[str, Any]:
    name, evidence = witness.provider.name, witness.evidence
    if evidence is None:
        return {"name": name, "answered": False, "says": witness.fault}
    return {"name": name, "answered": True, "block": asdict(evidence.block)}


def _in_json(fields: dict[str, Any]) -> dict[str, Any]:
    """Names as JSON has them here, and addresses with their checksum."""
    result = {}
    for name, value in fields.items():
        first, *others = name.split("_")
        camel = first + "".join(word.capitalize() for word in others)
        result[camel] = checksum_address(value) if name.endswith("_address") else value
    return {name: value for name, value in result.items() if value is not None}
