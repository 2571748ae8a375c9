import { expect, test } from 'vitest';
import { retryName } from '../../../../functions/adapters/aws/client.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';

const named = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });

test.each([
  named('ThrottlingException'),
  named('ProvisionedThroughputExceededException'),
  named('InternalServerError', { $fault: 'server' }),
  named('Error', { code: 'ECONNRESET' }),
])('what passes by itself is told as load: %s', (error) => {
  expect(retryName(error)).toBe('ThrottledError');
});

test('anything else keeps its name', () => {
  expect(retryName(new ChainUnreachableError(1))).toBe('ChainUnreachableError');
  expect(retryName(named('AccessDeniedException', { $fault: 'client' }))).toBe('AccessDeniedException');
  expect(retryName('a text')).toBe('Error');
});
