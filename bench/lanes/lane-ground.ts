import type { Address } from 'viem';
import { deployForwarder } from '../../contracts/deploy-forwarder.ts';
import { deployRegistry } from '../../contracts/deploy-registry.ts';
import { type ConnectedChain, connectChain } from '../../local/connect-chain.ts';
import type { Supervisor } from '../../local/supervise.ts';
import { startBenchAnvil } from './bench-anvil.ts';

export const blockTimeSeconds = 2;

/** Of the contract and the settings: how long it is changes nothing of a lane's pace. */
export const revealDelaySeconds = 1;

/** A chain with the contracts, on which each run has a lane of its own. */
export interface LaneGround {
  readonly chain: ConnectedChain;
  readonly registryAddress: Address;
  readonly forwarderAddress: Address;
}

export async function prepareGround(
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<LaneGround> {
  const rpcUrl = await startBenchAnvil(supervisor, blockTimeSeconds);
  log(`anvil at ${rpcUrl}, a block every ${blockTimeSeconds} s; deploying registry and forwarder`);
  const chain = await connectChain(rpcUrl, undefined);
  const registry = await deployRegistry({ ...chain, revealDelaySeconds });
  const admin = chain.walletClient.account.address;
  const forwarderAddress = await deployForwarder({ ...chain, registry, admin });
  return { chain, registryAddress: registry, forwarderAddress };
}
