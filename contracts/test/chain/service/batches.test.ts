import type { Address, Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { Receipt, Route } from '../../../../functions/domain/chain.ts';
import { batchedCall, leafOf } from '../../../../functions/domain/operation/registry-call.ts';
import { batchCallOf } from '../../../../functions/domain/sending/batch-call.ts';
import { attest, draft, hash as word } from '../attest.ts';
import { batchCalldata, batchHash } from '../batch.ts';
import { sendMined } from '../chain.ts';
import { operator } from '../forwarder.ts';
import { author, other, platform, stranger } from '../registry.ts';
import { registry } from '../use-registry.ts';
import { chain, forwarder, useServiceChain } from './chain.ts';

useServiceChain();
beforeAll(async () => {
  for (const authority of [author, other]) await registry.mine(authority, 'delegate', [platform]);
});

/** The fields of an attestation that a batch needs. */
const rowOf = (n: number, authorityAddress: Address, delegateAddress: Address) =>
  ({
    ...{ registryAddress: registry.address, authorityAddress, delegateAddress },
    ...{ digest: word(n), quoteRoot: word(n + 1), salt: word(n + 2) },
  }) as Attestation;

/** Commits to a batch like the service, and waits until it can be revealed. */
async function commitRows(from: Address, rows: readonly Attestation[], route: Route = 'key', sender = from) {
  const leaves = rows.map(leafOf);
  const base = { from, to: registry.address, data: '0x' } as const;
  const commit = batchedCall(base, 'commit', rows, []);
  const receipt = await send(batchCallOf([commit], route, sender));
  await registry.mineAt(BigInt(receipt.blockTimestamp) + 60n);
  const members = rows.map((row, position) => ({ ...row, batch: { lane: '', nonce: 0, position } }));
  const revealOf = (chosen: readonly Attestation[]) =>
    batchCallOf([batchedCall(base, 'reveal', chosen, leaves)], route, sender);
  return { members, revealOf };
}

async function send({ from, to, data }: { from: Address; to: Address; data: Hex }): Promise<Receipt> {
  const account = from === operator.address ? operator : from;
  const { transactionHash: hash } = await sendMined(registry.chain, { account, to, data, gas: 3_000_000n });
  const query = { signerAddress: from, hashes: [hash], blockNumbers: [] };
  const receipt = (await chain.snapshot(query)).receipts.get(hash);
  if (!receipt) throw new Error('no receipt');
  return receipt;
}

const indexOf = async ({ digest, authorityAddress }: Attestation) =>
  Number(await registry.view.cidAndAddressToAttestationIndices([digest, authorityAddress]));

test('`canBatch` is true only for the registry', async () => {
  expect(await chain.canBatch(registry.address)).toBe(true);
  expect(await chain.canBatch(forwarder)).toBe(false);
  expect(await chain.canBatch(stranger)).toBe(false);
});

test('batch calls follow the documented rules', async () => {
  const rows = [rowOf(10, author, platform), rowOf(20, author, platform), rowOf(30, other, platform)];
  const { members, revealOf } = await commitRows(platform, rows);
  const documented = rows.map(({ authorityAddress: authority, digest, quoteRoot, salt }) => ({
    ...{ authority, digest, quoteRoot, salt },
  }));
  expect(await registry.error(platform, 'commit', [batchHash(platform, documented)])).toMatchObject({
    errorName: 'CommitRepeated',
  });
  expect(revealOf(members).data).toBe(batchCalldata(documented));
  const some = members.filter(({ batch }) => batch?.position !== 1);
  expect(revealOf(some).data).toBe(batchCalldata(documented, (position) => position !== 1));
});

test.each(['key', 'forwarder'] as const)('a batch can be revealed in parts: %s', async (route) => {
  const from = route === 'key' ? platform : forwarder;
  const signer = route === 'key' ? platform : operator.address;
  for (const authority of [author, other]) await registry.mine(authority, 'delegate', [from]);
  const rows = [1, 2, 3, 4].map((n) =>
    rowOf(100 * n + (route === 'key' ? 0 : 50), n > 2 ? other : author, from),
  );
  const { members, revealOf } = await commitRows(from, rows, route, signer);
  const [first, second, third, fourth] = members;
  const simulated = await chain.simulate(revealOf(members), route, members);
  expect(simulated.states).toEqual(Array(4).fill({ attestationIndex: 0, delegateAddress: from }));
  expect(await send(revealOf([second, third] as Attestation[]))).toMatchObject({
    succeeded: true,
    failedPositions: [],
  });
  expect(await Promise.all(members.map(indexOf))).toEqual([0, expect.any(Number), expect.any(Number), 0]);
  await registry.mine(other, 'delegate', [stranger]);
  // The second member is already attested, and the authority of the last two now has another delegate.
  expect(await send(revealOf([first, second, fourth] as Attestation[]))).toMatchObject({
    ...{ succeeded: true, failedPositions: [1, 3] },
  });
  expect(
    (await chain.simulate(revealOf(members), route, members)).states.map((state) => state.delegateAddress),
  ).toEqual([...[from, from, stranger, stranger]]);
});

test('a call with several links skips only those that fail', async () => {
  for (const authority of [author, other]) await registry.mine(authority, 'delegate', [platform]);
  const linked = [];
  for (const authority of [author, other]) {
    await attest(
      registry,
      draft(platform, { digest: word(900), salt: authority === author ? word(1) : word(2), authority }),
    );
    const row = rowOf(900, authority, platform);
    linked.push({ ...row, attestationIndex: await indexOf(row), childDigest: word(901) });
  }
  await registry.mine(author, 'delegate', [stranger]);
  const call = batchedCall({ from: platform, to: registry.address, data: '0x' }, 'link', linked, []);
  expect(await send(call)).toMatchObject({ succeeded: true, failedPositions: [0] });
  const [, entry] = await Promise.all(
    linked.map(({ attestationIndex }) => registry.view.attestations([BigInt(attestationIndex)])),
  );
  expect(entry).toContain(word(901));
});

test('a receipt of a forwarder whose only call failed is a failure', async () => {
  const rows = [rowOf(700, author, forwarder), rowOf(710, author, forwarder)];
  const { revealOf, members } = await commitRows(forwarder, rows, 'forwarder', operator.address);
  const foreign = members.map((row) => ({ ...row, salt: word(5) }));
  const receipt = await send(revealOf(foreign));
  expect(receipt).toMatchObject({ succeeded: false, failedPositions: [0] });
});
