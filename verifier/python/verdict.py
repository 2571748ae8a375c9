"""The verdict that is drawn from answers: those of all providers, or that of a proof file."""

import threading
import time
from typing import Any, NamedTuple

from evidence import Evidence, read_evidence
from present import Verdict, notices
from proof_file import false_claim
from provider import Provider, ProviderFaultError
from quote import Quote, quote_root
from reference import Reference, checksum_address, cid_of_digest, digest_of_text
from registry import iso_time

_TIMEOUT_SECONDS = 60.0


class Subject(NamedTuple):
    """What is verified: an attestation, and a text, a quote or a proof file that is said to be of it."""

    reference: Reference
    text: str | None = None
    quote: Quote | None = None
    proof: dict[str, Any] = {}


def verify(subject: Subject, rpc_urls: list[str], other_registries: list[str]) -> Verdict:
    """The verdict of providers. Raises InvalidError for what is no URL, and nothing else."""
    providers = _ask_all(subject.reference, rpc_urls, other_registries)
    answers = [one.answer for one in providers if isinstance(one.answer, Evidence)]
    words = "; ".join(f"{one.name} {one.answer}" for one in providers)
    # Answers that disagree, or are too few, are told and used for nothing else: an attacker could keep others silent.
    if 2 * len(answers) <= len(providers):
        return conclude(subject, [], f"Too few providers answered: {words}.", providers)
    if any(answer != answers[0] for answer in answers):
        return conclude(subject, [], f"The providers disagree: {words}.", providers)
    return conclude(subject, answers, "", providers)


def _ask_all(reference: Reference, rpc_urls: list[str], other_registries: list[str]) -> list[Provider]:
    """Asks every provider on its own: none is told what another said."""
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    providers = [Provider(url, deadline) for url in rpc_urls]

    def ask(provider: Provider) -> None:
        try:
            provider.answer = read_evidence(provider, reference, other_registries)
        except ProviderFaultError as fault:
            provider.answer = str(fault)

    # An error of our own is printed by its thread, and then the provider counts as one that did not answer.
    threads = [threading.Thread(target=ask, args=(provider,), daemon=True) for provider in providers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline + 1 - time.monotonic()))
    return providers


def _report_of(provider: Provider) -> dict[str, Any]:
    if isinstance(provider.answer, Evidence):
        return {"name": provider.name, "answered": True, "block": provider.answer.block._asdict()}
    return {"name": provider.name, "answered": False, "says": provider.answer}


def conclude(subject: Subject, answers: list[Evidence], problem: str, providers: list[Provider]) -> Verdict:
    """The verdict of answers that agree; of none nothing is known, and the problem says why."""
    reference, text, quote, proof = subject
    evidence = min(answers, key=lambda answer: answer.block.number, default=None)
    held, entry = (evidence.held, evidence.entry) if evidence else (None, None)
    outcome, reason = _judge(reference, evidence, text) if evidence else ("unknown", problem)
    quote_root_holds = None
    if held and text is not None:
        quote_root_holds = any(held.quote_root == quote_root(text, splits_pairs) for splits_pairs in (False, True))
    if entry and quote:
        quote_root_holds = entry.quote_root == quote.root
        if not quote_root_holds:
            outcome, reason = "altered", "The proof does not lead to the quote root that the registry keeps."
    if proof and evidence and (claim := false_claim(proof, evidence)):
        outcome, reason = "unknown", f"The proof file is false: {claim}."
    reveals = [answer.reveal_block for answer in answers if answer.reveal_block]
    verdict = {
        "chainId": reference.chain_id,
        "registryAddress": checksum_address(reference.registry_address),
        "attestationIndex": reference.attestation_index,
        "authorityAddress": checksum_address(reference.authority_address),
        "contentCid": cid_of_digest(reference.digest),
        "quoted": quote.pieces if quote else None,
        "outcome": outcome,
        "reason": reason,
        "attestedAt": iso_time(entry.timestamp) if entry else None,
        "revokedAt": iso_time(entry.revoked_at) if entry and entry.revoked_at else None,
        "notYetFinal": any(map(_is_not_yet_final, answers)),
        "textIsContent": None if text is None else digest_of_text(text) == reference.digest,
        "quoteRootHolds": quote_root_holds,
        "revealBlock": min(reveals, key=lambda block: block["depth"], default=None),
        "providers": [_report_of(provider) for provider in providers],
        "asked": [question for provider in providers for question in provider.asked],
        "notices": [],
    }
    if evidence:
        verdict |= {"registry": evidence.registry or None, "blockNumber": evidence.block.number}
        verdict |= {"firstAttestedBy": evidence.first_attested_by, "corrections": evidence.corrections}
        verdict["notices"] = notices(verdict, evidence.block.timestamp)
    return {name: value for name, value in verdict.items() if value is not None}


def _judge(reference: Reference, evidence: Evidence, text: str | None) -> tuple[str, str]:
    """The first outcome in the documented order that applies, and why."""
    cid, entry = cid_of_digest(reference.digest), evidence.entry
    if not evidence.registry:
        return "notFound", "There is no contract at the address of the registry."
    if "version" not in evidence.registry:
        return "unknown", "The contract at the address is no registry that is known here."
    if entry is None:
        found, index = evidence.index_by_authority, reference.attestation_index
        what = f"attested {cid} as {found}, not as {index}" if found else f"has not attested {cid} in this registry"
        return "notFound", f"The authority {what}."
    if text is not None and digest_of_text(text) != reference.digest:
        # This outcome would hide what became of the attested one.
        became = "withdrawn" if entry.revoked_at else "corrected" if entry.child_digest else ""
        since = f"; it was {became} since" if became else ""
        return "altered", f"The text is not the attested one{since}. {accident(text, reference.digest)}".rstrip()
    if entry.revoked_at:
        return "revoked", f"The authority withdrew it at {iso_time(entry.revoked_at)}."
    attested = f"It was attested at {iso_time(entry.timestamp)}"
    if evidence.corrections and evidence.corrections["followed"]:
        newest = evidence.corrections["followed"][-1]["contentCid"]
        return "superseded", f"{attested}, and corrected; the newest is {newest}."
    if entry.child_digest:
        return "superseded", f"{attested}, and a successor is named that does not stand."
    return "verified", f"{attested}, and stands."


def accident(text: str, digest: str) -> str:
    """What alone explains that a text has not this digest, in a sentence; empty where none of these does."""
    in_lines = text.replace("\r\n", "\n").replace("\r", "\n")
    accidents = {
        "The same words, with or without a byte order mark.": (text.removeprefix("\ufeff"), "\ufeff" + text),
        "The same words, with or without a newline at the end.": (text.removesuffix("\n"), text + "\n"),
        "The same words, other line endings.": (in_lines, in_lines.replace("\n", "\r\n")),
    }
    return next((says for says, texts in accidents.items() if digest in map(digest_of_text, texts)), "")


def _is_not_yet_final(evidence: Evidence) -> bool:
    entry, final = evidence.entry, evidence.final_block
    return entry is not None and (final is None or max(entry.timestamp, entry.revoked_at) >= final.timestamp)
