import { expect, test } from 'vitest';
import { alice, bob } from '../fakes/world/world.ts';
import { routes, serve, transactionOf } from './world/served.ts';

const texts = ['first', 'second', 'third'];

test.each(routes)('row 14: what the node forgot is sent again and mines, each once: %j', async (route) => {
  const { world, post, until, endsByRule } = await serve(route);
  const { chain } = world;
  for (const text of texts) await post(text === 'second' ? bob : alice, text);
  await until(() => chain.mempool.nonces().length === texts.length);
  for (const nonce of chain.mempool.nonces()) chain.mempool.drop(nonce);
  await endsByRule();
  const receipts = await chain.receipts();
  expect(receipts.every(({ succeeded }) => succeeded)).toBe(true);
});

test.each(routes)(
  'row 14: at the fee cap, what the node forgot is sent again as the same bytes: %j',
  async (route) => {
    // Twice the base fee, and too little more for a replacement.
    const { world, post, until, endsByRule } = await serve({ ...route, maxFeePerGasGwei: 21 });
    const { chain } = world;
    const { attestation } = await post(alice, 'An article.');
    await until(() => chain.mempool.nonces().length === 1);
    chain.mempool.drop(0);
    await endsByRule();
    const { attempts } = await transactionOf(world, 0);
    expect(attempts).toHaveLength(1);
    expect(world.log.messages('warn')).toContain('fee cap reached');
    expect(await world.row(attestation)).toMatchObject({
      status: 'confirmed',
      commitTxHash: attempts[0]?.hash,
    });
  },
);
