import { expect, test } from 'vitest';
import { expressionsOf } from '../../../../functions/adapters/dynamodb/expressions.ts';
import type { Key } from '../../../../functions/domain/records.ts';

const key: Key = { table: 'lanes', pk: 'a', sk: 'b' };

test('a plain put or remove needs no expressions', () => {
  expect(expressionsOf({ key, put: { a: 1 } })).toEqual({});
  expect(expressionsOf({ key, remove: true })).toEqual({});
});

test('expectations become one condition: equal, one of, absent', () => {
  expect(
    expressionsOf({ key, remove: true, expect: { a: 1, b: ['x', 'y'], c: undefined, d: null } }),
  ).toEqual({
    ConditionExpression: '#a = :v0 AND #b IN (:v1, :v2) AND attribute_not_exists(#c) AND #d = :v3',
    ExpressionAttributeNames: { '#a': 'a', '#b': 'b', '#c': 'c', '#d': 'd' },
    ExpressionAttributeValues: { ':v0': 1, ':v1': 'x', ':v2': 'y', ':v3': null },
  });
});

test('a record that must be absent or present is known by its key', () => {
  expect(expressionsOf({ key, put: {}, ifAbsent: true }).ConditionExpression).toBe(
    'attribute_not_exists(#pk)',
  );
  expect(expressionsOf({ key, set: { a: 1 }, ifPresent: true }).ConditionExpression).toBe(
    'attribute_exists(#pk)',
  );
});

test('fields are set, and removed when undefined', () => {
  expect(expressionsOf({ key, set: { status: 'failed', error: null, checkAt: undefined } })).toEqual({
    UpdateExpression: 'SET #status = :v0, #error = :v1 REMOVE #checkAt',
    ExpressionAttributeNames: { '#status': 'status', '#error': 'error', '#checkAt': 'checkAt' },
    ExpressionAttributeValues: { ':v0': 'failed', ':v1': null },
  });
});

test('amounts are added beside fields that are set and removed, and alone', () => {
  expect(expressionsOf({ key, set: { at: 1, gone: undefined }, add: { count: 2 } })).toEqual({
    UpdateExpression: 'SET #at = :v0 REMOVE #gone ADD #count :v1',
    ExpressionAttributeNames: { '#at': 'at', '#gone': 'gone', '#count': 'count' },
    ExpressionAttributeValues: { ':v0': 1, ':v1': 2 },
  });
  expect(expressionsOf({ key, set: {}, add: { count: 2 } }).UpdateExpression).toBe('ADD #count :v0');
});

test('a field may be expected and set at once', () => {
  expect(expressionsOf({ key, set: { run: 2 }, expect: { run: 1 } })).toEqual({
    ConditionExpression: '#run = :v0',
    UpdateExpression: 'SET #run = :v1',
    ExpressionAttributeNames: { '#run': 'run' },
    ExpressionAttributeValues: { ':v0': 1, ':v1': 2 },
  });
});
