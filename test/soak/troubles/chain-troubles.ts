import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { SimulatedNode } from '../../fakes/chain/branches.ts';
import { PoolRules } from '../../fakes/chain/mempool.ts';
import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { Chance } from '../life/scenario.ts';
import type { SoakService } from '../life/stage.ts';
import { changes, gwei, passes, simulated, type Trouble, type Troubles } from './trouble.ts';

type SoakChain = SoakService['world']['chain'];

const usualBaseFee = 10n * gwei;

const flag = (name: 'unreachable' | 'losesSendAnswers' | 'forgetsSent' | 'hidesReceipts'): Trouble =>
  changes(
    ({ chain }) => chain,
    { [name]: false },
    () => ({ [name]: true }),
  );

function setBaseFee(chain: SoakChain, baseFee: bigint): unknown {
  if (!(chain instanceof SimulatedChain)) return chain.setBaseFee(baseFee);
  chain.baseFee = baseFee;
}

/** Raises the base fee up to ten times, or above every cap. */
const baseFeeJumps: Trouble = async ({ service: { world }, chance }) => {
  await setBaseFee(world.chain, BigInt(chance.pick([20, 50, 100, 300])) * gwei);
  return () => setBaseFee(world.chain, usualBaseFee);
};

/** Replaces blocks above the final ones, in any of the ways in which that happens. */
const reorg: Trouble = async ({ service: { world }, scenario, chance }) => {
  const deepest = Math.min(3, scenario.given.confirmations - 1);
  const how = chance.pick([{}, { drop: true }, { remine: true }, { delaySeconds: chance.below(4) }]);
  if (deepest === 0) return undefined;
  await world.chain.reorganise(chance.between(1, deepest), how);
  return passes;
};

const poolForgets: Trouble = ({ service: { world }, chance }) => {
  const { mempool } = world.chain;
  const forgotten = mempool.nonces().filter(() => chance.oneIn(2));
  for (const nonce of forgotten) mempool.drop(nonce);
  return forgotten.length > 0 ? passes : undefined;
};

/** Leaves no balance, enough for a transaction or two, or hardly enough for one. */
const balanceRunsOut: Trouble = async ({ service, chance }) => {
  const { chain, lanes } = service.world;
  const wei = chance.pick([0n, 10n ** 15n, 3n * 10n ** 15n, 10n ** 16n]);
  const accounts = (await lanes()).map(({ lane }) => parseLane(lane).signerAddress);
  const setAll = async (balance: bigint) => {
    for (const account of accounts) await chain.setBalance(account, balance);
  };
  await setAll(wei);
  return () => setAll(10n ** 23n);
};

/** Troubles of simulated and of real chains. */
export const chainTroubles: Troubles = {
  unreachable: flag('unreachable'),
  'send answers lost': flag('losesSendAnswers'),
  'sends forgotten': flag('forgetsSent'),
  'receipts hidden': flag('hidesReceipts'),
  'base fee jumps': baseFeeJumps,
  'miners want tips': changes(
    ({ chain }): { minTip: bigint } => chain,
    { minTip: 0n },
    (chance) => ({ minTip: chance.pick([1n, gwei, 3n * gwei, 40n * gwei]) }),
  ),
  'provider lags': changes(
    ({ chain }): { lagBlocks: number } => chain,
    { lagBlocks: 0 },
    (chance) => ({ lagBlocks: chance.between(1, 4) }),
  ),
  reorg,
  'pool forgets': poolForgets,
  'balance runs out': balanceRunsOut,
};

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
    const usual = Object.fromEntries(names.map((name) => [name, Reflect.get(healthy, name)]));
    return nodes.length === 0
      ? undefined
      : () => {
          for (const node of nodes) Object.assign(node, usual);
        };
  });

/** Replaces blocks that were not final, of which some nodes do not hear for a while. */
const staleFork = simulated((chain, { scenario, chance }) => {
  const deepest = Math.min(3, scenario.given.confirmations - 1);
  if (deepest === 0) return undefined;
  chain.reorganise(chance.between(1, deepest), chance.pick([{}, { drop: true }, { delaySeconds: 2 }]));
  const nodes = chain.nodes.filter(() => chance.oneIn(2));
  for (const node of nodes) node.isOnStaleFork = true;
  return () => {
    for (const node of nodes) node.isOnStaleFork = false;
  };
});

/** Replaces final blocks. */
export const deepReorg = simulated((chain, { scenario, chance }) => {
  const { confirmations } = scenario.given;
  const depth = Math.min(chain.newest.number, chance.between(confirmations, confirmations + 6));
  const how = [{}, { drop: true }, { remine: true }, { delaySeconds: chance.below(4) }];
  chain.reorganise(depth, chance.pick(how));
  return passes;
});

/** Finds a chain in memory. */
export const simulatedChain = ({ chain }: { readonly chain: SoakChain }): SimulatedChain | undefined =>
  chain instanceof SimulatedChain ? chain : undefined;

const coin = 10n ** 18n;

/** The chain takes more than gas for each transaction, as roll-ups of the OP Stack do. */
const rollupFees = changes(simulatedChain, { rollupFees: undefined }, (chance) => {
  const dataFee = 10n ** BigInt(chance.between(12, 15));
  return { rollupFees: { dataFee, operatorFeeConstant: 10n ** 9n, operatorFeePerMillionGas: 10n ** 12n } };
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
  // The node takes less than others: no nonce gaps, few transactions of an account, or only cheap ones.
  'pool is strict': changes(
    (world) => simulatedChain(world)?.poolRules,
    new PoolRules(),
    (chance) => {
      const rules = [{ refusesGaps: true }, { slots: chance.between(1, 4) }, { feeCap: coin / 4n }];
      return chance.pick(rules);
    },
  ),
  'roll-up fees': rollupFees,
  // The node keeps nothing of what pays less than the base fee, as Arbitrum's sequencer does.
  'cheap is refused': changes(simulatedChain, { refusesBelowBaseFee: false }, () => ({
    refusesBelowBaseFee: true,
  })),
  'deep reorg': deepReorg,
};
