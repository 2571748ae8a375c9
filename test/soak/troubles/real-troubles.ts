import type { AwsFaultKind } from '../../fakes/aws/aws-faults.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import { stale, wrongChain } from '../../fakes/rpc/rpc-answers.ts';
import type { RpcRule } from '../../fakes/rpc/rpc-proxy.ts';
import type { Stage } from '../life/stage.ts';
import type { End, Trouble, Troubles } from './trouble.ts';

/** Makes a trouble of real adapters only. */
const real =
  (trouble: (world: RealWorld, stage: Stage) => End): Trouble =>
  (stage) => {
    const { world } = stage.service;
    return 'aws' in world ? trouble(world, stage) : undefined;
  };

/** Makes some of the next requests to AWS fail, each attempt of the SDK's counted alone. */
const requests = (kind: AwsFaultKind, command?: string): Trouble =>
  real(({ aws }, { chance }) => {
    const which = { nth: chance.between(1, 20), times: chance.between(1, 6) };
    aws.inject({ kind, ...which, ...(command === undefined ? {} : { command }) });
    return () => aws.clear();
  });

const longerThanAnyTrouble = 1_000_000;

const kmsIsDown = real(({ aws }) => {
  aws.inject({ kind: 'refused', command: 'Sign', times: longerThanAnyTrouble });
  return () => aws.clear();
});

/** Makes one provider of several answer with garbage, for another chain, or as of some blocks ago. */
const oneProvider = (rule: RpcRule): Trouble =>
  real(({ providers }, { chance }) => chance.pick(providers).set(rule));

export const realTroubles: Troubles = {
  'AWS throttles': requests('throttled'),
  'AWS conflicts': requests('conflict', 'TransactWriteItems'),
  'AWS answers lost': requests('answer lost'),
  'killed before AWS': requests('killed before'),
  'killed after AWS': requests('killed after'),
  'KMS is down': kmsIsDown,
  'one provider sends garbage': oneProvider({ fault: { kind: 'garbage' } }),
  'one provider is down': oneProvider({ fault: { kind: 'refused', status: 503 } }),
  'one provider lags': oneProvider(stale(2)),
  'one provider serves another chain': oneProvider(wrongChain(1)),
};
