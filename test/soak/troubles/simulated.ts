import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { Publishers } from '../life/publishers.ts';
import type { Stage } from '../life/stage.ts';
import type { End, Trouble } from './trouble.ts';

/** Makes a trouble of chains in memory only. */
export const simulated =
  (trouble: (chain: SimulatedChain, stage: Stage, publishers: Publishers) => End | undefined): Trouble =>
  (stage, publishers) => {
    const { chain } = stage.service.world;
    return chain instanceof SimulatedChain ? trouble(chain, stage, publishers) : undefined;
  };
