import type { Address } from 'viem';
import type { Chain } from '../chain.ts';
import type { Services } from '../services.ts';
import { parseLane } from './lane.ts';

export interface LaneServices extends Services {
  readonly lane: string;
  readonly chainId: number;
  readonly signerAddress: Address;
  readonly laneChain: Chain;
}

export function laneServices(services: Services, lane: string): LaneServices {
  const { chainId, signerAddress } = parseLane(lane);
  return { ...services, lane, chainId, signerAddress, laneChain: services.chain(chainId) };
}

export function readKeySnapshot(services: LaneServices, blocks: readonly number[] = []) {
  const { laneChain, signerAddress } = services;
  return laneChain.snapshot({ signerAddress, hashes: [], blockNumbers: blocks });
}
