import { secp256k1 } from '@noble/curves/secp256k1';
import { parseSignature, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { expect, test } from 'vitest';
import { signedBytes } from '../../functions/domain/raw-transaction.ts';
import { laneOf, serve, transactionOf } from '../fakes/real/served.ts';
import { caseCount } from '../fakes/world/soak.ts';
import { alice } from '../fakes/world/world.ts';

test.each(['throttled', 'refused'] as const)(
  'row 26: ten minutes of %s KMS cause a delay and keep the nonce',
  async (kind) => {
    // Slow blocks keep the number of ticks in ten minutes low.
    const service = await serve({ blockTimeSeconds: 10 });
    const { aws, chain, providers } = service.world;
    aws.inject({ kind, command: 'Sign', times: Number.POSITIVE_INFINITY });
    await service.post(alice, 'An article.');
    await service.advance(600);
    const bound = await transactionOf(service.world, 0);
    expect(bound).toMatchObject({ state: 'pending', attempts: [] });
    expect((await laneOf(service.world)).nextNonce).toBe(1);
    expect(providers[0]?.counts.get('eth_sendRawTransaction')).toBeUndefined();
    aws.clear();
    await service.finishAndCheck();
    expect((await transactionOf(service.world, 0)).boundAt).toBe(bound.boundAt);
    expect((await chain.receipts()).map(({ nonce }) => nonce)).toEqual([0, 1]);
  },
);

const count = caseCount(50, 10_000);

test(`row 27: ${count} KMS signatures are converted to a low s that recovers to the key’s address`, async () => {
  const { signer } = (await serve()).world;
  const fees = { maxFeePerGas: 20n, maxPriorityFeePerGas: 1n };
  for (let nonce = 0; nonce < count; nonce++) {
    const transaction = {
      chainId: 31_337,
      nonce,
      to: signer.address,
      data: '0x',
      gasLimit: 21_000n,
      ...fees,
    } as const;
    const { signature } = await signer.sign(transaction);
    const raw = signedBytes(transaction, signature) as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(signer.address);
    expect(BigInt(parseSignature(signature).s) <= secp256k1.CURVE.n / 2n).toBe(true);
  }
});
