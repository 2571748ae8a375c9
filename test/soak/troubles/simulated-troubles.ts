import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';
import { simulated } from './simulated.ts';
import { gwei, type Trouble, type Troubles } from './trouble.ts';

const usual = {
  revertsAll: false,
  revertsBatchesAbove: Number.POSITIVE_INFINITY,
  gasPerCall: 100_000n,
  tip: gwei,
};

/** Changes a figure of the chain for a while. */
const other = <Name extends keyof typeof usual>(name: Name, values: readonly (typeof usual)[Name][]) =>
  simulated((chain, { chance }) => {
    Object.assign(chain, { [name]: chance.pick(values) });
    return () => Object.assign(chain, { [name]: usual[name] });
  });

/** Makes every transaction revert that holds one call of an open attestation, its commit, or its reveal in any form. */
const poison = simulated((chain, { chance }, { posted }) => {
  const open = posted.flatMap(({ attestation, confirmed }) =>
    attestation && !confirmed ? [attestation] : [],
  );
  if (open.length === 0) return undefined;
  const attestation = chance.pick(open);
  const kind = chance.pick(['commit', 'reveal'] as const);
  const { data } = registryCall(attestation, kind);
  const poisoned = kind === 'reveal' ? [data, attestation.digest] : [data];
  for (const one of poisoned) chain.poison.add(one);
  return () => {
    for (const one of poisoned) chain.poison.delete(one);
  };
});

const keysAreDown: Trouble = ({ service: { world } }) => {
  const keys = [world.signer, ...world.signers.values()].filter((key) => key instanceof FakeSigner);
  if (keys.length === 0) return undefined;
  for (const key of keys) key.failure = new Error('KMS is down');
  return () => {
    for (const key of keys) key.failure = undefined;
  };
};

/** Indexes show nothing of what was written in the last seconds or minutes. */
const indexesLag: Trouble = ({ service: { world }, chance }) => {
  const { records } = world;
  if (!(records instanceof MemoryRecords)) return undefined;
  records.indexes.lagSeconds = chance.pick([1, 10, 120]);
  return () => {
    records.indexes.lagSeconds = 0;
  };
};

/** The SDK makes some single writes twice. */
const writesRepeated: Trouble = ({ service: { world }, chance }) => {
  const { records } = world;
  if (!(records instanceof MemoryRecords)) return undefined;
  records.repeatsUpdate = () => chance.oneIn(4);
  return () => {
    records.repeatsUpdate = () => false;
  };
};

const executionsDescribedLate: Trouble = ({ service: { machines }, chance }) => {
  machines.describeLagSeconds = chance.pick([1, 5, 60]);
  return () => {
    machines.describeLagSeconds = 0;
  };
};

/** Troubles that no real chain and no real KMS can be made to cause. */
export const simulatedTroubles: Troubles = {
  'all reverts': other('revertsAll', [true]),
  'batches revert': other('revertsBatchesAbove', [0, 1, 2, 5]),
  'gas runs out': other('gasPerCall', [150_000n, 300_000n]),
  'recent tips': other('tip', [0n, 1n, 20n * gwei]),
  poison,
  'keys are down': keysAreDown,
  'indexes lag': indexesLag,
  'writes repeated': writesRepeated,
  'executions described late': executionsDescribedLate,
};
