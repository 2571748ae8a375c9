import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { altered, chainOf, healthy, registryAddress, signerAddress } from './providers.ts';

interface BatchAnswer {
  readonly id: number;
}

/** Numbers of transactions of two accounts, asked for in one batch. */
async function countsBy(change: (answers: readonly BatchAnswer[]) => unknown): Promise<readonly number[]> {
  const { url } = await healthy({
    eth_getTransactionCount: ([address]) => ({ result: address === signerAddress ? '0x5' : '0x7' }),
  });
  const changed = (answer: unknown) => (Array.isArray(answer) && answer.length > 1 ? change(answer) : answer);
  const chain = chainOf([await altered(url, changed)]);
  return chain.atFinal((view) =>
    Promise.all([view.minedCount(signerAddress), view.minedCount(registryAddress)]),
  );
}

test('the answers to a batch are told in any order', async () => {
  expect(await countsBy((answers) => answers.toReversed())).toEqual([5, 7]);
});

test.each<[string, (answers: readonly BatchAnswer[]) => unknown]>([
  ['leaves one out', (answers) => answers.slice(1)],
  ['gives one twice, and another not', ([, ...others]) => [...others, ...others.slice(0, 1)]],
  ['refuses as one', () => ({ error: { code: -32_005, message: 'too many calls' } })],
])('an answer to a batch that %s is no answer', async (_, change) => {
  await expect(countsBy(change)).rejects.toThrow(ChainUnreachableError);
});
