"""All that a verdict needs of one provider, read at one block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from chain import Block, BlockView, find_block, last_block_at, quantity_in, read_at_newest
from provider import Provider, ProviderFaultError, RefusalError
from record import Record, read_record
from reference import Reference
from registries import RegistryCode, recognize_registry
from registry import Registry


@dataclass(frozen=True)
class Evidence:
    """Answers of one provider. Without `registry` there is no contract; without `record` it is not a known one."""

    block: Block
    final_block: Optional[Block]
    registry: Optional[RegistryCode]
    record: Optional[Record]


def read_evidence(provider: Provider, reference: Reference, other_registries: list[str]) -> Evidence:
    """Asks one provider, and judges nothing. Raises ProviderFaultError."""
    _check_chain(provider, reference.chain_id)

    def read(view: BlockView) -> Evidence:
        address = reference.registry_address
        code = recognize_registry(reference.chain_id, address, view.code(address))
        final_block = _find_final_block(provider)
        if code is None or code.version is None:
            return Evidence(view.block, final_block, code, None)
        registries = [Registry(view, address)]
        for other in other_registries:
            known = recognize_registry(reference.chain_id, other, view.code(other))
            if known is not None and known.version is not None:
                registries.append(Registry(view, other))
        return Evidence(view.block, final_block, code, read_record(registries, reference))

    return read_at_newest(provider, read)


def _check_chain(provider: Provider, chain_id: int) -> None:
    try:
        served = quantity_in(provider.ask("eth_chainId"), "eth_chainId")
    except RefusalError as refusal:
        raise ProviderFaultError(str(refusal)) from None
    if served != chain_id:
        raise ProviderFaultError(f"serves the chain {served}, not {chain_id}")


def _find_final_block(provider: Provider) -> Optional[Block]:
    try:
        return find_block(provider, "finalized")
    except RefusalError:
        return None


def reveal_block(provider: Provider, evidence: Evidence) -> Optional[tuple[int, int]]:
    """Number and depth of the reveal's block; None where the provider does not keep old blocks."""
    entry = evidence.record.entry if evidence.record else None
    if entry is None:
        return None
    try:
        found = last_block_at(provider, entry.timestamp, evidence.block)
    except (RefusalError, ProviderFaultError):
        return None
    return found and (found.number, evidence.block.number - found.number + 1)
