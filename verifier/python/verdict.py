"""The verdict that is drawn from answers: those of all providers, or that of a proof file."""

import threading
import time
from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence

from evidence import Evidence, read_evidence
from present import notices
from proof_file import false_claim
from provider import Provider, ProviderFaultError, host_of
from quote import Quote, quote_root
from reference import Reference, checksum_address, cid_of_digest, digest_of_text
from registry import iso_time

_TIMEOUT_SECONDS = 60.0


class Subject(NamedTuple):
    """What is verified: an attestation, and a text, a quote or a proof file that is said to be of it."""

    reference: Reference
    text: str | None = None
    quote: Quote | None = None
    proof: dict[str, Any] | None = None


@dataclass
class Witness:
    """A provider, and what it answered: evidence, or a fault."""

    provider: Provider
    evidence: Evidence | None = None
    fault: str = "does not answer in time"

    def report(self) -> dict[str, Any]:
        """The provider as `--json` tells it."""
        answer = {"says": self.fault} if self.evidence is None else {"block": self.evidence.block._asdict()}
        return {"name": self.provider.name, "answered": self.evidence is not None, **answer}


def verify(subject: Subject, rpc_urls: Sequence[str], other_registries: Sequence[str] = ()) -> dict[str, Any]:
    """The verdict of providers, as `--json` tells it. Raises InvalidError for what is no URL, and nothing else."""
    witnesses = _ask_all(subject.reference, rpc_urls, other_registries)
    answers = [witness.evidence for witness in witnesses if witness.evidence]
    words = "; ".join(f"{one.provider.name} {one.fault if one.evidence is None else one.evidence}" for one in witnesses)
    # Answers that disagree, or are too few, are told and used for nothing else: an attacker could keep others silent.
    problem = ""
    if 2 * len(answers) <= len(witnesses):
        problem = f"Too few providers answered: {words}."
    elif any(answer != answers[0] for answer in answers):
        problem = f"The providers disagree: {words}."
    return conclude(subject, [] if problem else answers, problem, witnesses)


def _ask_all(reference: Reference, rpc_urls: Sequence[str], other_registries: Sequence[str]) -> list[Witness]:
    """Asks every provider on its own: none is told what another said."""
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    witnesses = [Witness(Provider(host_of(url), url, deadline)) for url in rpc_urls]

    def ask(witness: Witness) -> None:
        try:
            witness.evidence = read_evidence(witness.provider, reference, other_registries)
        except ProviderFaultError as fault:
            witness.fault = str(fault)

    # An error of our own is printed by its thread, and then the provider counts as one that did not answer.
    threads = [threading.Thread(target=ask, args=(witness,), daemon=True) for witness in witnesses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline + 1 - time.monotonic()))
    return witnesses


def conclude(
    subject: Subject, answers: Sequence[Evidence], problem: str = "", witnesses: Sequence[Witness] = ()
) -> dict[str, Any]:
    """The verdict of answers that agree, as `--json` tells it; of none nothing is known, and the problem says why."""
    reference, text, quote, proof = subject
    evidence = min(answers, key=lambda answer: answer.block.number, default=None)
    held, entry = (evidence.held, evidence.entry) if evidence else (None, None)
    outcome, reason = _judge(reference, evidence, text) if evidence else ("unknown", problem)
    quote_root_holds = None
    if held and text is not None:
        quote_root_holds = held.quote_root in (quote_root(text), quote_root(text, splits_pairs=True))
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
        "notYetFinal": any(map(_is_not_yet_final, answers)),
        "textIsContent": None if text is None else digest_of_text(text) == reference.digest,
        "quoteRootHolds": quote_root_holds,
        "revealBlock": min(reveals, key=lambda block: block["depth"], default=None),
        "providers": [witness.report() for witness in witnesses],
        "asked": [question for witness in witnesses for question in witness.provider.asked],
        **(evidence.told() if evidence else {}),
    }
    told = {name: value for name, value in verdict.items() if value is not None}
    return {**told, "notices": notices(told, evidence.block.timestamp) if evidence else []}


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
