import { randomUUID } from 'node:crypto';
import { CreateAliasCommand, CreateKeyCommand, KMSClient, UpdateAliasCommand } from '@aws-sdk/client-kms';
import { expect, inject, onTestFinished, test } from 'vitest';
import { kmsSigner } from '../../functions/adapters/aws/kms-signer.ts';
import { SignerMismatchError } from '../../functions/domain/errors.ts';
import { laneName, parseLane } from '../../functions/domain/lane/lane.ts';
import { findTransaction } from '../../functions/domain/lane/transaction-records.ts';
import { activateSigner } from '../../functions/domain/operator/change-signers.ts';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import type { AwsFaultKind } from '../fakes/aws/aws-faults.ts';
import { plenty } from '../fakes/real/real-chain-start.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve, transactionOf } from './world/served.ts';

const minutes = 60;

/** Long enough that ten minutes are not too many ticks of a lane. */
const blockTimeSeconds = 10;

const always = Number.POSITIVE_INFINITY;

function sendsOf({ world }: Served): number {
  return world.providers[0]?.counts.get('eth_sendRawTransaction') ?? 0;
}

const outages = (['throttled', 'refused'] satisfies AwsFaultKind[]).flatMap((kind) =>
  routes.map((route) => ({ kind, route })),
);

test.each(outages)(
  'row 26: KMS $kind for ten minutes delays, and the nonce is kept: $route',
  async ({ kind, route }) => {
    const service = await serve({ ...route, blockTimeSeconds });
    const { aws, chain } = service.world;
    aws.inject({ kind, command: 'Sign', times: always });
    await service.post(alice, 'An article.');
    await service.pass(9 * minutes);
    const bound = await transactionOf(service.world, 0);
    expect(bound).toMatchObject({ state: 'open', attempts: [] });
    expect((await laneOf(service.world)).nextNonce).toBe(1);
    expect(sendsOf(service)).toBe(0);
    await service.pass(1 * minutes);
    aws.clear();
    await service.endsByRule();
    expect((await transactionOf(service.world, 0)).boundAt).toBe(bound.boundAt);
    expect((await chain.receipts()).map(({ nonce, succeeded }) => [nonce, succeeded])).toEqual([
      [0, true],
      [1, true],
    ]);
  },
);

test.each(routes)('row 26: KMS that is slow, and throttles at times, harms nothing: %j', async (route) => {
  const service = await serve(route);
  const { aws } = service.world;
  for (const caller of [alice, bob]) await service.post(caller, 'An article.');
  for (const kind of ['throttled', 'slow', 'answer lost', 'throttled', 'slow'] as const)
    aws.inject({ kind, command: 'Sign', times: 5 });
  await service.endsByRule();
  expect(aws.calls.filter((call) => call === 'Sign').length).toBeGreaterThan(4);
});

/** A key by an alias that can be led to another key, as an operator does by mistake. */
async function aliasedKey() {
  const kms = new KMSClient(clientOptions(inject('emulator')));
  onTestFinished(() => kms.destroy());
  const newKeyId = async () => {
    const spec = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' } as const;
    return (await kms.send(new CreateKeyCommand(spec))).KeyMetadata?.KeyId;
  };
  const [right, wrong] = [await newKeyId(), await newKeyId()];
  const AliasName = `alias/${randomUUID()}`;
  await kms.send(new CreateAliasCommand({ AliasName, TargetKeyId: right }));
  const lead = (TargetKeyId?: string) => kms.send(new UpdateAliasCommand({ AliasName, TargetKeyId }));
  return {
    keyId: AliasName,
    signer: await kmsSigner(kms, AliasName),
    mislead: () => lead(wrong),
    restore: () => lead(right),
  };
}

/** Makes it the key that sends through the forwarder. @returns its lane */
async function useKey(
  { world, services }: Served,
  { keyId, signer }: Awaited<ReturnType<typeof aliasedKey>>,
) {
  const { chain, contracts, signers } = world;
  const { chainId } = chain.settings;
  signers.set(keyId, signer);
  await chain.setBalance(signer.address, plenty);
  await chain.addOperator(contracts.forwarderAddress, signer.address);
  await activateSigner(services, chainId, { keyId, address: signer.address });
  return laneName(chainId, signer.address);
}

test('row 26: what KMS signs with the wrong key is never stored or sent', async () => {
  const service = await serve({ forwarder: true, blockTimeSeconds });
  const { chain, log, records } = service.world;
  const key = await aliasedKey();
  const lane = await useKey(service, key);
  await key.mislead();
  await service.post(alice, 'An article.');
  await service.pass(9 * minutes);
  expect(await findTransaction(records, lane, 0)).toMatchObject({ state: 'open', attempts: [] });
  expect(sendsOf(service)).toBe(0);
  expect(log.lines.some(({ error }) => error instanceof SignerMismatchError)).toBe(true);
  await key.restore();
  await service.endsByRule();
  const senders = (await chain.receipts()).map(({ sender }) => sender);
  expect(senders).toEqual(Array(2).fill(parseLane(lane).signerAddress));
});
