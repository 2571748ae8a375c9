import type { Attestation, OperationKind } from './attestation.ts';
import type { Call, Chain } from './ports.ts';

/**
 * What a final block says of an operation that would revert. `attested`: the registry has the content already.
 * `refused`: it can never be done, for the reason given. `unknown`: nothing can be said yet.
 */
export type Verdict = { kind: 'attested' } | { kind: 'refused'; reason: string } | { kind: 'unknown' };

export function delegationReason({ authorityAddress, delegateAddress, chainId }: Attestation): string {
  return (
    `delegation of ${authorityAddress} to ${delegateAddress} on chain ${chainId} is not active; ` +
    'delegate again and submit the content again'
  );
}

/** Whether the block is late enough for a revert to mean anything: not before what the operation depends on. */
function dependenciesHold(attestation: Attestation, kind: OperationKind, blockTimestamp: number): boolean {
  if (kind !== 'reveal') return true;
  return (
    attestation.commitPhase === 'final' && blockTimestamp >= Date.parse(attestation.revealAt ?? '') / 1000
  );
}

/** All of it is read at one block, deep enough to stay: a revert at the newest block alone refuses nothing. */
export async function judge(
  chain: Chain,
  attestation: Attestation,
  kind: OperationKind,
  call: Call,
): Promise<Verdict> {
  const block = await chain.finalBlock();
  if (!dependenciesHold(attestation, kind, block.timestamp)) return { kind: 'unknown' };
  const [standing, revert] = await Promise.all([
    chain.registry.standing(attestation, block.number),
    chain.revertReason(call, block.number),
  ]);
  if (kind !== 'link' && standing.attestationIndex > 0) return { kind: 'attested' };
  if (standing.delegateAddress !== attestation.delegateAddress) {
    return { kind: 'refused', reason: delegationReason(attestation) };
  }
  return revert === undefined ? { kind: 'unknown' } : { kind: 'refused', reason: revert };
}
