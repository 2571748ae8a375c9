import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { chainOf, healthy, type Method, registryAddress } from './providers.ts';

const word = (value: number) => ({ result: numberToHex(value, { size: 32 }) });
const reverts = { error: { code: 3, message: 'execution reverted' } };

/** What the service says twice, and how often the node is asked. */
async function asked(answer: Method) {
  let calls = 0;
  const { url } = await healthy({
    eth_call: (params) => {
      calls += 1;
      return typeof answer === 'function' ? answer(params) : answer;
    },
  });
  const chain = chainOf([url]);
  const answers = [await chain.takesBatches(registryAddress), await chain.takesBatches(registryAddress)];
  return { answers, calls };
}

test.each([
  ['a registry that has pages takes batches', word(383), [true, true], 1],
  ['a registry without the view takes none', reverts, [false, false], 1],
  ['where a provider shows no contract yet, it is asked again', { result: '0x' }, [false, false], 2],
] as const)('%s', async (_, answer, answers, calls) => {
  expect(await asked(answer)).toEqual({ answers, calls });
});

test('a provider that does not answer says nothing of the registry', async () => {
  const busy = { error: { code: -32_005, message: 'limit exceeded' } };
  await expect(asked(busy)).rejects.toThrow(ChainUnreachableError);
});
