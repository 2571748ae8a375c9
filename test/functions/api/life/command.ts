import type { Arbitrary, AsyncCommand, WeightedArbitrary } from 'fast-check';
import type { World } from '../../../fakes/world/world.ts';
import type { LifeModel } from './life-model.ts';

type Act = (model: LifeModel, world: World) => Promise<void> | void;

type LifeCommand = AsyncCommand<LifeModel, World>;

/** One thing that somebody does; all that the service says of it is compared with the model. */
export function command(
  name: string,
  act: Act,
  isPossible: (model: LifeModel) => boolean = () => true,
): LifeCommand {
  return { check: isPossible, run: async (model, world) => act(model, world), toString: () => name };
}

/** As often as the weight says, beside the others. */
export function often(weight: number, arbitrary: Arbitrary<LifeCommand>): WeightedArbitrary<LifeCommand> {
  return { arbitrary, weight };
}

export const told = (given: unknown): string => JSON.stringify(given);

export const isReachable = ({ reachable }: LifeModel): boolean => reachable;
