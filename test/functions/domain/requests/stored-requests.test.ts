import { usageRecord } from '../../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../../functions/domain/organization/fee-usage.ts';
import { knownDelegationRecord } from '../../../../functions/domain/requests/delegation.ts';
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
  ...{ optional: ['accepted', 'links'], narrow: [] },
});

describeKind({
  kind: 'fee usage',
  key: feeUsageRecord(organizationId, 1, createdAt),
  fields: { gwei: 2_000_001 },
  ...{ optional: [], narrow: ['gwei'] },
});
