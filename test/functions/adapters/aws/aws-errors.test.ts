import { expect, test } from 'vitest';
import { nameForRetry } from '../../../../functions/adapters/aws/client.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';

const named = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });

test.each([
  named('ThrottlingException'),
  named('ProvisionedThroughputExceededException'),
  named('InternalServerError', { $fault: 'server' }),
  named('Error', { code: 'ECONNRESET' }),
])('what passes by itself is told as load: %s', (error) => {
  expect(nameForRetry(error)).toBe('ThrottledError');
});

test('anything else keeps its name', () => {
  expect(nameForRetry(new ChainUnreachableError(1))).toBe('ChainUnreachableError');
  expect(nameForRetry(named('AccessDeniedException', { $fault: 'client' }))).toBe('AccessDeniedException');
  expect(nameForRetry('a text')).toBe('Error');
});
