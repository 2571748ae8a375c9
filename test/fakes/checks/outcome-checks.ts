import type { Hash } from 'viem';
import { expect } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import type { World } from '../world/world.ts';
import { type DoneOperations, doneOperations, hashesOf, strayNames } from './done-operations.ts';
import { checkLanes, storedAttempts } from './lane-checks.ts';
import { minedCalls, ourTransactions } from './mined-calls.ts';

export { minedCalls } from './mined-calls.ts';

/** Reports every transaction that is sent before its hash is stored. */
export function onUnstoredSend({ chain, records }: World, report: (problem: string) => void): void {
  chain.onSend = (hash, nonce, sender) => {
    const lane = laneName(chain.settings.chainId, sender);
    if (storedAttempts(records.peek(transactionRecord(lane, nonce))).includes(hash)) return;
    report(`${hash}, nonce ${nonce} of ${lane}, is sent before it is stored`);
  };
}

/** Fails the test when a transaction is sent before its hash is stored. */
export function watchSends(world: World): void {
  // A soft assertion: the service treats a failed send as possibly sent, and continues.
  onUnstoredSend(world, (problem) => expect.soft(problem).toBe(''));
}

/** Checks that the only attestation is confirmed once, after any faults. */
export async function checkConfirmedOnce(world: World, key: Pick<Attestation, 'organizationId' | 'id'>) {
  const row = await world.row(key);
  expect(row).toMatchObject({ status: 'confirmed', error: null });
  await checkRegistered(world, row);
  expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  const hashes = world.chain.receipts().map(({ hash }) => hash);
  expect(hashes).toEqual([row.commitTxHash, row.revealTxHash]);
  expect(world.chain.receipts().every(({ foreign }) => !foreign)).toBe(true);
}

/** Checks the rule of docs/faults.md, for every attestation and for the lanes. */
export async function checkOutcomes(world: World): Promise<void> {
  expect(await world.owes()).toBe(false);
  await checkLanes(world);
  const done = operationsDoneIn(world);
  const rows = await allRows(world);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) await checkRow(world, row, done);
  expect(strayNames(done, rows), 'commits and reveals of ours for no attestation').toEqual([]);
  checkRegistry(
    world,
    rows.filter((row) => !isTakenBack(world, row)),
  );
}

async function allRows({ records, row }: World): Promise<Attestation[]> {
  const keys = records.all().flatMap(({ key, fields }) => (fields.contentCid === undefined ? [] : [key]));
  return Promise.all(keys.map(({ pk, sk }) => row({ organizationId: pk, id: sk })));
}

/** Returns the operations that the service's keys did on the chain. */
export function operationsDoneIn(world: World): DoneOperations {
  return doneOperations(ourTransactions(world), [world.forwarderAddress], world.records.all());
}

async function checkRow(world: World, row: Attestation, done: DoneOperations): Promise<void> {
  expect(row, row.id).toMatchObject({ status: expect.stringMatching(/^(confirmed|failed)$/) });
  expect(row, `${row.id}, which is terminal`).not.toHaveProperty('inFlight');
  const commits = hashesOf(done, row, 'commit');
  const reveals = hashesOf(done, row, 'reveal');
  // After a reorg of final blocks, a commit that had failed may succeed although another batch committed already.
  if (!world.chain.undidFinal) expect(commits.length, `commits of ${row.id}`).toBeLessThanOrEqual(1);
  expect(reveals.length, `reveals of ${row.id}`).toBeLessThanOrEqual(1);
  if (row.status === 'failed') checkFailed(row, reveals);
  else await checkConfirmed(world, row, [commits, reveals]);
  if (!isTakenBack(world, row)) checkLink(world, row, done);
}

function checkFailed(row: Attestation, reveals: readonly Hash[]): void {
  expect(row.error, row.id).toMatch(/\S/);
  expect(reveals, `reveals of ${row.id}, which failed`).toEqual([]);
}

/** Checks that the service committed and revealed, or did not reveal because the registry already held the content. */
async function checkConfirmed(world: World, row: Attestation, [commits, reveals]: readonly [Hash[], Hash[]]) {
  expect(row.error).toBeNull();
  if (isTakenBack(world, row)) {
    expect(reveals, `reveals of ${row.id}, which a reorg undid`).toEqual([]);
    return;
  }
  await checkRegistered(world, row);
  if (reveals.length === 0) return;
  expect(commits, row.id).toContain(row.commitTxHash);
  expect(reveals, row.id).toEqual([row.revealTxHash]);
}

/**
 * Whether the chain undid the final block that confirmed the attestation, and its authority no longer allows the
 * service to reveal again. The row stays confirmed, because a status never reverts.
 */
function isTakenBack({ chain }: World, row: Attestation): boolean {
  return chain.undidFinal && row.status === 'confirmed' && row.revealPhase === 'refused';
}

async function checkRegistered({ chain }: World, row: Attestation): Promise<void> {
  const { attestationIndex } = await chain.registry.registryState(row);
  expect(attestationIndex, row.id).toBeGreaterThan(0);
  const { timestamp } = await chain.atFinal((view) => view.entry(row.registryAddress, attestationIndex));
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  expect(row, row.id).toMatchObject({ attestationIndex, confirmedAt });
}

/** Checks that exactly one confirmed row shows each posted and unrevoked content of the registry. */
function checkRegistry({ chain }: World, rows: readonly Attestation[]): void {
  const { registry } = chain.newest;
  const posted = new Set(rows.map(({ digest, authorityAddress }) => `${digest} ${authorityAddress}`));
  const confirmed = rows.filter(({ status }) => status === 'confirmed');
  const known = new Set(confirmed.map(({ attestationIndex }) => attestationIndex));
  expect(known.size).toBe(confirmed.length);
  const unclaimed: number[] = [];
  for (let index = 1; index <= registry.count; index++) {
    const { digest, authorityAddress, revokedAt } = registry.entry(index);
    const isOwed = posted.has(`${digest} ${authorityAddress}`) && revokedAt === 0;
    if (isOwed && !known.has(index)) unclaimed.push(index);
  }
  expect(unclaimed, 'attestations in the registry that no row shows').toEqual([]);
}

/** Checks that the last accepted link intent prevails, and that the row shows its hash. */
function checkLink({ chain }: World, row: Attestation, done: DoneOperations): void {
  if (row.childAttestationId === null) return;
  const { childDigest } = chain.newest.registry.entry(row.attestationIndex ?? 0);
  expect([row.linkPhase, childDigest], row.id).toEqual(['final', row.childDigest]);
  expect(hashesOf(done, row, 'link'), row.id).toContain(row.childLinkTxHash);
}
