import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUsage, usageRecord } from '../../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../../functions/domain/organization/fee-usage.ts';
import {
  knownDelegationRecord,
  rememberDelegation,
  rememberedDelegation,
} from '../../../../functions/domain/requests/delegation.ts';
import { countAccepted } from '../../../../functions/domain/requests/usage-limits.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';
import { address } from '../stored/arbitraries.ts';
import { describeKind } from '../stored/describe-kind.ts';

const organizationId = 'paper';
const createdAt = '2026-01-01T00:00:00.000Z';

describeKind({
  kind: 'delegation',
  key: knownDelegationRecord(organizationId, 1),
  fields: { delegateAddress: `0x${'1'.repeat(40)}`, registryAddress: `0x${'2'.repeat(40)}` },
  ...{ optional: [], narrow: ['delegateAddress', 'registryAddress'] },
});

describeKind({
  kind: 'usage',
  key: usageRecord(organizationId, createdAt),
  fields: { accepted: 2, links: 1 },
  ...{ optional: ['links'], narrow: [] },
});

describeKind({
  kind: 'fee usage',
  key: feeUsageRecord(organizationId, 1, createdAt),
  fields: { gwei: 2_000_001 },
  ...{ optional: [], narrow: ['gwei'] },
});

test('a delegation is read as it was remembered', async () => {
  await fc.assert(
    fc.asyncProperty(address, address, async (registryAddress, delegateAddress) => {
      const { services, records } = makeWorld();
      const of = { organizationId, chainId: 1 };
      const seen = { registryAddress, delegateAddress };
      await rememberDelegation(services, of, undefined, { ...seen, active: true });
      const stored = () => records.peek(knownDelegationRecord(organizationId, 1));
      expect(rememberedDelegation(stored() ?? {})).toEqual(seen);
      await rememberDelegation(services, of, seen, { ...seen, active: false });
      expect(stored()).toBeUndefined();
    }),
    { numRuns: 10 },
  );
});

test('what was accepted in a day is read as it was counted, and is nothing before', async () => {
  const world = makeWorld();
  expect(parseUsage(undefined)).toEqual({ accepted: 0, links: 0 });
  const { attestation } = await world.create(alice, 'An article.');
  await countAccepted(world.services, attestation, { accepted: 1 });
  const counted = () =>
    parseUsage(world.records.peek(usageRecord(alice.organizationId, attestation.createdAt)));
  expect(counted()).toEqual({ accepted: 2, links: 0 });
  await countAccepted(world.services, attestation, { links: 1 });
  expect(counted()).toEqual({ accepted: 2, links: 1 });
});

test('links alone are counted beside no attestations, which a function of before reads', async () => {
  const { services, records, clock } = makeWorld();
  await countAccepted(services, { organizationId, id: 'id' }, { links: 1 });
  expect(records.peek(usageRecord(organizationId, clock.now().toISOString()))).toMatchObject({ accepted: 0 });
});
