import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tryConditionalWrite } from '../../../../functions/adapters/dynamodb/conditional-write.ts';
import { streamImage } from '../../../../functions/adapters/dynamodb/stream-image.ts';
import { ThrottledError } from '../../../../functions/domain/errors.ts';

const exceptionFields = { message: 'refused', $metadata: {} };

function canceled(...codes: string[]): Error {
  return new TransactionCanceledException({
    ...exceptionFields,
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** Makes a write that fails this many times before it succeeds. */
function failingWrite(error: Error, times: number) {
  let tries = 0;
  const write = async () => {
    if (tries++ < times) throw error;
  };
  return { write, tries: () => tries };
}

test('a write whose expectations hold returns true', async () => {
  expect(await tryConditionalWrite(async () => {})).toBe(true);
});

test.each([
  ['of a transaction', canceled('ConditionalCheckFailed')],
  ['of a transaction, beside a conflict,', canceled('None', 'TransactionConflict', 'ConditionalCheckFailed')],
  ['of a single write', new ConditionalCheckFailedException(exceptionFields)],
])('a failed expectation %s returns false, without a retry', async (_, error) => {
  const { write, tries } = failingWrite(error, 1);
  expect(await tryConditionalWrite(write)).toBe(false);
  expect(tries()).toBe(1);
});

test.each([
  ['a write with a conflict', canceled('None', 'TransactionConflict')],
  ['a throttled write', canceled('ThrottlingError')],
  ['a single write with a conflict', new TransactionConflictException(exceptionFields)],
])('%s is retried until the write succeeds', async (_, error) => {
  const { write, tries } = failingWrite(error, 3);
  expect(await tryConditionalWrite(write)).toBe(true);
  expect(tries()).toBe(4);
});

test('a conflict that lasts is reported as load', async () => {
  const { write } = failingWrite(canceled('TransactionConflict'), 1000);
  const waits: number[] = [];
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  await expect(tryConditionalWrite(write, wait)).rejects.toThrow(ThrottledError);
  expect(waits).toHaveLength(10);
  expect(Math.max(...waits)).toBeLessThan(10_000);
});

test.each([new Error('network'), canceled('ValidationError')])(
  'any other failure is thrown: %s',
  async (error) => {
    await expect(tryConditionalWrite(failingWrite(error, 1).write)).rejects.toBe(error);
  },
);

test('`streamImage` decodes a record from a stream, without its key', () => {
  const image = {
    ...{ pk: { S: 'o' }, sk: { S: 'i' } },
    text: { S: '' },
    number: { N: '-1.5' },
    flag: { BOOL: false },
    nothing: { NULL: true },
    bytes: { B: 'AQI=' },
    map: { M: { list: { L: [{ S: 'x' }, { N: '2' }] } } },
  };
  expect(streamImage(image)).toEqual({
    ...{ text: '', number: -1.5, flag: false, nothing: null },
    bytes: Buffer.from([1, 2]),
    map: { list: ['x', 2] },
  });
});
