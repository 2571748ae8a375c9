import { expect, test } from 'vitest';
import { contentGuard } from '../../../functions/domain/attestation/attestation-records.ts';
import { contentPart } from '../../../functions/domain/attestation/content-records.ts';
import { laneName, queueName } from '../../../functions/domain/lane/lane.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { lastRoundRecord } from '../../../functions/domain/lane/rounds.ts';
import { signersRecord } from '../../../functions/domain/lane/signers.ts';
import { unitsByKind } from './partition-kinds.ts';

const [signer, delegateAddress, authorityAddress] = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
  '0x3333333333333333333333333333333333333333',
] as const;

const owner = {
  lane: laneName(1, signer),
  queue: { chainId: 1, delegateAddress },
  publishers: [{ organizationId: 'organisation', authorityAddress }],
};

const units = { read: 2, write: 4 };

test('knows every partition that an attestation goes through by its key', () => {
  const operation = { organizationId: 'organisation', id: 'id', kind: 'commit' } as const;
  const uses = [
    { table: 'attestations', pk: 'organisation', units },
    { ...contentGuard('organisation', 1, 'cid'), units },
    { ...contentPart('organisation', 'cid', 0), units },
    { table: 'lanes', pk: owner.lane, units },
    { ...queuedOperation(queueName(owner.queue), operation), units },
    { ...lastRoundRecord(owner.queue, 'organisation'), units },
    { ...signersRecord(1), units },
    { table: 'due', pk: 'due', units },
    { table: 'inFlight', pk: 'organisation', units },
  ] as const;
  const once = { read: 1, write: 2 };
  expect(unitsByKind(owner, uses, 2)).toEqual({
    ...{
      organisation: once,
      content: units,
      lane: once,
      queue: once,
      round: once,
      signers: once,
      'sweep index': once,
    },
    'in-flight index': once,
  });
});

test('has nothing of a partition that nothing was asked of', () => {
  expect(unitsByKind(owner, [], 2).queue).toEqual({ read: 0, write: 0 });
});
