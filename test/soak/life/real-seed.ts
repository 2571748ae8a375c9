import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { realWorld } from './real-world.ts';
import { scenarioOf } from './scenario.ts';
import { type Life, liveOn } from './seed.ts';

/** Runs the life of a seed on the emulator and an anvil of its own. @param tell receives every event as a line */
export function liveRealSeed(
  seed: number,
  emulator: AwsEndpoint,
  tell?: (line: string) => void,
): Promise<Life> {
  return liveOn((scenario, faults) => realWorld(scenario, faults, emulator), scenarioOf(seed, true), tell);
}
