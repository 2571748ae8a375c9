import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import type { Publishers } from '../life/publishers.ts';
import type { Chance } from '../life/scenario.ts';
import type { SoakService, Stage } from '../life/stage.ts';

/** Repairs the effects of a trouble that do not pass by themselves. */
export type End = () => unknown;

/** The end of a trouble that happens once and needs no repair. */
export const passes: End = () => {};

/**
 * Starts a trouble, which lasts for a while or happens once; returns nothing when there is nothing that it could
 * affect.
 */
export type Trouble = (stage: Stage, publishers: Publishers) => Promise<End | undefined> | End | undefined;

export type Troubles = Readonly<Record<string, Trouble>>;

export const gwei = 1_000_000_000n;

type World = SoakService['world'];

/** Makes a trouble of chains in memory only. */
export const simulated =
  (trouble: (chain: SimulatedChain, stage: Stage, publishers: Publishers) => End | undefined): Trouble =>
  (stage, publishers) => {
    const { chain } = stage.service.world;
    return chain instanceof SimulatedChain ? trouble(chain, stage, publishers) : undefined;
  };

/** Makes a trouble of real adapters only. */
export const real =
  (trouble: (world: RealWorld, stage: Stage) => End): Trouble =>
  (stage) => {
    const { world } = stage.service;
    return 'aws' in world ? trouble(world, stage) : undefined;
  };

/** Changes fields for a while, which then are as usual again. */
export const changes =
  <Target extends object>(
    find: (world: World) => Target | undefined,
    usual: Partial<Target>,
    drawn: (chance: Chance) => Partial<Target>,
  ): Trouble =>
  ({ service, chance }) => {
    const target = find(service.world);
    if (!target) return undefined;
    Object.assign(target, drawn(chance));
    return () => Object.assign(target, usual);
  };
