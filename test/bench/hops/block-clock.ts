import { createTestClient, http } from 'viem';
import { mine, setIntervalMining } from 'viem/actions';
import type { ConnectedChain } from '../../../local/stack/connect-chain.ts';

/** Control of the chain's blocks, so that "not mined yet" and "mined" are each measured on purpose. */
export interface BlockClock {
  mine(): Promise<void>;
  /** Mines a block once the chain's time has reached `timestamp`, in seconds since 1970. */
  mineAt(timestamp: number): Promise<void>;
  /** Lets blocks come by the clock again. */
  release(): Promise<void>;
}

/** Stops anvil's own mining until it is released. */
export async function holdBlocks(
  { rpcUrl, publicClient }: ConnectedChain,
  pause: (ms: number) => Promise<void>,
) {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) });
  await setIntervalMining(client, { interval: 0 });
  const clock: BlockClock = {
    mine: () => mine(client, { blocks: 1 }),
    async mineAt(timestamp) {
      for (;;) {
        await clock.mine();
        const block = await publicClient.getBlock();
        if (Number(block.timestamp) >= timestamp) return;
        await pause(500);
      }
    },
    release: () => setIntervalMining(client, { interval: 1 }),
  };
  return clock;
}
