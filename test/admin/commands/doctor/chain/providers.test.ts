import { expect, test } from 'vitest';
import { providersOf, withoutUrl } from '../../../../../admin/commands/doctor/chain/providers.ts';
import { FakeDeployment } from '../../fake-deployment.ts';

const url = 'https://user:pass-word@rpc.example.org/v3/0123456789abcdef?apikey=s%C3%A9cret-key';

test.each([
  `cannot reach ${url}`,
  'invalid project id 0123456789abcdef',
  'key sécret-key is over its limit',
  'key s%C3%A9cret-key is over its limit',
  'wrong pass-word',
])('nothing of a URL but its host is in a failure: %s', (text) => {
  const shown = withoutUrl(text, url);
  for (const secret of ['0123456789abcdef', 'sécret-key', 's%C3%A9cret-key', 'pass-word'])
    expect(shown).not.toContain(secret);
});

test('providers are named by their hosts, with a number where two have the same', async () => {
  const [chain] = (await new FakeDeployment().settings()).chains;
  if (!chain) throw new Error('no chain');
  const names = providersOf([url, 'https://other.example/x', 'https://rpc.example.org/y'], chain);
  expect(names.map(({ name }) => name)).toEqual([
    'rpc.example.org (1)',
    'other.example',
    'rpc.example.org (2)',
  ]);
});
