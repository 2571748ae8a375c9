"""What registries hold of a reference: its entry, who attested the content first, and what supersedes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from provider import ContradictionError
from reference import Reference
from registry import Entry, Registry

_MAX_CORRECTIONS = 100


@dataclass(frozen=True)
class Earlier:
    """The first attestation of the content, by another authority."""

    authority_address: str
    attestation_index: int
    attested_at: int
    revoked_at: int


@dataclass(frozen=True)
class Correction:
    """An attestation that supersedes another."""

    digest: str
    registry_address: str
    attestation_index: int
    attested_at: int


@dataclass(frozen=True)
class Corrections:
    """Corrections that were followed, oldest first, and why no further one was; then with its digest."""

    followed: tuple[Correction, ...]
    end: str
    unfollowed_digest: Optional[str] = None


@dataclass(frozen=True)
class Record:
    """A registry's answers. The entry is the one at the index of the reference, whatever it is of."""

    entry: Optional[Entry]
    index_by_authority: int
    first_attested_by: Optional[Earlier] = None
    corrections: Optional[Corrections] = None


def read_record(registries: list[Registry], reference: Reference) -> Record:
    """Reads what the first of the registries holds of a reference; its corrections may be in the others too."""
    registry, index = registries[0], reference.attestation_index
    found = registry.index_by(reference.digest, reference.authority_address)
    entry = registry.entry(index)
    is_here = _is_of(entry, reference.digest, reference.authority_address)
    if (found == index) != is_here:
        raise ContradictionError("the index of a content and the entry there do not agree")
    if entry is None or not is_here:
        return Record(entry, found)
    return Record(entry, found, _read_first(registry, reference), _read_corrections(registries, entry, index))


def _is_of(entry: Optional[Entry], digest: str, authority: str) -> bool:
    return entry is not None and entry.digest == digest and entry.authority_address == authority


def _read_first(registry: Registry, reference: Reference) -> Optional[Earlier]:
    index = registry.first_index(reference.digest)
    if index == reference.attestation_index:
        return None
    first = registry.entry(index) if index else None
    # Each authority has one attestation of a content, and this one has its own.
    if first is None or first.digest != reference.digest or first.authority_address == reference.authority_address:
        raise ContradictionError("no attestation of the content is the first")
    return Earlier(first.authority_address, index, first.timestamp, first.revoked_at)


def _read_corrections(registries: list[Registry], entry: Entry, index: int) -> Corrections:
    """Follows children by (digest of the child, authority of the parent): any authority can name any content."""
    authority, digest = entry.authority_address, entry.child_digest
    met, followed = {(registries[0].address, index)}, []
    while digest is not None:
        place = _find_place(registries, digest, authority)
        if place is None:
            is_attested = any(registry.first_index(digest) for registry in registries)
            return Corrections(tuple(followed), "foreign" if is_attested else "missing", digest)
        registry, index = place
        if (registry.address, index) in met:
            return Corrections(tuple(followed), "loop", digest)
        child = registry.entry(index)
        if child is None or not _is_of(child, digest, authority):
            raise ContradictionError("the index of a content leads to something else")
        if child.revoked_at:
            return Corrections(tuple(followed), "revoked", digest)
        if len(followed) == _MAX_CORRECTIONS:
            return Corrections(tuple(followed), "limit", digest)
        met.add((registry.address, index))
        followed.append(Correction(digest, registry.address, index, child.timestamp))
        digest = child.child_digest
    return Corrections(tuple(followed), "newest")


def _find_place(registries: list[Registry], digest: str, authority: str) -> Optional[tuple[Registry, int]]:
    for registry in registries:
        index = registry.index_by(digest, authority)
        if index:
            return registry, index
    return None
