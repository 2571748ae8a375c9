import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { deployContracts } from '../fakes/real/real-contracts.ts';
import { startAnvil } from '../fakes/rpc/anvil.ts';
import { askAt } from '../fakes/rpc/rpc-call.ts';
import { type Answering, RpcProxy } from '../fakes/rpc/rpc-proxy.ts';

/** Far less than viem waits for a receipt, far more than a deployment takes. */
const timeoutMilliseconds = 60_000;

/**
 * In front of an anvil that mines when told: it mines as a client learns for the second time that a transaction has no
 * receipt, and says so only when clients have heard of the new block; it shows what is in a block only then, too.
 */
async function startUnluckyProvider(): Promise<RpcProxy> {
  const anvil = await startAnvil(['--no-mining']);
  onTestFinished(anvil.stop);
  const provider = await RpcProxy.start(anvil.url);
  onTestFinished(() => provider.stop());
  const ask = askAt(anvil.url);
  const answer = (method: string, by: Answering) =>
    provider.set({ methods: [method], fault: { kind: 'answered', by } });
  let heardOf = 0;
  const isHeardOf = async (head: number) => {
    while (heardOf < head) await setImmediate();
  };
  answer('eth_blockNumber', async () => {
    const head = await ask('eth_blockNumber');
    heardOf = Number(head);
    return head;
  });
  answer('eth_getBlockByNumber', async ({ params = [] }) => {
    const [number, isWhole] = params;
    if (isWhole) await isHeardOf(Number(number) + 1);
    return ask('eth_getBlockByNumber', params);
  });
  const looks = new Map<unknown, number>();
  answer('eth_getTransactionReceipt', async ({ params = [] }) => {
    const receipt = await ask('eth_getTransactionReceipt', params);
    const [hash] = params;
    looks.set(hash, (looks.get(hash) ?? 0) + 1);
    if (looks.get(hash) === 2) {
      await ask('evm_mine');
      await isHeardOf(Number(await ask('eth_blockNumber')));
    }
    return receipt;
  });
  answer('evm_setAutomine', async () => null);
  return provider;
}

test(
  'a deployment is seen though its block comes while the one before is looked into',
  async () => {
    const { url } = await startUnluckyProvider();
    const contracts = await deployContracts(url, 60);
    for (const address of Object.values(contracts)) {
      expect(await askAt(url)('eth_getCode', [address, 'latest'])).not.toBe('0x');
    }
  },
  timeoutMilliseconds,
);
