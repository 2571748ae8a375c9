import { SimulatedNode } from '../../fakes/chain/branches.ts';
import { PoolRules } from '../../fakes/chain/mempool.ts';
import type { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { Chance } from '../life/chance.ts';
import { simulated } from './simulated.ts';
import { passes, type Trouble, type Troubles } from './trouble.ts';

const healthy = new SimulatedNode();

/** Changes what some nodes show, or all of them, for a while. */
const some = (changed: (chain: SimulatedChain, chance: Chance) => Partial<SimulatedNode>): Trouble =>
  simulated((chain, { chance }) => {
    const isAll = chance.oneIn(3);
    const nodes = chain.nodes.filter(() => isAll || chance.oneIn(2));
    const names = nodes.flatMap((node) => {
      const change = changed(chain, chance);
      Object.assign(node, change);
      return Object.keys(change);
    });
    return nodes.length === 0
      ? undefined
      : () => {
          for (const node of nodes)
            for (const name of names) Object.assign(node, { [name]: Reflect.get(healthy, name) });
        };
  });

/** Replaces blocks that were not final, of which some nodes do not hear for a while. */
const staleFork = simulated((chain, stage) => {
  const { scenario, chance } = stage;
  const deepest = Math.min(3, scenario.given.confirmations - 1);
  if (deepest === 0) return undefined;
  chain.reorganise(chance.between(1, deepest), chance.pick([{}, { drop: true }, { delaySeconds: 2 }]));
  const nodes = chain.nodes.filter(() => chance.oneIn(2));
  for (const node of nodes) node.isOnStaleFork = true;
  return () => {
    for (const node of nodes) node.isOnStaleFork = false;
  };
});

/** The node takes less than others: no nonce gaps, few transactions of an account, or only cheap ones. */
const poolIsStrict = simulated(({ poolRules }, { chance }) => {
  const coin = 10n ** 18n;
  const rules = [{ refusesGaps: true }, { slots: chance.between(1, 4) }, { feeCap: coin / 4n }];
  Object.assign(poolRules, chance.pick(rules));
  return () => Object.assign(poolRules, new PoolRules());
});

/** The chain takes more than gas for each transaction, as roll-ups of the OP Stack do. */
const rollupFees = simulated((chain, { chance }) => {
  const dataFee = 10n ** BigInt(chance.between(12, 15));
  chain.rollupFees = { dataFee, operatorFeeConstant: 10n ** 9n, operatorFeePerMillionGas: 10n ** 12n };
  return () => {
    chain.rollupFees = undefined;
  };
});

/** The node keeps nothing of what pays less than the base fee, as Arbitrum's sequencer does. */
const cheapRefused = simulated((chain) => {
  chain.refusesBelowBaseFee = true;
  return () => {
    chain.refusesBelowBaseFee = false;
  };
});

/** Replaces final blocks. */
export const deepReorganisation = simulated((chain, { scenario, chance }) => {
  const { confirmations } = scenario.given;
  const depth = Math.min(chain.newest.number, chance.between(confirmations, confirmations + 6));
  chain.reorganise(
    depth,
    chance.pick([{}, { drop: true }, { remine: true }, { delaySeconds: chance.below(4) }]),
  );
  return passes;
});

/** Troubles of single nodes, and of a chain that goes below its final block. */
export const nodeTroubles: Troubles = {
  'nodes lag': some((_, chance) => ({ lagBlocks: chance.between(1, 5) })),
  'heads stand': some(({ newest }, chance) => ({ standsAt: newest.number - chance.below(2) })),
  'final block stands': some(({ newest, settings }, chance) => ({
    finalStandsAt: newest.number - settings.confirmations + 1 - chance.below(3),
  })),
  'nodes are down': some(() => ({ unreachable: true })),
  'receipts pruned': some((_, chance) => ({ receiptsKept: chance.between(1, 20) })),
  'stale fork': staleFork,
  'pool is strict': poolIsStrict,
  'roll-up fees': rollupFees,
  'cheap is refused': cheapRefused,
  'deep reorganisation': deepReorganisation,
};
