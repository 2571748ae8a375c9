import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { findTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { membersOf } from '../../../fakes/chain/batch-model.ts';
import { decodeCall } from '../../../fakes/chain/call-decoder.ts';
import { ourCalls } from '../../../fakes/checks/mined-calls.ts';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { alice, bob, type World } from '../../../fakes/world/world.ts';

type Options = NonNullable<Parameters<typeof runService>[1]>;

/** Starts a service with attestations of both organizations, whose commits are all queued before the first is sent. */
async function startBatch(options: Options, count = 9) {
  const service = runService(undefined, { batches: true, ...options });
  const { world, services, queue } = service;
  watchSends(world);
  // Opens the lane, with a commit of one attestation.
  await service.post(alice, 'the first');
  expect(await service.untilIdle()).toBe(true);
  await pauseLane(services, world.lane);
  const posts = Array.from({ length: count }, (_, n) =>
    service.post(n % 3 === 0 ? bob : alice, `article ${n}`),
  );
  const rows: Attestation[] = (await Promise.all(posts)).map(({ attestation }) => attestation);
  const waiting = () => listOperations(world, world.queue, 1_000);
  expect(await queue.until(async () => (await waiting()).length === count, 60)).toBe(true);
  await resumeLane(services, world.lane);
  const current = () => Promise.all(rows.map(world.row));
  const untilAll = async (field: keyof Attestation, values: readonly unknown[]) =>
    expect(
      await queue.until(async () => (await current()).every((row) => values.includes(row[field])), 3600),
    ).toBe(true);
  const untilSent = (sent: number) =>
    queue.until(async () => {
      const [state] = await world.lanes();
      return (state?.nextNonce ?? 0) === sent;
    }, 3600);
  return { ...service, rows, current, untilAll, untilSent };
}

async function startCommitted(options: Options) {
  const service = await startBatch(options);
  await service.untilAll('status', ['committed']);
  return service;
}

/** Returns for each mined reveal of a batch how many members it shows, withholds and skips. */
function minedReveals(world: World): { shown: number; withheld: number; skipped: number }[] {
  return ourCalls(world).flatMap(({ data, succeeded, transaction }) => {
    const { functionName, args } = decodeCall(attestationRegistryAbi, data);
    if (!succeeded || functionName !== 'revealBatch') return [];
    const members = membersOf(args);
    const withheld = members.filter((member) => 'leaf' in member).length;
    const skipped = transaction.failedPositions.length;
    return [{ shown: members.length - withheld, withheld, skipped }];
  });
}

const statuses = (rows: readonly Attestation[]) => rows.map(({ status }) => status);

describe.each([{ forwarder: false }, { forwarder: true }])('a service that sends batches, %o', (mode) => {
  test('commits, reveals and links many attestations in one call each', async () => {
    const { world, services, rows, current, untilIdle, finishAndCheck } = await startBatch(mode, 20);
    expect(await untilIdle()).toBe(true);
    expect(statuses(await current())).toEqual(rows.map(() => 'confirmed'));
    expect(minedCalls(world)).toEqual(['commit', 'reveal', 'commit', 'revealBatch']);
    expect(minedReveals(world)).toEqual([{ shown: 20, withheld: 0, skipped: 0 }]);
    await pauseLane(services, world.lane);
    const [child, , ...parents] = rows.filter(
      ({ organizationId }) => organizationId === alice.organizationId,
    );
    for (const parent of parents) await linkChild(services, parent, child?.id ?? '');
    await resumeLane(services, world.lane);
    await finishAndCheck();
    expect(minedCalls(world).slice(4)).toEqual(['setChildIpfsHashes']);
  });

  test('keeps the attestations of one authority together', async () => {
    const { current, finishAndCheck } = await startBatch(mode);
    await finishAndCheck();
    const inOrder = (await current()).toSorted((a, b) => (a.batch?.position ?? 0) - (b.batch?.position ?? 0));
    const authorities = inOrder.map(({ authorityAddress }) => authorityAddress);
    expect(authorities).toEqual(authorities.toSorted());
  });

  test('omits members whose authority revoked its delegation, and fails them', async () => {
    const { world, current, finishAndCheck } = await startCommitted(mode);
    world.chain.revokeDelegation(bob.authorityAddress);
    await finishAndCheck();
    expect(minedReveals(world)).toEqual([{ shown: 6, withheld: 3, skipped: 0 }]);
    const now = await current();
    expect(statuses(now)).toEqual(
      now.map(({ organizationId: id }) => (id === bob.organizationId ? 'failed' : 'confirmed')),
    );
    expect(now[0]?.error).toMatch(
      /^delegation of 0x\w+ to 0x\w+ on chain 31337 is not active; delegate again/,
    );
  });

  test('fails a member that the registry skips for its revoked delegation', async () => {
    const { world, current, untilSent, finishAndCheck } = await startCommitted(mode);
    await untilSent(4);
    // This happens in the block of the reveal, before it.
    world.chain.revokeDelegation(bob.authorityAddress);
    await finishAndCheck();
    expect(minedReveals(world)).toEqual([{ shown: 9, withheld: 0, skipped: 3 }]);
    const [failed, confirmed] = await current();
    expect(failed).toMatchObject({ status: 'failed', revealTxHash: expect.stringMatching(/^0x/) });
    expect(confirmed).toMatchObject({ status: 'confirmed', revealPhase: 'final' });
  });

  test('confirms a member that the registry skips because its authority attested it', async () => {
    const { world, rows, current, untilSent, finishAndCheck } = await startCommitted(mode);
    await untilSent(4);
    const [own] = rows;
    world.chain.minTip = 10n ** 13n;
    world.chain.attest(bob.authorityAddress, own?.digest ?? '0x');
    world.chain.minTip = 0n;
    await finishAndCheck();
    expect(minedReveals(world)).toEqual([{ shown: 9, withheld: 0, skipped: 1 }]);
    const [attested, confirmed] = await current();
    expect(attested).toMatchObject({ status: 'confirmed', revealPhase: 'unneeded' });
    expect(confirmed).toMatchObject({ status: 'confirmed', revealPhase: 'final' });
  });

  test('identifies skipped members also when others were left out', async () => {
    const { world, current, untilSent, finishAndCheck } = await startCommitted(mode);
    const members = (await current()).toSorted((a, b) => (a.batch?.position ?? 0) - (b.batch?.position ?? 0));
    const [first, last] = [members[0], members.at(-1)];
    if (!first || !last) throw new Error('the batch has no members');
    world.chain.revokeDelegation(first.authorityAddress);
    await untilSent(4);
    world.chain.minTip = 10n ** 13n;
    world.chain.attest(last.authorityAddress, last.digest);
    world.chain.minTip = 0n;
    await finishAndCheck();
    expect(minedReveals(world)).toMatchObject([{ skipped: 1 }]);
    expect(minedReveals(world)[0]?.withheld).toBeGreaterThan(0);
    const phases = (await Promise.all(members.map(world.row))).map(({ revealPhase }) => revealPhase);
    const isFirst = ({ authorityAddress }: Attestation) => authorityAddress === first.authorityAddress;
    const expected = members.map((one) => (isFirst(one) ? 'refused' : 'final'));
    expect(phases).toEqual([...expected.slice(0, -1), 'unneeded']);
  });

  test('splits a reveal that reverts as a whole, and keeps its commit', async () => {
    const { world, finishAndCheck } = await startCommitted(mode);
    world.chain.maxOperations = 4;
    await finishAndCheck();
    expect(minedReveals(world).map(({ shown, withheld }) => [shown, withheld])).toEqual([
      [4, 5],
      [4, 5],
      [1, 8],
    ]);
    expect(minedCalls(world).filter((name) => name === 'commit')).toHaveLength(2);
  });

  test('sends the affordable part of a reveal, and the rest once the account is funded', async () => {
    const { world, current, finishAndCheck, queue } = await startCommitted(mode);
    // Nine members at 100,000 gas and at most 21 gwei cost more.
    world.chain.setBalance(world.signer.address, 10n ** 16n);
    const isPartDone = async () => (await current()).some(({ revealPhase }) => revealPhase === 'final');
    expect(await queue.until(isPartDone, 600)).toBe(true);
    expect(statuses(await current())).toContain('committed');
    world.chain.setBalance(world.signer.address, 10n ** 20n);
    await finishAndCheck();
    const parts = minedReveals(world);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, { shown }) => sum + shown, 0)).toBe(9);
  });

  test('commits and reveals again after a foreign transaction used the nonce', async () => {
    const { world, services, current, untilSent, untilIdle, finishAndCheck } = await startBatch(mode);
    await untilSent(3);
    world.chain.spendNonce(world.signer.address);
    const isPaused = async () => (await world.lanes())[0]?.paused !== undefined;
    await untilIdle(120);
    expect(await isPaused()).toBe(true);
    await resumeLane(services, world.lane);
    await finishAndCheck();
    expect(statuses(await current())).toEqual(Array(9).fill('confirmed'));
    expect((await current()).map(({ batch }) => batch?.nonce)).toEqual(Array(9).fill(3));
  });

  test('never reveals a member that differs from its commit, and does not block others', async () => {
    const { world, current, queue, rows } = await startCommitted(mode);
    const [changed] = rows;
    if (!changed) throw new Error('there is no row');
    await world.records.update({ key: attestationRow(changed), set: { salt: `0x${'77'.repeat(32)}` } });
    const others = async () => (await current()).slice(1).every(({ status }) => status === 'confirmed');
    expect(await queue.until(others, 600)).toBe(true);
    expect(minedReveals(world)).toEqual([{ shown: 8, withheld: 1, skipped: 0 }]);
    expect(await world.row(changed)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
    const line = world.log.lines.find(({ message }) => message === 'operation cannot be sent');
    expect(line?.error).toEqual(new Error('the commit of its batch has another leaf'));
  });

  test.each([
    ['has lost its record', { remove: true }],
    ['is unreadable', { set: { leaves: 'neither bytes nor hexadecimal' } }],
  ] as const)('keeps a member whose batch %s, and does not block others', async (_, change) => {
    const { world, current, queue, post } = await startCommitted(mode);
    const [row] = await current();
    const { lane = '', nonce = 0 } = row?.batch ?? {};
    expect(await findTransaction(world.records, lane, nonce)).toBeDefined();
    const sk = `CALLS#${String(nonce).padStart(12, '0')}`;
    await queue.until(
      async () =>
        (await world.records.peek({ table: 'lanes', pk: lane, sk: 'STATE' }))?.finalNonce === nonce + 1,
      600,
    );
    await world.records.update({ key: { table: 'lanes', pk: lane, sk }, ...change });
    const { attestation } = await post(alice, 'another');
    const isConfirmed = async () => (await world.row(attestation)).status === 'confirmed';
    expect(await queue.until(isConfirmed, 600)).toBe(true);
    expect(statuses(await current())).toEqual(Array(9).fill('committed'));
  });
});
