import { registryAddress } from 'imprimatur-contracts/deploy/registry-deployment';
import { expect, test } from 'vitest';
import { describeChain } from '../../../admin/setup/describe-chain.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { registryAddress as publicRegistry } from '../commands/fake-deployment.ts';
import { type ChainState, clientOn } from './fake-setup.ts';

const withPublicRegistry: ChainState = {
  methods: { eth_getCode: ([address]) => (address === publicRegistry ? '0x60' : '0x') },
};
const own = registryAddress(60);

test.each([
  ['Sepolia', 11155111, { confirmations: 32, blockTimeSeconds: 2, testnet: true, maxFeePerGasGwei: 20 }],
  ['Base', 8453, { rollup: 'opStack', blockTimeSeconds: 2, dailyFeeBudget: 0.1, minPriorityFeeGwei: 0.001 }],
  ['Arbitrum One', 42161, { rollup: undefined, blockTimeSeconds: 0.25, minPriorityFeeGwei: 0 }],
  ['OP Mainnet', 10, { rollup: 'opStack', confirmations: 'finalized', maxFeePerGasGwei: 20 }],
  ['OP Sepolia', 11155420, { rollup: 'opStack', confirmations: 32, testnet: true }],
  ['Gnosis', 100, { rollup: undefined, explorerUrl: 'https://gnosisscan.io' }],
  ['Chain 987654321', 987654321, { confirmations: 'finalized', blockTimeSeconds: 2, testnet: undefined }],
  ['Chain 31337', 31337, { confirmations: 1, testnet: true, explorerUrl: undefined }],
])('`describeChain` makes valid settings of %s', async (name, chainId, expected) => {
  const settings = chainSettingsSchema.parse({
    ...(await describeChain(clientOn({ code: '0x' }), chainId)),
    delegates: ['key'],
  });
  expect(settings).toMatchObject({ name, chainId, registryAddress: own });
  for (const [field, value] of Object.entries(expected))
    expect(settings[field as keyof typeof settings], field).toEqual(value);
});

test.each([
  [0, 1],
  [3, 2],
  [100_000, 2],
])('`describeChain` measures the block time of a chain with %i blocks', async (head, blockTimeSeconds) => {
  expect(await describeChain(clientOn({ head }), 987654321)).toMatchObject({ blockTimeSeconds });
});

test('`describeChain` uses the public registry only on its chains', async () => {
  expect(await describeChain(clientOn(withPublicRegistry), 8453)).toMatchObject({
    registryAddress: publicRegistry,
  });
  expect(await describeChain(clientOn(withPublicRegistry), 987654321)).toMatchObject({
    registryAddress: own,
  });
});
