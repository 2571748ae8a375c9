"""The verdict that is drawn from all providers' answers."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, Sequence

from evidence import Evidence, read_evidence, reveal_block
from provider import Provider, ProviderFaultError, host_of
from quote_proof import Quote
from reference import Reference, cid_of_digest, digest_of_text
from text import accident, quote_root, split_quote_root

_TIMEOUT_SECONDS = 60.0


@dataclass
class Witness:
    """A provider, and what it answered: evidence, or a fault."""

    provider: Provider
    evidence: Optional[Evidence] = None
    fault: str = "does not answer in time"
    reveal_block: Optional[tuple[int, int]] = None
    unforeseen: Optional[Exception] = None


@dataclass(frozen=True)
class Verdict:
    """The outcome with its reason, and what stands beside it. Facts are there only where the providers agree."""

    outcome: str
    reason: str
    evidence: Optional[Evidence]
    is_found: bool
    not_yet_final: bool
    reveal_block: Optional[tuple[int, int]]
    text_is_content: Optional[bool]
    quote_root_holds: Optional[bool]
    witnesses: list[Witness]


def iso_time(seconds: int) -> str:
    """A block time as ISO 8601; one that a provider made up as a number."""
    try:
        time_of = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
        return time_of.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    except OverflowError:
        return f"second {seconds}"


def verify(
    reference: Reference, rpc_urls: list[str], text: Optional[str] = None, other_registries: Sequence[str] = ()
) -> Verdict:
    """Verifies an attestation, and the text if it is given. Raises RpcUrlInvalidError and nothing else."""
    witnesses = _ask_all(reference, rpc_urls, list(other_registries))
    answers = [witness.evidence for witness in witnesses if witness.evidence]
    problem = _disagreement(answers, witnesses)
    # Answers that disagree, or are too few, are told and used for nothing else.
    evidence = None if problem else min(answers, key=lambda one: one.block.number)
    record = evidence.record if evidence else None
    outcome, reason = judge(reference, evidence, text) if evidence else ("unknown", problem)
    is_found = record is not None and record.index_by_authority == reference.attestation_index
    blocks = [witness.reveal_block for witness in witnesses if witness.reveal_block]
    root = record.entry.quote_root if record and record.entry else None
    return Verdict(
        outcome=outcome,
        reason=reason,
        evidence=evidence,
        is_found=is_found,
        not_yet_final=is_found and any(map(_is_not_yet_final, answers)),
        reveal_block=min(blocks, key=lambda block: block[1]) if is_found and blocks else None,
        text_is_content=None if text is None else digest_of_text(text.encode()) == reference.digest,
        quote_root_holds=None if text is None or root is None else has_root(text, root),
        witnesses=witnesses,
    )


def _disagreement(answers: list[Evidence], witnesses: list[Witness]) -> str:
    """Why the answers give no verdict; empty where they do. An attacker could keep the others from answering."""
    said = {(evidence.registry, evidence.record) for evidence in answers}
    if len(said) == 1 and 2 * len(answers) > len(witnesses):
        return ""
    what = "The providers disagree" if 2 * len(answers) > len(witnesses) else "Too few providers answered"
    return f"{what}: {'; '.join(map(_words_of, witnesses))}."


def verify_quote(quote: Quote, rpc_urls: list[str], other_registries: Sequence[str] = ()) -> Verdict:
    """Verifies the attestation that a quote proof names, and that the proof leads to its quote root."""
    verdict = verify(quote.reference, rpc_urls, None, other_registries)
    record = verdict.evidence.record if verdict.evidence else None
    if record is None or record.entry is None or not verdict.is_found:
        return verdict
    if record.entry.quote_root == quote.root:
        return replace(verdict, quote_root_holds=True)
    reason = "The proof does not lead to the quote root of the attestation: the authority did not attest this there."
    return replace(verdict, outcome="altered", reason=reason, quote_root_holds=False)


def _ask_all(reference: Reference, rpc_urls: list[str], other_registries: list[str]) -> list[Witness]:
    """Asks every provider on its own: none is told what another said."""
    hosts = [host_of(url) for url in rpc_urls]
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    witnesses = []
    for position, (host, url) in enumerate(zip(hosts, rpc_urls)):
        before = hosts[:position].count(host)
        witnesses.append(Witness(Provider(f"{host} ({before + 1})" if before else host, url, deadline)))

    def ask(witness: Witness) -> None:
        try:
            witness.evidence = read_evidence(witness.provider, reference, other_registries)
            witness.reveal_block = reveal_block(witness.provider, witness.evidence)
        except ProviderFaultError as fault:
            witness.fault = str(fault)
        except Exception as error:
            witness.unforeseen = error

    threads = [threading.Thread(target=ask, args=(witness,), daemon=True) for witness in witnesses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline + 1 - time.monotonic()))
    for witness in witnesses:
        if witness.unforeseen:
            raise witness.unforeseen
    return witnesses


def judge(reference: Reference, evidence: Evidence, text: Optional[str]) -> tuple[str, str]:
    """The first outcome in the documented order that applies."""
    cid, record = cid_of_digest(reference.digest), evidence.record
    if evidence.registry is None:
        return "notFound", "There is no contract at the address of the registry."
    if record is None:
        return "unknown", "The contract at the address is no registry that is known here."
    if record.entry is None or record.index_by_authority != reference.attestation_index:
        found = record.index_by_authority
        elsewhere = f"attested {cid} as {found}, not as {reference.attestation_index}"
        return "notFound", f"The authority {elsewhere if found else f'has not attested {cid} in this registry'}."
    if text is not None and digest_of_text(text.encode()) != reference.digest:
        return "altered", f"The text is not the attested one. {accident(text, reference.digest) or ''}".rstrip()
    if record.entry.revoked_at:
        return "revoked", f"The authority withdrew it at {iso_time(record.entry.revoked_at)}."
    attested = f"It was attested at {iso_time(record.entry.timestamp)}"
    if record.corrections and record.corrections.followed:
        newest = cid_of_digest(record.corrections.followed[-1].digest)
        return "superseded", f"{attested}, and corrected; the newest is {newest}."
    if record.entry.child_digest:
        return "superseded", f"{attested}, and a successor is named that does not stand."
    return "verified", f"{attested}, and stands."


def _is_not_yet_final(evidence: Evidence) -> bool:
    entry, final = evidence.record and evidence.record.entry, evidence.final_block
    return final is None or (entry is not None and max(entry.timestamp, entry.revoked_at) >= final.timestamp)


def has_root(text: str, root: str) -> bool:
    """Whether a quote root is that of a text, by either rule."""
    return quote_root(text) == root or split_quote_root(text) == root


def _words_of(witness: Witness) -> str:
    evidence = witness.evidence
    if evidence is None:
        return f"{witness.provider.name} {witness.fault}"
    says: Any = evidence.record or evidence.registry or "no contract"
    return f"{witness.provider.name} says {says}"
