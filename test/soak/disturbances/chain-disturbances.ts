import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { SimulatedNode } from '../../fakes/chain/branches.ts';
import { PoolRules } from '../../fakes/chain/mempool.ts';
import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { SoakService } from '../run/context.ts';
import type { SeededChoices } from '../run/scenario.ts';
import {
  changeFields,
  type Disturbance,
  type Disturbances,
  gwei,
  noRepair,
  onSimulatedChain,
} from './disturbance.ts';

type SoakChain = SoakService['world']['chain'];

const usualBaseFee = 10n * gwei;

const setFlag = (name: 'unreachable' | 'losesSendAnswers' | 'forgetsSent' | 'hidesReceipts'): Disturbance =>
  changeFields(
    ({ chain }) => chain,
    { [name]: false },
    () => ({ [name]: true }),
  );

function setBaseFee(chain: SoakChain, baseFee: bigint): unknown {
  if (!(chain instanceof SimulatedChain)) return chain.setBaseFee(baseFee);
  chain.baseFee = baseFee;
}

/** Raises the base fee up to tenfold, or above every cap. */
const baseFeeJumps: Disturbance = async ({ service: { world }, choices }) => {
  await setBaseFee(world.chain, BigInt(choices.pick([20, 50, 100, 300])) * gwei);
  return () => setBaseFee(world.chain, usualBaseFee);
};

/** Replaces blocks above the final ones, in one of several ways. */
const reorg: Disturbance = async ({ service: { world }, scenario, choices }) => {
  const deepest = Math.min(3, scenario.given.confirmations - 1);
  const options = choices.pick([{}, { drop: true }, { remine: true }, { delaySeconds: choices.below(4) }]);
  if (deepest === 0) return undefined;
  await world.chain.reorganize(choices.between(1, deepest), options);
  return noRepair;
};

const poolForgets: Disturbance = ({ service: { world }, choices }) => {
  const { mempool } = world.chain;
  const forgotten = mempool.nonces().filter(() => choices.oneIn(2));
  for (const nonce of forgotten) mempool.drop(nonce);
  return forgotten.length > 0 ? noRepair : undefined;
};

/** Reduces the balances to zero, or to an amount that pays for few transactions. */
const balanceRunsOut: Disturbance = async ({ service, choices }) => {
  const { chain, lanes } = service.world;
  const wei = choices.pick([0n, 10n ** 15n, 3n * 10n ** 15n, 10n ** 16n]);
  const accounts = (await lanes()).map(({ lane }) => parseLane(lane).signerAddress);
  const setAll = async (balance: bigint) => {
    for (const account of accounts) await chain.setBalance(account, balance);
  };
  await setAll(wei);
  return () => setAll(10n ** 23n);
};

export const chainDisturbances: Disturbances = {
  unreachable: setFlag('unreachable'),
  'send answers lost': setFlag('losesSendAnswers'),
  'sends forgotten': setFlag('forgetsSent'),
  'receipts hidden': setFlag('hidesReceipts'),
  'base fee jumps': baseFeeJumps,
  'miners want tips': changeFields(
    ({ chain }): { minTip: bigint } => chain,
    { minTip: 0n },
    (choices) => ({ minTip: choices.pick([1n, gwei, 3n * gwei, 40n * gwei]) }),
  ),
  'provider lags': changeFields(
    ({ chain }): { lagBlocks: number } => chain,
    { lagBlocks: 0 },
    (choices) => ({ lagBlocks: choices.between(1, 4) }),
  ),
  reorg,
  'pool forgets': poolForgets,
  'balance runs out': balanceRunsOut,
};

const healthy = new SimulatedNode();

/** Changes the answers of some nodes, or of all, for a while. */
const changeNodes = (
  changed: (chain: SimulatedChain, choices: SeededChoices) => Partial<SimulatedNode>,
): Disturbance =>
  onSimulatedChain((chain, { choices }) => {
    const isAll = choices.oneIn(3);
    const nodes = chain.nodes.filter(() => isAll || choices.oneIn(2));
    const names = nodes.flatMap((node) => {
      const change = changed(chain, choices);
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

/** Replaces blocks that are not final. Some nodes keep the replaced blocks for a while. */
const staleFork = onSimulatedChain((chain, { scenario, choices }) => {
  const deepest = Math.min(3, scenario.given.confirmations - 1);
  if (deepest === 0) return undefined;
  chain.reorganize(choices.between(1, deepest), choices.pick([{}, { drop: true }, { delaySeconds: 2 }]));
  const nodes = chain.nodes.filter(() => choices.oneIn(2));
  for (const node of nodes) node.isOnStaleFork = true;
  return () => {
    for (const node of nodes) node.isOnStaleFork = false;
  };
});

export const deepReorg = onSimulatedChain((chain, { scenario, choices }) => {
  const { confirmations } = scenario.given;
  const depth = Math.min(chain.newest.number, choices.between(confirmations, confirmations + 6));
  const options = [{}, { drop: true }, { remine: true }, { delaySeconds: choices.below(4) }];
  chain.reorganize(depth, choices.pick(options));
  return noRepair;
});

export const simulatedChain = ({ chain }: { readonly chain: SoakChain }): SimulatedChain | undefined =>
  chain instanceof SimulatedChain ? chain : undefined;

const coin = 10n ** 18n;

/** The chain charges more than gas for each transaction, like OP Stack rollups. */
const rollupFees = changeFields(simulatedChain, { rollupFees: undefined }, (choices) => {
  const dataFee = 10n ** BigInt(choices.between(12, 15));
  return { rollupFees: { dataFee, operatorFeeConstant: 10n ** 9n, operatorFeePerMillionGas: 10n ** 12n } };
});

/** Disturbances of a simulated chain and its nodes. */
export const nodeDisturbances: Disturbances = {
  'nodes lag': changeNodes((_, choices) => ({ lagBlocks: choices.between(1, 5) })),
  'heads are stale': changeNodes(({ newest }, choices) => ({ stalledAt: newest.number - choices.below(2) })),
  'final block is stale': changeNodes(({ newest, settings }, choices) => ({
    finalStalledAt: newest.number - settings.confirmations + 1 - choices.below(3),
  })),
  'nodes are down': changeNodes(() => ({ unreachable: true })),
  'receipts pruned': changeNodes((_, choices) => ({ receiptsKept: choices.between(1, 20) })),
  'stale fork': staleFork,
  // The node is stricter than others: no nonce gaps, few transactions per account, or only cheap ones.
  'pool is strict': changeFields(
    (world) => simulatedChain(world)?.poolRules,
    new PoolRules(),
    (choices) => {
      const rules = [{ refusesGaps: true }, { slots: choices.between(1, 4) }, { feeCap: coin / 4n }];
      return choices.pick(rules);
    },
  ),
  'rollup fees': rollupFees,
  // The node rejects fees below the base fee, like Arbitrum's sequencer.
  'low fees refused': changeFields(simulatedChain, { refusesBelowBaseFee: false }, () => ({
    refusesBelowBaseFee: true,
  })),
  'deep reorg': deepReorg,
};
