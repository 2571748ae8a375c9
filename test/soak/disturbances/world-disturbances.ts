import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import type { AwsFaultKind } from '../../fakes/aws/aws-faults.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';
import { laggingRule, wrongChain } from '../../fakes/rpc/rpc-answers.ts';
import type { RpcRule } from '../../fakes/rpc/rpc-proxy.ts';
import type { SoakService } from '../run/context.ts';
import { simulatedChain } from './chain-disturbances.ts';
import { changes, type Disturbance, type Disturbances, gwei, real, simulated } from './disturbance.ts';

/** Reverts every transaction with one call of an open attestation, its commit or any form of its reveal. */
const poison = simulated((chain, { choices }, publishers) => {
  const open = publishers.open();
  if (open.length === 0) return undefined;
  const attestation = choices.pick(open);
  const kind = choices.pick(['commit', 'reveal'] as const);
  const { data } = registryCall(attestation, kind);
  const poisoned = kind === 'reveal' ? [data, attestation.digest] : [data];
  for (const one of poisoned) chain.revertCauses.add(one);
  return () => {
    for (const one of poisoned) chain.revertCauses.delete(one);
  };
});

const keysAreDown: Disturbance = ({ service: { world } }) => {
  const keys = [world.signer, ...world.signers.values()].filter((key) => key instanceof FakeSigner);
  if (keys.length === 0) return undefined;
  for (const key of keys) key.failure = new Error('KMS is down');
  return () => {
    for (const key of keys) key.failure = undefined;
  };
};

const inMemory = ({ records }: SoakService['world']) =>
  records instanceof MemoryRecords ? records : undefined;

/** The SDK makes some single writes twice. */
const writesRepeated = changes(inMemory, { repeatsUpdate: () => false }, (choices) => ({
  repeatsUpdate: () => choices.oneIn(4),
}));

const executionsDescribedLate: Disturbance = ({ service: { machines }, choices }) => {
  machines.describeLagSeconds = choices.pick([1, 5, 60]);
  return () => {
    machines.describeLagSeconds = 0;
  };
};

/** Disturbances that are impossible on a real chain or KMS. */
export const simulatedDisturbances: Disturbances = {
  'all reverts': changes(simulatedChain, { revertsAll: false }, (choices) => ({
    revertsAll: choices.pick([true]),
  })),
  'batches revert': changes(simulatedChain, { revertsBatchesAbove: Number.POSITIVE_INFINITY }, (choices) => ({
    revertsBatchesAbove: choices.pick([0, 1, 2, 5]),
  })),
  'gas runs out': changes(simulatedChain, { gasPerCall: 100_000n }, (choices) => ({
    gasPerCall: choices.pick([150_000n, 300_000n]),
  })),
  'recent tips': changes(simulatedChain, { tip: gwei }, (choices) => ({
    tip: choices.pick([0n, 1n, 20n * gwei]),
  })),
  poison,
  'keys are down': keysAreDown,
  // Indexes lack the writes of the last seconds or minutes.
  'indexes lag': changes(
    (world) => inMemory(world)?.indexes,
    { lagSeconds: 0 },
    (choices) => ({ lagSeconds: choices.pick([1, 10, 120]) }),
  ),
  'writes repeated': writesRepeated,
  'executions described late': executionsDescribedLate,
};

/** Makes some of the next requests to AWS fail, counting each attempt of the SDK. */
const requests = (kind: AwsFaultKind, command?: string): Disturbance =>
  real(({ aws }, { choices }) => {
    const which = { nth: choices.between(1, 20), times: choices.between(1, 6) };
    aws.inject({ kind, ...which, ...(command === undefined ? {} : { command }) });
    return () => aws.clear();
  });

const kmsIsDown = real(({ aws }) => {
  aws.inject({ kind: 'refused', command: 'Sign', times: Number.MAX_SAFE_INTEGER });
  return () => aws.clear();
});

/** Makes one of several providers answer with garbage, for another chain, or with old blocks. */
const oneProvider = (rule: RpcRule): Disturbance =>
  real(({ providers }, { choices }) => choices.pick(providers).addRule(rule));

/** Disturbances between the real adapters and their services. */
export const realDisturbances: Disturbances = {
  'AWS throttles': requests('throttled'),
  'AWS conflicts': requests('conflict', 'TransactWriteItems'),
  'AWS answers lost': requests('answer lost'),
  'killed before AWS': requests('killed before'),
  'killed after AWS': requests('killed after'),
  'KMS is down': kmsIsDown,
  'one provider sends garbage': oneProvider({ fault: { kind: 'garbage' } }),
  'one provider is down': oneProvider({ fault: { kind: 'refused', status: 503 } }),
  'one provider lags': oneProvider(laggingRule(2)),
  'one provider serves another chain': oneProvider(wrongChain(1)),
};
