import { readFileSync } from 'node:fs';
import { zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { author } from '../../../../contracts/test/chain/registry.ts';
import { registry } from '../../../../contracts/test/chain/use-registry.ts';
import { DeploymentOnAnvil } from '../../../../test/admin/commands/delegation/deployment-on.ts';
import { run, signerAddress } from '../../../../test/admin/commands/fake-deployment.ts';
import { directoryWith } from '../../../cli/test/run.ts';
import { connectAuthority, type OpenedAuthority, setUpAuthority } from './authority-page.ts';
import type { TestWallet } from './test-wallet.ts';

setUpAuthority('test');

const currentDelegate = async () => (await registry.view.delegations([author]))[0];

/** Signs with the wallet in the page, saves the file, and submits it as an operator. */
async function signAndSubmit({ page, button }: OpenedAuthority, name: string) {
  await button(name).click();
  await page.getByText('Done. The wallet signed.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Save delegation.json').click(),
  ]);
  const payer = generatePrivateKey();
  const pathOf = directoryWith({ key: payer });
  const path = pathOf(download.suggestedFilename());
  await download.saveAs(path);
  await registry.chain.client.setBalance({ address: privateKeyToAccount(payer).address, value: 10n ** 18n });
  const argv = ['delegation', 'submit', path, '--key-file', pathOf('key')];
  return { path, ...(await run(new DeploymentOnAnvil(registry), ...argv)) };
}

test('an authority signs with its wallet, an operator sends the signature, and the authority sends nothing', async () => {
  const opened = await connectAuthority({ delegateAddress: signerAddress });
  await opened.page.getByText('Sign instead, without paying gas').click();
  const { exitCode, out } = await signAndSubmit(opened, 'Sign the delegation');
  expect(out).toContain('The delegation is in force.');
  expect(exitCode).toBe(0);
  expect(await currentDelegate()).toBe(signerAddress);

  const revocation = await signAndSubmit(opened, 'Sign the revocation');
  expect(revocation.exitCode).toBe(0);
  expect(JSON.parse(readFileSync(revocation.path, 'utf8')).message).toMatchObject({ nonce: 1 });
  expect(await currentDelegate()).toBe(zeroAddress);
  expect(opened.wallet.requests.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test.each<[string, string, (wallet: TestWallet) => unknown]>([
  ['is declined', 'You declined in the wallet.', (wallet) => wallet.declined.add('eth_signTypedData_v4')],
  [
    'is rejected by the registry',
    "The registry does not accept the wallet's signature for this account.",
    (wallet) => {
      wallet.signsWith = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    },
  ],
])('the page offers no file to save if the signature %s', async (_, text, change) => {
  const { page, button, wallet } = await connectAuthority();
  await page.getByText('Sign instead, without paying gas').click();
  change(wallet);
  await button('Sign the delegation').click();
  await page.getByText(`Not done. ${text}`).waitFor();
  expect(await button('Save delegation.json').count()).toBe(0);
});
