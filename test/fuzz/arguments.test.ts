import { expect, test } from 'vitest';
import { parseFuzzOptions } from './arguments.ts';

const variables = { IMPRIMATUR_API_KEY: 'imp_test_x' };

test('without options a stack of its own is asked 2,000 times, with any seed', () => {
  expect(parseFuzzOptions([], variables)).toEqual({
    ...{ cases: 2000, seed: undefined, target: undefined, json: false },
  });
});

test('a service is named by its URL, and its key by the environment', () => {
  const argv = ['--cases', '5', '--seed', '0', '--url', 'https://a.example/live/', '--json'];
  expect(parseFuzzOptions(argv, variables)).toEqual({
    ...{ cases: 5, seed: 0, json: true },
    target: { apiUrl: 'https://a.example/live', apiKey: 'imp_test_x' },
  });
});

test.each([
  ['no key', ['--url', 'https://a.example'], {}, /IMPRIMATUR_API_KEY/],
  ['an empty key', ['--url', 'https://a.example'], { IMPRIMATUR_API_KEY: '' }, /IMPRIMATUR_API_KEY/],
  ['another scheme', ['--url', 'ftp://a.example'], variables, /--url must be/],
  ['no URL', ['--url', 'a'], variables, /--url must be/],
  ['no cases', ['--cases', '0'], variables, /--cases must be/],
  ['a key as an option', ['--api-key', 'x'], variables, /--api-key/],
])('%s is refused in a line that says so', (_, argv, environment, line) => {
  expect(() => parseFuzzOptions(argv, environment)).toThrow(line);
});

test.each(['--help', '-h'])('%s asks for help alone', (option) => {
  expect(parseFuzzOptions([option], {})).toBeUndefined();
});
