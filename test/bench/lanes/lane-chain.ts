import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import type { Address } from 'viem';
import { searchPath } from '../../../local/checkout.ts';
import { findAnvil } from '../../../local/emulator/anvil.ts';
import type { Supervisor } from '../../../local/process/supervise.ts';
import { waitForLog } from '../../../local/process/wait-for-log.ts';
import { type ConnectedChain, connectChain } from '../../../local/stack/connect-chain.ts';

/** Ethereum's block gas limit; anvil's own blocks hold half as much gas. */
const blockGasLimit = 60_000_000;

/** Starts an empty chain with blocks by the clock, each large enough for all that a lane may have in flight. */
async function startBenchAnvil(supervisor: Supervisor, blockTimeSeconds: number): Promise<string> {
  const logPath = `${supervisor.directory}/anvil-${blockTimeSeconds}.log`;
  const blocks = ['--block-time', String(blockTimeSeconds), '--gas-limit', String(blockGasLimit)];
  const child = await supervisor.start({
    name: `anvil-${blockTimeSeconds}`,
    command: findAnvil(),
    args: ['--host', '127.0.0.1', '--port', '0', ...blocks],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/' },
    logPath,
  });
  const pattern = /Listening on (127\.0\.0\.1:\d+)/;
  const [, address] = await waitForLog({ name: 'anvil', child, logPath, pattern, timeoutMs: 30_000 });
  return `http://${address}`;
}

/** Reveal delay of the contract and the settings; its length does not change a lane's pace. */
export const revealDelaySeconds = 1;

/** A chain with the contracts, on which each run has a lane of its own. */
export interface LaneChain {
  readonly blockTimeSeconds: number;
  readonly chain: ConnectedChain;
  readonly registryAddress: Address;
  readonly forwarderAddress: Address;
}

export async function prepareLaneChain(
  supervisor: Supervisor,
  blockTimeSeconds: number,
  log: (line: string) => void,
): Promise<LaneChain> {
  const rpcUrl = await startBenchAnvil(supervisor, blockTimeSeconds);
  log(`anvil at ${rpcUrl}, a block every ${blockTimeSeconds} s; deploying registry and forwarder`);
  const chain = await connectChain(rpcUrl, undefined);
  const registry = await deployRegistry({ ...chain, revealDelaySeconds });
  const admin = chain.walletClient.account.address;
  const forwarderAddress = await deployForwarder({ ...chain, registry, admin });
  return { blockTimeSeconds, chain, registryAddress: registry, forwarderAddress };
}
