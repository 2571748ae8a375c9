"""All that a verdict needs of one provider, read at one block: what the registry holds of a reference."""

from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from provider import PassingFaultError, Provider, ProviderFaultError
from reference import Reference, checksum_address, cid_of_digest
from registry import QUANTITY, Block, Entry, Registry, find_block, known_registries, recognize_registry

_MAX_CORRECTIONS = 100
_ATTEMPTS = 3


@dataclass(frozen=True)
class Evidence:
    """One answer; two that are equal say the same. What is a dict is told as it is by `--json`.

    `held` is at the index of the reference, whatever it is of; `entry` is the same where it is that of the reference.
    """

    block: Block = field(compare=False, repr=False)
    registry: dict[str, Any]
    final_block: Block | None = field(default=None, compare=False, repr=False)
    reveal_block: dict[str, int] | None = field(default=None, compare=False, repr=False)
    index_by_authority: int = 0
    held: Entry | None = None
    entry: Entry | None = None
    first_attested_by: dict[str, Any] | None = None
    corrections: dict[str, Any] | None = None


def read_evidence(provider: Provider, reference: Reference, other_registries: list[str]) -> Evidence:
    """Asks one provider, and judges nothing; again where the chain reorganises meanwhile. Raises ProviderFaultError."""
    served = provider.ask(QUANTITY, "eth_chainId")
    if served != reference.chain_id:
        raise ProviderFaultError(f"serves the chain {served}, not {reference.chain_id}")
    for _ in range(_ATTEMPTS - 1):
        with suppress(PassingFaultError):
            return _read_at_newest(provider, reference, other_registries)
    return _read_at_newest(provider, reference, other_registries)


def _read_at_newest(provider: Provider, reference: Reference, other_registries: list[str]) -> Evidence:
    block = find_block(provider, "latest")
    if block is None:
        raise ProviderFaultError("gives no usable answer to eth_getBlockByNumber")
    evidence = _read_at(block, provider, reference, other_registries)
    again = find_block(provider, block.number)
    if again is None or again.hash != block.hash:
        raise PassingFaultError("gives another block at each look")
    with suppress(ProviderFaultError):
        if evidence.entry:
            return replace(evidence, reveal_block=_find_reveal_block(provider, block, evidence.entry.timestamp))
    return evidence


def _read_at(block: Block, provider: Provider, reference: Reference, other_registries: list[str]) -> Evidence:
    chain_id, address = reference.chain_id, reference.registry_address
    at: dict[str, str] | str = {"blockHash": block.hash}
    try:
        code = Registry(provider, address, at).code()
    except PassingFaultError:  # the node may take no block by its hash (EIP-1898)
        at = hex(block.number)
        code = Registry(provider, address, at).code()
    evidence = Evidence(block, recognize_registry(chain_id, address, code))
    with suppress(PassingFaultError):
        evidence = replace(evidence, final_block=find_block(provider, "finalized"))
    if "version" not in evidence.registry:
        return evidence
    registries = [Registry(provider, address, at)]
    evidence = read_views(evidence, registries, reference)
    # The others are asked only where a correction is not in the registry itself.
    if evidence.corrections and evidence.corrections["end"] in ("missing", "foreign"):
        addresses = dict.fromkeys([*other_registries, *known_registries(chain_id)])
        for other in (Registry(provider, one, at) for one in addresses if one != address):
            if "version" in recognize_registry(chain_id, other.address, other.code()):
                registries.append(other)
        evidence = read_views(evidence, registries, reference)
    return evidence


def _find_reveal_block(provider: Provider, newest: Block, timestamp: int) -> dict[str, int] | None:
    """The last block from 1 on that is not after a time, by halving. A provider may lack such blocks."""

    def time_of(number: int) -> int:
        block = find_block(provider, number)
        if block is None or block.number != number:
            raise ProviderFaultError("lacks blocks")
        return block.timestamp

    if newest.timestamp <= timestamp:
        number = newest.number
    elif time_of(1) > timestamp:
        return None
    else:
        number = 1 + bisect_right(range(2, newest.number), timestamp, key=time_of)
    return {"number": number, "depth": newest.number - number + 1}


def read_views(evidence: Evidence, registries: list[Registry], reference: Reference) -> Evidence:
    """Adds what the first of the registries holds of a reference; its corrections may be in the others too."""
    registry, index = registries[0], reference.attestation_index
    found, held = registry.index_by(reference.digest, reference.authority_address), registry.entry(index)
    if (found == index) != _is_of(held, reference.digest, reference.authority_address):
        raise PassingFaultError("contradicts itself: the index of a content and the entry there do not agree")
    evidence = replace(evidence, held=held, index_by_authority=found)
    if held is None or found != index:
        return evidence
    first, corrections = _read_first(registry, reference), _read_corrections(registries, held, index)
    return replace(evidence, entry=held, first_attested_by=first, corrections=corrections)


def _is_of(entry: Entry | None, digest: str, authority: str) -> bool:
    return entry is not None and entry.digest == digest and entry.authority_address == authority


def _read_first(registry: Registry, reference: Reference) -> dict[str, Any] | None:
    index = registry.first_index(reference.digest)
    if index == reference.attestation_index:
        return None
    first = registry.entry(index) if index else None
    # Each authority has one attestation of a content, and this one has its own.
    if first is None or first.digest != reference.digest or first.authority_address == reference.authority_address:
        raise PassingFaultError("contradicts itself: no attestation of the content is the first")
    times = {"attestedAt": first.timestamp, "revokedAt": first.revoked_at}
    return {"authorityAddress": checksum_address(first.authority_address), "attestationIndex": index, **times}


def _read_corrections(registries: list[Registry], entry: Entry, index: int) -> dict[str, Any]:
    """Follows children by (digest of the child, authority of the parent): any authority can name any content."""
    authority, digest, end = entry.authority_address, entry.child_digest, "newest"
    met, followed = {(registries[0].address, index)}, list[dict[str, Any]]()
    while digest is not None:
        places = ((registry, registry.index_by(digest, authority)) for registry in registries)
        registry, index = next((place for place in places if place[1]), (registries[0], 0))
        if index == 0:
            end = "foreign" if any(registry.first_index(digest) for registry in registries) else "missing"
            break
        if (registry.address, index) in met:
            end = "loop"
            break
        child = registry.entry(index)
        if child is None or not _is_of(child, digest, authority):
            raise PassingFaultError("contradicts itself: the index of a content leads to something else")
        if child.revoked_at or len(followed) == _MAX_CORRECTIONS:
            end = "revoked" if child.revoked_at else "limit"
            break
        met.add((registry.address, index))
        place = {"registryAddress": checksum_address(registry.address), "attestationIndex": index}
        followed.append({"contentCid": cid_of_digest(digest), **place, "attestedAt": child.timestamp})
        digest = child.child_digest
    return {"followed": followed, "end": end, **({"unfollowedCid": cid_of_digest(digest)} if digest else {})}
