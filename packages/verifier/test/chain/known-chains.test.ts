import { expect, test } from 'vitest';
import { knownChains } from '../../src/verifier.ts';

/** The operator of an endpoint, by the last two names of its host. */
const operatorOf = (url: string) => new URL(url).hostname.split('.').slice(-2).join('.');

test.each(Object.entries(knownChains))(
  'chain %s has three providers of different operators',
  (_, { providers }) => {
    expect(new Set(providers.map(operatorOf)).size).toBe(3);
    for (const url of providers) expect(url).toMatch(/^https:\/\/[a-z0-9.-]+(\/[a-z]+)*$/);
  },
);
