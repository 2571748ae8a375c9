import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { SimulatedChain } from '../../fakes/chain/simulated-chain.ts';
import type { SoakService, Stage } from '../life/stage.ts';
import { gwei, passes, type Trouble, type Troubles } from './trouble.ts';

type SoakChain = SoakService['world']['chain'];

const usualBaseFee = 10n * gwei;

type Flag = 'unreachable' | 'losesSendAnswers' | 'forgetsSent' | 'hidesReceipts';

const flag =
  (name: Flag): Trouble =>
  ({ service: { world } }) => {
    world.chain[name] = true;
    return () => {
      world.chain[name] = false;
    };
  };

function setBaseFee(chain: SoakChain, baseFee: bigint): unknown {
  if (!(chain instanceof SimulatedChain)) return chain.setBaseFee(baseFee);
  chain.baseFee = baseFee;
}

/** Raises the base fee up to ten times, or above every cap. */
const baseFeeJumps: Trouble = async ({ service: { world }, chance }) => {
  await setBaseFee(world.chain, BigInt(chance.pick([20, 50, 100, 300])) * gwei);
  return () => setBaseFee(world.chain, usualBaseFee);
};

const minersWantTips: Trouble = ({ service: { world }, chance }) => {
  world.chain.minTip = chance.pick([1n, gwei, 3n * gwei, 40n * gwei]);
  return () => {
    world.chain.minTip = 0n;
  };
};

const providerLags: Trouble = ({ service: { world }, chance }) => {
  world.chain.lagBlocks = chance.between(1, 4);
  return () => {
    world.chain.lagBlocks = 0;
  };
};

/** Replaces blocks above the final ones, in any of the ways in which that happens. */
const reorganisation: Trouble = async ({ service: { world }, scenario, chance }) => {
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

async function poor(stage: Stage, wei: bigint): Promise<() => Promise<void>> {
  const { chain, lanes } = stage.service.world;
  const rich = 10n ** 23n;
  const accounts = (await lanes()).map(({ lane }) => parseLane(lane).signerAddress);
  for (const account of accounts) await chain.setBalance(account, wei);
  return async () => {
    for (const account of accounts) await chain.setBalance(account, rich);
  };
}

/** Leaves no balance, enough for a transaction or two, or hardly enough for one. */
const balanceRunsOut: Trouble = (stage) =>
  poor(stage, stage.chance.pick([0n, 10n ** 15n, 3n * 10n ** 15n, 10n ** 16n]));

/** Troubles of simulated and of real chains. */
export const chainTroubles: Troubles = {
  unreachable: flag('unreachable'),
  'send answers lost': flag('losesSendAnswers'),
  'sends forgotten': flag('forgetsSent'),
  'receipts hidden': flag('hidesReceipts'),
  'base fee jumps': baseFeeJumps,
  'miners want tips': minersWantTips,
  'provider lags': providerLags,
  reorganisation,
  'pool forgets': poolForgets,
  'balance runs out': balanceRunsOut,
};
