import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  knownDelegationRecord,
  rememberDelegation,
  rememberedDelegate,
} from '../../../../functions/domain/requests/delegation.ts';
import {
  acceptedCount,
  countAccepted,
  usageRecord,
} from '../../../../functions/domain/requests/usage-limits.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';
import { address } from '../stored/arbitraries.ts';
import { describeKind } from '../stored/describe-kind.ts';

const organizationId = 'paper';
const createdAt = '2026-01-01T00:00:00.000Z';

describeKind({
  kind: 'delegation',
  key: knownDelegationRecord(organizationId, 1),
  fields: { delegateAddress: `0x${'1'.repeat(40)}` },
  ...{ optional: [], narrow: ['delegateAddress'] },
});

describeKind({
  kind: 'usage',
  key: usageRecord(organizationId, createdAt),
  fields: { accepted: 2 },
  ...{ optional: [], narrow: [] },
});

test('a delegation is read as it was remembered', async () => {
  await fc.assert(
    fc.asyncProperty(address, async (delegateAddress) => {
      const { services, records } = makeWorld();
      const of = { organizationId, chainId: 1 };
      await rememberDelegation(services, of, undefined, delegateAddress);
      const stored = records.peek(knownDelegationRecord(organizationId, 1)) ?? {};
      expect(rememberedDelegate(stored)).toBe(delegateAddress);
    }),
    { numRuns: 10 },
  );
});

test('what was accepted in a day is read as it was counted, and is nothing before', async () => {
  const world = makeWorld();
  expect(acceptedCount(undefined)).toBe(0);
  const { attestation } = await world.create(alice, 'An article.');
  await countAccepted(world.services, attestation);
  const key = usageRecord(alice.organizationId, attestation.createdAt);
  expect(acceptedCount(world.records.peek(key))).toBe(2);
});
