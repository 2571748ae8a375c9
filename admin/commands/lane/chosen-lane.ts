import { type Command, Option } from 'commander';
import type { Address } from 'viem';
import { laneName, parseLane } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { chainSigners, laneOf } from '../../../functions/domain/lane/signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { chainOption, parseAddress, parseLaneName } from '../../deployment/arguments.ts';
import type { Deployment } from '../../deployment/connect.ts';
import { delegateAddresses, offeredChain } from '../../deployment/served-chain.ts';
import { LaneMissingError, UsageInvalidError } from '../../terminal/errors.ts';

/** Options of a command on one lane. */
export interface LaneOptions {
  readonly chain: number;
  readonly lane?: string;
  readonly signer?: Address;
}

/** Adds a command on one lane of a chain. */
export function laneCommand(group: Command, name: string, description: string): Command {
  const lane = new Option('--lane <name>', 'a lane (default: the one that sends now)');
  return group
    .command(name)
    .description(description)
    .requiredOption(...chainOption)
    .addOption(lane.argParser(parseLaneName).conflicts('signer'))
    .option('--signer <address>', 'instead of --lane, whose lane it is', parseAddress);
}

/** Finds the deployment's services and the lane that the options name. @throws LaneMissingError, UsageInvalidError */
export async function chosenLane(
  deployment: Deployment,
  options: LaneOptions,
): Promise<{ services: Services; lane: string }> {
  const settings = await offeredChain(deployment, options.chain);
  const services = await deployment.services();
  const named = namedLane(options);
  if (named !== undefined) {
    await requireKnown(services, named);
    return { services, lane: named };
  }
  return { services, lane: await onlyLane(services, settings, await deployment.signerAddress()) };
}

/** After a rotation the stack's own key and the forwarders' signer each have a lane: one of them alone would mislead. */
async function onlyLane(services: Services, settings: ChainSettings, ownAddress: Address): Promise<string> {
  const { chainId } = settings;
  const lanes = delegateAddresses(settings, ownAddress).map((delegateAddress) =>
    laneOf(services, { chainId, delegateAddress }),
  );
  const [lane, ...others] = new Set(await Promise.all(lanes));
  if (!lane) throw new LaneMissingError('of a delegate', chainId);
  if (others.length === 0) return lane;
  throw new UsageInvalidError(
    `chain ${chainId} has several lanes that send; name one with --lane: ${[lane, ...others].join(', ')}`,
  );
}

function namedLane({ chain, lane, signer }: LaneOptions): string | undefined {
  if (lane !== undefined && parseLane(lane).chainId !== chain) {
    throw new UsageInvalidError(`the lane ${lane} is not of chain ${chain}`);
  }
  return lane ?? (signer && laneName(chain, signer));
}

/** A mistyped address would create a lane that has no key. */
async function requireKnown(services: Services, lane: string): Promise<void> {
  const { chainId, signerAddress } = parseLane(lane);
  const signers = await chainSigners(services, chainId);
  if (signers.some(({ address }) => address === signerAddress)) return;
  if (!(await findLaneState(services.records, lane))) throw new LaneMissingError(lane, chainId);
}
