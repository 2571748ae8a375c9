import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tryConditionalWrite } from '../../../../functions/adapters/dynamodb/conditional-write.ts';
import { streamImage } from '../../../../functions/adapters/dynamodb/stream-image.ts';
import { ThrottledError } from '../../../../functions/domain/errors.ts';

const about = { message: 'refused', $metadata: {} };

function cancelled(...codes: string[]): Error {
  return new TransactionCanceledException({
    ...about,
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
}

/** A write that fails so often before it takes. */
function failing(error: Error, times: number) {
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
  ['without others', cancelled('ConditionalCheckFailed')],
  ['beside others', cancelled('None', 'TransactionConflict', 'ConditionalCheckFailed')],
  ['of a single write', new ConditionalCheckFailedException(about)],
])('a failed expectation %s returns false, without a retry', async (_, error) => {
  const { write, tries } = failing(error, 1);
  expect(await tryConditionalWrite(write)).toBe(false);
  expect(tries()).toBe(1);
});

test.each([
  ['a conflict', cancelled('None', 'TransactionConflict')],
  ['throttling', cancelled('ThrottlingError')],
  ['a conflict of a single write', new TransactionConflictException(about)],
])('%s is retried until it passes', async (_, error) => {
  const { write, tries } = failing(error, 3);
  expect(await tryConditionalWrite(write)).toBe(true);
  expect(tries()).toBe(4);
});

test('a lasting conflict is reported as load', async () => {
  const { write } = failing(cancelled('TransactionConflict'), 1000);
  const waits: number[] = [];
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  await expect(tryConditionalWrite(write, wait)).rejects.toThrow(ThrottledError);
  expect(waits).toHaveLength(10);
  expect(Math.max(...waits)).toBeLessThan(10_000);
});

test.each([new Error('network'), cancelled('ValidationError')])(
  'any other failure is thrown: %s',
  async (error) => {
    await expect(tryConditionalWrite(failing(error, 1).write)).rejects.toBe(error);
  },
);

test('a record is read as the stream of its table shows it, without its key', () => {
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
