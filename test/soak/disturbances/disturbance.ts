import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import type { RunContext, SoakService } from '../run/context.ts';
import type { Publishers } from '../run/publishers.ts';
import type { SeededChoices } from '../run/scenario.ts';

/** Repairs the lasting effects of a disturbance. */
export type End = () => unknown;

/** The end of a disturbance that happens once and needs no repair. */
export const noRepair: End = () => {};

/** Starts a disturbance, which lasts for a while or happens once. Returns nothing when it could affect nothing. */
export type Disturbance = (
  context: RunContext,
  publishers: Publishers,
) => Promise<End | undefined> | End | undefined;

export type Disturbances = Readonly<Record<string, Disturbance>>;

export const gwei = 1_000_000_000n;

type World = SoakService['world'];

/** Makes a disturbance that happens only on a simulated chain. */
export const onSimulatedChain =
  (
    disturbance: (chain: SimulatedChain, context: RunContext, publishers: Publishers) => End | undefined,
  ): Disturbance =>
  (context, publishers) => {
    const { chain } = context.service.world;
    return chain instanceof SimulatedChain ? disturbance(chain, context, publishers) : undefined;
  };

/** Makes a disturbance that happens only with the real adapters. */
export const onRealAdapters =
  (disturbance: (world: RealWorld, context: RunContext) => End): Disturbance =>
  (context) => {
    const { world } = context.service;
    return 'aws' in world ? disturbance(world, context) : undefined;
  };

/** Changes fields for a while, and then restores them. */
export const changeFields =
  <Target extends object>(
    find: (world: World) => Target | undefined,
    usual: Partial<Target>,
    draw: (choices: SeededChoices) => Partial<Target>,
  ): Disturbance =>
  ({ service, choices }) => {
    const target = find(service.world);
    if (!target) return undefined;
    Object.assign(target, draw(choices));
    return () => Object.assign(target, usual);
  };
