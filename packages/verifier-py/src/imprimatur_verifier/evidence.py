"""The evidence for a verdict: a registry's record of a reference, from one provider at one block."""

from contextlib import suppress
from typing import Any, NamedTuple

from .forms import check
from .provider import QUANTITY, Provider, ProviderFaultError, TransientFaultError
from .reference import Reference, checksum_address, cid_of_digest
from .registry import Entry, Registry

_MAX_CORRECTIONS = 100
_ATTEMPTS = 3


class RegistryRecord(NamedTuple):
    """A registry's record of a reference, which must be equal at all providers. `--json` prints the dicts."""

    registry: dict[str, Any]
    index_by_authority: int | None = None
    entry_at_index: Entry = Entry()  # may have any content and authority
    entry: Entry | None = None  # the entry at the index if it belongs to the reference
    first_attested_by: dict[str, Any] | None = None
    corrections: dict[str, Any] | None = None


class Evidence(NamedTuple):
    """A provider's answer: the record at a block, and the time of the final block, or 0 if unknown."""

    block: dict[str, Any]
    final_time: int
    record: RegistryRecord


def read_evidence(provider: Provider, reference: Reference, other_registries: list[int]) -> Evidence:
    """Reads from one provider, and retries after a transient fault. Raises ProviderFaultError."""
    served_chain_id = provider.request(QUANTITY, "eth_chainId")
    check(served_chain_id == reference.chain_id, f"serves chain {served_chain_id}, not {reference.chain_id}", ProviderFaultError)
    for _ in range(_ATTEMPTS - 1):
        with suppress(TransientFaultError):
            return _read_at_newest(provider, reference, other_registries)
    return _read_at_newest(provider, reference, other_registries)


def _read_at_newest(provider: Provider, reference: Reference, other_registries: list[int]) -> Evidence:
    block, final_block = provider.find_block("latest"), None
    check(block, "has no newest block", ProviderFaultError)
    with suppress(TransientFaultError):
        final_block = provider.find_block("finalized")
    registry = Registry(provider, reference.registry, {"blockHash": block["hash"]})
    try:
        recognized = registry.recognize(reference.chain_id)
    except TransientFaultError:  # the node may not accept a block by its hash (EIP-1898)
        registry = Registry(provider, reference.registry, hex(block["number"]))
        recognized = registry.recognize(reference.chain_id)
    record = read_record(recognized, registry, reference, other_registries)
    again = provider.find_block(hex(block["number"]))
    check(again and again["hash"] == block["hash"], "returned a different block each time", TransientFaultError)
    return Evidence(block, final_block["timestamp"] if final_block else 0, record)


def read_record(recognized: dict[str, Any], registry: Registry, reference: Reference, other_registries: list[int]) -> RegistryRecord:
    """Reads a registry's record of a reference, and corrections also in other registries."""
    if "version" not in recognized:
        return RegistryRecord(recognized)
    index_by_authority = registry.index_by(reference.digest, reference.authority)
    is_found = index_by_authority == reference.index
    if not is_found and registry.is_proven:
        return RegistryRecord(recognized, index_by_authority)
    entry = registry.entry(reference.index)
    agree = entry.is_of(reference.digest, reference.authority) == is_found
    check(agree, "contradicts itself: its look-ups by index and by content disagree", TransientFaultError)
    if not is_found:
        return RegistryRecord(recognized, index_by_authority, entry)
    has_others = not registry.is_proven and (entry.child or other_registries)
    registries = [registry, *(registry.others(reference.chain_id, other_registries) if has_others else [])]
    corrections = _read_corrections(registries, reference.index, entry)
    known = [item.address for item in registries]
    unknown = [checksum_address(address) for address in dict.fromkeys(other_registries) if address not in known]
    corrections |= {"unknownRegistries": unknown} if unknown else {}
    return RegistryRecord(recognized, index_by_authority, entry, entry, _read_first(registry, reference), corrections)


def _read_first(registry: Registry, reference: Reference) -> dict[str, Any] | None:
    index = registry.first_index(reference.digest)
    if index == reference.index:
        return None
    first = registry.entry(index)
    # An authority has at most one attestation of a content.
    is_another = first.is_of(reference.digest, first.authority) and first.authority != reference.authority
    problem = "contradicts itself: its first attestation of this content has another content or this authority"
    check(is_another, problem, TransientFaultError)
    times = {"attestedAt": first.timestamp, "revokedAt": first.revoked_at}
    return {"authorityAddress": checksum_address(first.authority), "attestationIndex": index, **times}


def _read_corrections(registries: list[Registry], index: int, entry: Entry) -> dict[str, Any]:
    """Follows the chain of children by the same authority."""
    digest, end = entry.child, "newest"
    visited, followed = {(registries[0].address, index)}, list[dict[str, Any]]()
    while digest:
        candidates = ((registry, registry.index_by(digest, entry.authority)) for registry in registries)
        registry, index = next((candidate for candidate in candidates if candidate[1]), (registries[0], 0))
        if index == 0:
            end = "foreign" if any(registry.first_index(digest) for registry in registries) else "missing"
            break
        child = registry.entry(index)
        is_child = child.is_of(digest, entry.authority)
        check(is_child, "contradicts itself: its look-ups by index and by content disagree", TransientFaultError)
        is_visited = (registry.address, index) in visited
        if is_visited or child.revoked_at or len(followed) == _MAX_CORRECTIONS:
            end = "loop" if is_visited else "revoked" if child.revoked_at else "limit"
            break
        visited.add((registry.address, index))
        location = {"registryAddress": checksum_address(registry.address), "attestationIndex": index}
        followed.append({"contentCid": cid_of_digest(digest), **location, "attestedAt": child.timestamp})
        digest = child.child
    return {"followed": followed, "end": end, **({"unfollowedCid": cid_of_digest(digest)} if digest else {})}
