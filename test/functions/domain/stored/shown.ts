import { hexToBytes } from 'viem';
import { expect } from 'vitest';
import type { Payload, Transaction } from '../../../../functions/domain/lane/lane.ts';
import { changeTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import type { Fields, Key } from '../../../../functions/domain/records.ts';
import { type RecordKind, readStored } from './read-stored.ts';

/** What reading a record gives, from the record alone. */
const shown: Partial<Record<RecordKind, (key: Key, fields: Fields) => unknown>> = {
  attestation: ({ pk, sk }, fields) => ({ ...fields, organizationId: pk, id: sk }),
  'content guard': (_, { id }) => id,
  'content part': () => 'An article.',
  metadata: (_, { json }) => String(json),
  usage: (_, { accepted, links = 0 }) => ({ accepted, links }),
  'fee usage': (_, { gwei }) => BigInt(Number(gwei)) * 1_000_000_000n,
  lane: ({ pk }, fields) => ({ ...fields, lane: pk }),
  organization: (_, { revision, ...organization }) => ({
    ...{ organization, revision, next: Number(revision ?? 0) + 1 },
  }),
  'audit entry': ({ sk }, fields) => ({ ...fields, id: sk }),
};

/** What is written back of a transaction that nothing changed. */
function writtenBack(read: unknown): Fields {
  const [change] = changeTransaction(read as Transaction, {}, new Date(0));
  const { version, expiresAt: _, ...fields } = change && 'put' in change ? change.put : {};
  return { ...fields, version: Number(version) - 1 };
}

/** That a record is read, and as what it says. */
export async function expectRead(kind: RecordKind, key: Key, fields: Fields): Promise<void> {
  const read = await readStored(kind, key, fields);
  const { expiresAt: _, ...kept } = fields;
  if (kind === 'transaction') expect(writtenBack(read)).toEqual(kept);
  else if (kind === 'payload') {
    const { operations, data } = read as Payload;
    expect({ operations, data: hexToBytes(data) }).toEqual(kept);
  } else expect(read).toEqual(shown[kind]?.(key, fields) ?? fields);
}
