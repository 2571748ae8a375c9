import type { Hash } from 'viem';
import { expect } from 'vitest';
import {
  type Attestation,
  isTerminal,
  type OperationKind,
} from '../../../functions/domain/attestation/attestation.ts';
import { attestationOf } from '../../../functions/domain/attestation/attestation-records.ts';
import {
  type DoneOperations,
  doneOperations,
  hashesOf,
  strayNames,
} from '../../fakes/checks/done-operations.ts';
import { type RegistryRecord, registryRecords } from '../../fakes/real/real-evidence.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import { checkRealLanes, ofOurs } from './lane-rule.ts';

/** All that there is to judge a real world by, when nothing happens in it any more. */
interface Evidence {
  readonly rows: readonly Attestation[];
  readonly registry: readonly RegistryRecord[];
  readonly done: DoneOperations;
}

/**
 * The rule at the top of the design's list of faults: an attestation is confirmed if and only if the registry holds
 * exactly one of that content by that authority with that index; at most one commit and one reveal of ours for it;
 * `failed` says why and nothing of it is revealed; the lane's nonces are contiguous, every hash was stored first, and
 * nothing waits.
 */
export async function checkRealRule(world: RealWorld): Promise<void> {
  const mined = await world.chain.receipts();
  await checkRealLanes(world, mined);
  const rows = await rowsOf(world);
  const { signer, signers, contracts, records } = world;
  const ours = [signer, ...signers.values()].map(({ address }) => address);
  const forwarders = [contracts.forwarderAddress];
  const done = doneOperations([...ofOurs(mined, ours)], forwarders, await records.all());
  const evidence = { rows, registry: await registryRecords(world), done };
  expect(rows.length, 'attestations').toBeGreaterThan(0);
  for (const row of rows) checkRow(evidence, row);
  checkRegistry(evidence);
  checkCalls(evidence);
}

/** Every attestation there is, the oldest first. */
export async function rowsOf({ records }: RealWorld): Promise<Attestation[]> {
  const stored = await records.all();
  return stored
    .filter(({ fields }) => fields.contentCid !== undefined)
    .map(({ key: { pk, sk }, fields }) => attestationOf({ organizationId: pk, id: sk }, fields))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function checkRow(evidence: Evidence, row: Attestation): void {
  const hashes = (kind: OperationKind) => hashesOf(evidence.done, row, kind);
  const [commits, reveals] = [hashes('commit'), hashes('reveal')];
  expect(isTerminal(row), `${row.id} is ${row.status}`).toBe(true);
  expect(row.checkAt, `${row.id} is looked at again`).toBeUndefined();
  expect(commits.length, `commits of ${row.id}`).toBeLessThanOrEqual(1);
  expect(reveals.length, `reveals of ${row.id}`).toBeLessThanOrEqual(1);
  if (row.status === 'failed') checkFailed(row, reveals);
  else checkConfirmed(evidence, row);
  // Without a reveal of ours the registry held the content already.
  if (row.status === 'confirmed' && reveals.length > 0) {
    expect([commits, reveals], row.id).toEqual([[row.commitTxHash], [row.revealTxHash]]);
  }
  if (row.childAttestationId !== null) checkLink(evidence, row, hashes('link'));
}

function recordsOf({ registry }: Evidence, { digest, authorityAddress }: Attestation): RegistryRecord[] {
  return registry.filter((one) => one.digest === digest && one.authorityAddress === authorityAddress);
}

function checkFailed(row: Attestation, reveals: readonly Hash[]): void {
  expect(row.error, `why ${row.id} failed`).toMatch(/\S/);
  expect(reveals, `reveals of ${row.id}, which failed`).toEqual([]);
}

function checkConfirmed(evidence: Evidence, row: Attestation): void {
  const { id, error, attestationIndex, confirmedAt } = row;
  expect(error, id).toBeNull();
  const held = recordsOf(evidence, row).map(({ attestationIndex: index, timestamp }) => [
    index,
    new Date(timestamp * 1000).toISOString(),
  ]);
  expect(held, `what the registry holds for ${id}`).toEqual([[attestationIndex, confirmedAt]]);
}

/** The last accepted link intent stands, and the row shows its hash. */
function checkLink({ registry }: Evidence, row: Attestation, links: readonly Hash[]): void {
  const linked = registry.find(({ attestationIndex }) => attestationIndex === row.attestationIndex);
  expect([row.linkPhase, linked?.childDigest], row.id).toEqual(['final', row.childDigest]);
  expect(links, `links of ${row.id}`).toContain(row.childLinkTxHash);
}

/** What the registry holds of a content that was posted is confirmed, and once. */
function checkRegistry({ rows, registry }: Evidence): void {
  const confirmed = rows.filter(({ status }) => status === 'confirmed');
  const known = new Set(confirmed.map(({ attestationIndex }) => attestationIndex));
  expect(known.size, 'attestations confirmed').toBe(confirmed.length);
  const posted = new Set(rows.map(({ digest, authorityAddress }) => `${digest} ${authorityAddress}`));
  for (const { attestationIndex, digest, authorityAddress, revokedAt } of registry) {
    const isOwed = posted.has(`${digest} ${authorityAddress}`) && revokedAt === 0;
    if (isOwed) expect(known, `attestation ${attestationIndex}`).toContain(attestationIndex);
  }
}

/** No commit or reveal of ours is anything but the one of an attestation. */
function checkCalls({ rows, done }: Evidence): void {
  expect(strayNames(done, rows), 'calls of ours for no attestation').toEqual([]);
}
