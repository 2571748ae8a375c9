import { type Command, Option } from 'commander';
import type { Address } from 'viem';
import { laneName, parseLane } from '../functions/domain/lane.ts';
import { findLaneState } from '../functions/domain/lane-records.ts';
import type { Services } from '../functions/domain/services.ts';
import { chainSigners, laneOf } from '../functions/domain/signers.ts';
import { parseAddress, parseChainId, parseLaneName } from './arguments.ts';
import { delegateAddresses } from './delegates.ts';
import type { Desk } from './desk.ts';
import { LaneMissingError, UsageInvalidError } from './errors.ts';
import { offeredChain } from './offered-chain.ts';

export interface LaneOptions {
  readonly chain: number;
  readonly lane?: string;
  readonly signer?: Address;
}

/** A command on one lane of a chain. */
export function laneCommand(group: Command, name: string, description: string): Command {
  const lane = new Option('--lane <name>', 'a lane (default: the one that sends now)').argParser(
    parseLaneName,
  );
  return group
    .command(name)
    .description(description)
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .addOption(lane.conflicts('signer'))
    .option('--signer <address>', 'instead of --lane, whose lane it is', parseAddress);
}

/** The services of the deployment, and the lane that the options mean. @throws LaneMissingError, UsageInvalidError */
export async function chosenLane(
  desk: Desk,
  options: LaneOptions,
): Promise<{ services: Services; lane: string }> {
  const settings = await offeredChain(desk, options.chain);
  const services = await desk.services();
  const named = namedLane(options);
  if (named !== undefined) {
    await requireKnown(services, named);
    return { services, lane: named };
  }
  const [delegateAddress] = delegateAddresses(settings, await desk.signerAddress());
  if (!delegateAddress) throw new LaneMissingError('of a delegate', options.chain);
  return { services, lane: await laneOf(services, { chainId: options.chain, delegateAddress }) };
}

function namedLane({ chain, lane, signer }: LaneOptions): string | undefined {
  if (lane !== undefined && parseLane(lane).chainId !== chain) {
    throw new UsageInvalidError(`the lane ${lane} is not of chain ${chain}`);
  }
  return lane ?? (signer && laneName(chain, signer));
}

/** A mistyped address would open a lane of nobody's key. */
async function requireKnown(services: Services, lane: string): Promise<void> {
  const { chainId, signerAddress } = parseLane(lane);
  const signers = await chainSigners(services, chainId);
  if (signers.some(({ address }) => address === signerAddress)) return;
  if (!(await findLaneState(services.records, lane))) throw new LaneMissingError(lane, chainId);
}
