import { AttestedText } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { quoteTreeOf } from '../../verifier/src/text/quote-tree.ts';
import { cases, fileOf } from '../../verifier/test/proof/vectors.ts';
import { mutations } from '../../verifier/test/quote/mutations.ts';
import { referenceTo } from '../../verifier/test/quote/quotable.ts';
import { chainWith } from './chain-with.ts';
import { directoryWith, run } from './run.ts';

const nowhere = { url: 'http://127.0.0.1:1', received: [] };
const verify = (argv: readonly string[]) => run(nowhere, ['verify', ...argv], { variables: {} });

const exitCodes = {
  ...{ verified: 0, superseded: 3, revoked: 1, altered: 1, notFound: 1 },
  ...{ unknown: 2, invalid: 2 },
} as const;

/** Proof files that are cut short, empty, huge, or none; each is a line of an error, and no verdict. */
const noProofs = {
  'cut.json': fileOf({ file: 'alone.proof.json' }).slice(0, -1),
  'none.json': 'It was attested.',
  'nothing.json': '',
  'list.json': '[]',
  'huge.json': JSON.stringify({ version: 1, text: 'x'.repeat(10_000_000) }),
};

test('the command says of every proof file of the vectors what the library says', async () => {
  expect(cases.length).toBeGreaterThan(90);
  for (const one of cases) {
    const at = directoryWith({
      'a.proof.json': fileOf(one),
      ...(one.text === null ? {} : { 'a.md': one.text }),
    });
    const what = at(one.text === null ? 'a.proof.json' : 'a.md');
    const { exitCode, out, error } = await verify([what, '--offline', '--block-hash', one.blockHash]);
    expect({ name: one.name, exitCode }).toEqual({ name: one.name, exitCode: exitCodes[one.outcome] });
    expect(out.startsWith('verified')).toBe(one.outcome === 'verified');
    expect(error.split('\n').length > 1, one.name).toBe(one.outcome === 'invalid');
  }
});

test('what is no proof file is told in one line, and not verified', async () => {
  const at = directoryWith(noProofs);
  for (const name of Object.keys(noProofs)) {
    const { exitCode, out, error } = await verify([
      at(name),
      '--offline',
      '--block-hash',
      `0x${'1'.repeat(64)}`,
    ]);
    expect({ name, exitCode, out }).toEqual({ name, exitCode: 2, out: '' });
    expect(error.trim().split('\n'), name).toHaveLength(1);
    expect(error.length).toBeLessThan(300);
  }
});

test('no mutated quote proof is verified, on a chain that has what it is said to be of', async () => {
  const article = 'The mayor said that the bridge is safe. '.repeat(8);
  const { rpcUrl } = await chainWith(article, quoteTreeOf(article).root);
  const quote = new AttestedText(referenceTo(article), article).quote(
    'is safe … The mayor said … the bridge',
  );
  const quoteExit = async (proof: unknown) => {
    const at = directoryWith({ 'quote.json': JSON.stringify(proof) });
    return (await verify([at('quote.json'), '--rpc', rpcUrl])).exitCode;
  };
  expect(await quoteExit(quote)).toBe(0);
  let tried = 0;
  for (const [name, mutate] of Object.entries(mutations)) {
    const mutated = structuredClone(quote) as Parameters<typeof mutate>[0];
    if (!mutate(mutated, 0) || JSON.stringify(mutated) === JSON.stringify(quote)) continue;
    tried += 1;
    expect({ name, exitCode: await quoteExit(mutated) }).toEqual({ name, exitCode: 1 });
  }
  expect(tried).toBeGreaterThan(10);
});
