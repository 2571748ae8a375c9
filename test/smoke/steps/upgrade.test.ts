import { expect, test } from 'vitest';
import { watchUpgrade } from './upgrade.ts';

const versions = (version: string, shares: number[] = []) => new Map([['Reveal', { version, shares }]]);
const before = versions('1');

/** A deployment of which each look sees the next of these, and whose attestations have these statuses in turn. */
async function watch(looks: readonly ReturnType<typeof versions>[], statuses: readonly string[]) {
  const ended = new AbortController();
  let [posted, asked, look] = [0, 0, 0];
  const service = {
    post: async () => `attestation ${++posted}`,
    status: async () => statuses[asked++] ?? 'confirmed',
  };
  const ask = async () => {
    const seen = looks[look++] ?? before;
    if (look === looks.length) ended.abort();
    return seen;
  };
  return watchUpgrade(service, ended.signal, { before, ask, everySeconds: 0 });
}

test('posts again what is confirmed before a function changes, and knows that the next is under way then', async () => {
  const looks = [before, before, versions('1', [0.1]), versions('2')];
  expect(await watch(looks, ['committed', 'confirmed', 'pending'])).toEqual({
    ...{ shares: new Set([0.1]), id: 'attestation 2', underWay: true },
  });
});

test('does not take one for under way that was confirmed when functions changed', async () => {
  expect(await watch([before, versions('2')], ['committed', 'confirmed'])).toMatchObject({
    ...{ id: 'attestation 1', underWay: false },
  });
});

test('says when it saw no function change', async () => {
  expect(await watch([before], ['committed'])).toMatchObject({ underWay: undefined });
});
