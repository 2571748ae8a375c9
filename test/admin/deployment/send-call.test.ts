import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { signCall } from '../../../admin/deployment/send-call.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';

const address = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const settings = chainSettingsSchema.parse({
  ...{ chainId: 31_337, name: 'Local', registryAddress: address, maxFeePerGasGwei: 2_000_000 },
});
const feeData = { baseFee: 10n ** 9n, tip: 10n ** 8n, balance: 10n ** 18n, blockNumber: 1 };

/** Signs a call of so much gas at such a base fee. */
function signing(gas: bigint, baseFee = feeData.baseFee) {
  const simulated = { gas, failures: new Map(), states: [], feeData: { ...feeData, baseFee } };
  const sender = privateKeyToAccount(generatePrivateKey());
  const call = { to: address, data: '0x', what: 'the transaction' } as const;
  return signCall({ settings, simulate: async () => simulated }, sender, call, 0);
}

test('signs nothing whose gas somebody else has made large', async () => {
  await expect(signing(300_000n)).resolves.toMatchObject({ hash: expect.stringMatching(/^0x/) });
  await expect(signing(900_000n)).rejects.toThrow('it would take 900000 gas');
});

test('signs nothing that may cost more than nodes pass on', async () => {
  await expect(signing(700_000n, 10n ** 12n)).resolves.toBeDefined();
  await expect(signing(700_000n, 15n * 10n ** 11n)).rejects.toThrow("above the chain's cap");
});
