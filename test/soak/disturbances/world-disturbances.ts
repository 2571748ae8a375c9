import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import type { AwsFaultKind } from '../../fakes/aws/aws-faults.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';
import { laggingRule, wrongChain } from '../../fakes/rpc/rpc-answers.ts';
import type { RpcRule } from '../../fakes/rpc/rpc-proxy.ts';
import type { SoakService } from '../run/context.ts';
import { simulatedChain } from './chain-disturbances.ts';
import {
  changeFields,
  type Disturbance,
  type Disturbances,
  gwei,
  onRealAdapters,
  onSimulatedChain,
} from './disturbance.ts';

/** Reverts every transaction that contains the commit of one attestation, or any form of its reveal. */
const poison = onSimulatedChain((chain, { choices }, publishers) => {
  const unconfirmed = publishers.unconfirmed();
  if (unconfirmed.length === 0) return undefined;
  const attestation = choices.pick(unconfirmed);
  const kind = choices.pick(['commit', 'reveal'] as const);
  const { data } = registryCall(attestation, kind);
  const poisoned = kind === 'reveal' ? [data, attestation.digest] : [data];
  for (const part of poisoned) chain.revertCauses.add(part);
  return () => {
    for (const part of poisoned) chain.revertCauses.delete(part);
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
const writesRepeated = changeFields(inMemory, { repeatsUpdate: () => false }, (choices) => ({
  repeatsUpdate: () => choices.oneIn(4),
}));

const executionsDescribedLate: Disturbance = ({ service: { machines }, choices }) => {
  machines.describeLagSeconds = choices.pick([1, 5, 60]);
  return () => {
    machines.describeLagSeconds = 0;
  };
};

/** Disturbances of fakes: the simulated chain, keys, records and executions. */
export const simulatedDisturbances: Disturbances = {
  'everything reverts': changeFields(simulatedChain, { revertsAll: false }, (choices) => ({
    revertsAll: choices.pick([true]),
  })),
  'batches revert': changeFields(simulatedChain, { maxOperations: Number.POSITIVE_INFINITY }, (choices) => ({
    maxOperations: choices.pick([0, 1, 2, 5]),
  })),
  'gas runs out': changeFields(simulatedChain, { gasPerOperation: 100_000n }, (choices) => ({
    gasPerOperation: choices.pick([150_000n, 300_000n]),
  })),
  'recent tips': changeFields(simulatedChain, { tip: gwei }, (choices) => ({
    tip: choices.pick([0n, 1n, 20n * gwei]),
  })),
  poison,
  'keys are down': keysAreDown,
  // Indexes lack the writes of the last seconds or minutes.
  'indexes lag': changeFields(
    (world) => inMemory(world)?.indexes,
    { lagSeconds: 0 },
    (choices) => ({ lagSeconds: choices.pick([1, 10, 120]) }),
  ),
  'writes repeated': writesRepeated,
  'executions described late': executionsDescribedLate,
};

/** Makes some of the next requests to AWS fail, counting each attempt of the SDK. */
const failRequests = (kind: AwsFaultKind, command?: string): Disturbance =>
  onRealAdapters(({ aws }, { choices }) => {
    const range = { nth: choices.between(1, 20), times: choices.between(1, 6) };
    aws.inject({ kind, ...range, ...(command === undefined ? {} : { command }) });
    return () => aws.clear();
  });

const kmsIsDown = onRealAdapters(({ aws }) => {
  aws.inject({ kind: 'refused', command: 'Sign', times: Number.MAX_SAFE_INTEGER });
  return () => aws.clear();
});

/** Adds a rule to one of the providers. */
const atOneProvider = (rule: RpcRule): Disturbance =>
  onRealAdapters(({ providers }, { choices }) => choices.pick(providers).addRule(rule));

/** Disturbances between the real adapters and their services. */
export const realDisturbances: Disturbances = {
  'AWS throttles': failRequests('throttled'),
  'AWS conflicts': failRequests('conflict', 'TransactWriteItems'),
  'AWS answers lost': failRequests('answer lost'),
  'killed before AWS': failRequests('killed before'),
  'killed after AWS': failRequests('killed after'),
  'KMS is down': kmsIsDown,
  'one provider sends garbage': atOneProvider({ fault: { kind: 'garbage' } }),
  'one provider is down': atOneProvider({ fault: { kind: 'refused', status: 503 } }),
  'one provider lags': atOneProvider(laggingRule(2)),
  'one provider serves another chain': atOneProvider(wrongChain(1)),
};
