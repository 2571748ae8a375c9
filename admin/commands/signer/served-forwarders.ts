import type { Address } from 'viem';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import type { Services } from '../../../functions/domain/services.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { forwardersOf } from '../../deployment/served-chain.ts';

/**
 * Finds the forwarders through which the chain's signers may have to send: those of the settings, and former ones that
 * they named while a lane ran, because attestations made through those can still be linked.
 */
export async function servedForwarders(services: Services, settings: ChainSettings): Promise<Address[]> {
  const { chainId } = settings;
  const signers = (await chainSigners(services, chainId)).map(({ address }) => address);
  const states = await Promise.all(
    signers.map((address) => findLaneState(services.records, laneName(chainId, address))),
  );
  const own = new Set([...signers, (await services.signer()).address]);
  const former = states.flatMap((state) => state?.delegates ?? []).filter((delegate) => !own.has(delegate));
  return [...new Set([...forwardersOf(settings), ...former])];
}
