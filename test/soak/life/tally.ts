import { revealBatchFunction } from 'imprimatur-contracts/attestation-registry-abi';
import { toFunctionSelector } from 'viem';
import { listAttestations } from '../../../functions/domain/attestation/list-attestations.ts';
import type { MinedTransaction } from '../../fakes/chain/block-maker.ts';
import type { SoakWorld } from './stage.ts';

/** Numbers of events in a life, or in many, by name. */
export type Tally = Readonly<Record<string, number>>;

/** Counts the events in a world's life. */
export async function tallyOf({ service, callers }: SoakWorld): Promise<Tally> {
  const { records, chain } = service.world;
  const pages = callers.map(({ organizationId }) =>
    listAttestations(records, organizationId, { limit: 1000 }),
  );
  const rows = (await Promise.all(pages)).flatMap(({ attestations }) => attestations);
  const failed = rows.filter(({ status }) => status === 'failed');
  const receipts = await chain.receipts();
  const links = rows.filter(({ linkPhase }) => linkPhase === 'final');
  return {
    attestations: rows.length,
    'attestations failed': failed.length,
    'attestations linked': links.length,
    'attestations of batches': rows.filter(({ batch, revealPhase }) => batch && revealPhase === 'final')
      .length,
    'batches revealed': new Set(rows.flatMap(({ batch, revealTxHash }) => (batch && revealTxHash) ?? []))
      .size,
    'members skipped': skippedMembers(receipts),
    transactions: receipts.length,
  };
}

const revealBatch = toFunctionSelector(revealBatchFunction).slice(2);

function skippedMembers(receipts: readonly MinedTransaction[]): number {
  const batches = receipts.filter(({ data, succeeded }) => succeeded && data.includes(revealBatch));
  return batches.reduce((sum, { failedPositions }) => sum + failedPositions.length, 0);
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = new Map<string, number>();
  for (const tally of tallies) {
    for (const [name, times] of Object.entries(tally)) sum.set(name, (sum.get(name) ?? 0) + times);
  }
  return Object.fromEntries([...sum].sort(([one], [other]) => (one < other ? -1 : 1)));
}
