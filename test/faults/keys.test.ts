import { randomUUID } from 'node:crypto';
import { CreateAliasCommand, CreateKeyCommand, KMSClient, UpdateAliasCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { parseSignature, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { kmsSigner } from '../../functions/adapters/aws/kms-signer.ts';
import type { Unsigned } from '../../functions/domain/chain.ts';
import { SignerMismatchError } from '../../functions/domain/errors.ts';
import { laneName } from '../../functions/domain/lane/lane.ts';
import { findTransaction } from '../../functions/domain/lane/transaction-records.ts';
import { activateSigner } from '../../functions/domain/operator/change-signers.ts';
import { signedBytes } from '../../functions/domain/raw-transaction.ts';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { plenty } from '../fakes/real/real-chain-start.ts';
import { laneOf, serve, transactionOf } from '../fakes/real/served.ts';
import { cases, soakTimeout } from '../fakes/world/soak.ts';
import { alice } from '../fakes/world/world.ts';

vi.setConfig({ testTimeout: soakTimeout });

const minutes = 60;

/** Long enough that ten minutes are not too many ticks of a lane. */
const blockTimeSeconds = 10;

const kms = new KMSClient(clientOptions(inject('emulator')));
afterAll(() => kms.destroy());

async function newKeyId(): Promise<string> {
  const spec = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' } as const;
  return (await kms.send(new CreateKeyCommand(spec))).KeyMetadata?.KeyId ?? '';
}

test.each(['throttled', 'refused'] as const)(
  'row 26: KMS that is %s for ten minutes delays, and the nonce is kept',
  async (kind) => {
    const service = await serve({ blockTimeSeconds });
    const { aws, chain, providers } = service.world;
    aws.inject({ kind, command: 'Sign', times: Number.POSITIVE_INFINITY });
    await service.post(alice, 'An article.');
    await service.pass(10 * minutes);
    const bound = await transactionOf(service.world, 0);
    expect(bound).toMatchObject({ state: 'open', attempts: [] });
    expect((await laneOf(service.world)).nextNonce).toBe(1);
    expect(providers[0]?.counts.get('eth_sendRawTransaction')).toBeUndefined();
    aws.clear();
    await service.endsByRule();
    expect((await transactionOf(service.world, 0)).boundAt).toBe(bound.boundAt);
    expect((await chain.receipts()).map(({ nonce }) => nonce)).toEqual([0, 1]);
  },
);

test('row 26: what KMS signs with the wrong key is never stored or sent', async () => {
  const service = await serve({ forwarder: true, blockTimeSeconds });
  const { chain, contracts, log, providers, records, signers } = service.world;
  const [right, wrong] = [await newKeyId(), await newKeyId()];
  const keyId = `alias/${randomUUID()}`;
  await kms.send(new CreateAliasCommand({ AliasName: keyId, TargetKeyId: right }));
  const signer = await kmsSigner(kms, keyId);
  signers.set(keyId, signer);
  await chain.setBalance(signer.address, plenty);
  await chain.addOperator(contracts.forwarderAddress, signer.address);
  const { chainId } = chain.settings;
  await activateSigner(service.services, chainId, { keyId, address: signer.address });
  // As an operator does by mistake.
  await kms.send(new UpdateAliasCommand({ AliasName: keyId, TargetKeyId: wrong }));
  await service.post(alice, 'An article.');
  await service.pass(9 * minutes);
  const bound = await findTransaction(records, laneName(chainId, signer.address), 0);
  expect(bound).toMatchObject({ state: 'open', attempts: [] });
  expect(providers[0]?.counts.get('eth_sendRawTransaction')).toBeUndefined();
  expect(log.lines.some(({ error }) => error instanceof SignerMismatchError)).toBe(true);
  await kms.send(new UpdateAliasCommand({ AliasName: keyId, TargetKeyId: right }));
  await service.endsByRule();
  expect((await chain.receipts()).map(({ sender }) => sender)).toEqual(Array(2).fill(signer.address));
});

const most = 10_000;
const least = cases(300, most);
const { n: order } = secp256k1.CURVE;

/** How often KMS gave a signature of each kind. */
const seen = { highS: 0, lowS: 0, short: 0, odd: 0, even: 0 };

const isShort = (part: bigint): boolean => part < 1n << 248n;

kms.middlewareStack.add(
  (next) => async (request) => {
    const answer = await next(request);
    if ('Signature' in answer.output && answer.output.Signature) see(answer.output.Signature);
    return answer;
  },
  { step: 'initialize' },
);

function see(der: Uint8Array): void {
  const { r, s } = secp256k1.Signature.fromDER(der);
  seen[s > order / 2n ? 'highS' : 'lowS']++;
  if (isShort(r) || isShort(s)) seen.short++;
}

function transaction(nonce: number): Unsigned {
  const fees = { maxFeePerGas: 20n, maxPriorityFeePerGas: 1n };
  return { chainId: 31_337, nonce, to: `0x${'11'.repeat(20)}`, data: '0x', gasLimit: 21_000n, ...fees };
}

test(`row 27: ${least} signatures of KMS, of every kind, become ones that recover to the key’s address`, async () => {
  const signer = await kmsSigner(kms, await newKeyId());
  const isAllSeen = () => Object.values(seen).every((count) => count > 0);
  for (let nonce = 0; nonce < least || (nonce < most && !isAllSeen()); nonce++) {
    const { signature } = await signer.sign(transaction(nonce));
    const raw = signedBytes(transaction(nonce), signature) as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(signer.address);
    const { s, yParity } = parseSignature(signature);
    expect(BigInt(s) <= order / 2n).toBe(true);
    seen[yParity ? 'odd' : 'even']++;
  }
  expect(isAllSeen()).toBe(true);
});
