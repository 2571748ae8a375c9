import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { parseSignature, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { kmsSigner } from '../../functions/adapters/aws/kms-signer.ts';
import type { Unsigned } from '../../functions/domain/chain.ts';
import { signedBytes } from '../../functions/domain/raw-transaction.ts';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { cases, soakTimeout } from '../fakes/world/soak.ts';

vi.setConfig({ testTimeout: soakTimeout });

const most = 10_000;
const least = cases(300, most);
const { n: order } = secp256k1.CURVE;

const kms = new KMSClient(clientOptions(inject('emulator')));
afterAll(() => kms.destroy());

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
  const { KeyMetadata: key } = await kms.send(
    new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' }),
  );
  const signer = await kmsSigner(kms, key?.KeyId ?? '');
  const isAllSeen = () => Object.values(seen).every((count) => count > 0);
  for (let nonce = 0; nonce < least || (nonce < most && !isAllSeen()); nonce++) {
    const { signature } = await signer.sign(transaction(nonce));
    const raw = signedBytes(transaction(nonce), signature) as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(signer.address);
    const { s, yParity } = parseSignature(signature);
    expect(BigInt(s) <= order / 2n).toBe(true);
    seen[yParity ? 'odd' : 'even']++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
