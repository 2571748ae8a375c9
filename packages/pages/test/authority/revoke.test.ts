import { formatReference } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { author, other, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { attestArticle } from '../../../verifier/test/attested-article.ts';
import { browser, registry, setAuthorityScene } from './authority-scene.ts';
import { connectAuthority, type OpenedAuthority } from './opened-authority.ts';

setAuthorityScene();

/** Attests a text, opens the page with a link to it, looks it up and confirms that it is for good. */
async function confirmed(authority = author) {
  const { reference } = await attestArticle(registry, authority, 'It stands.');
  const line = formatReference(reference);
  const opened = await connectAuthority(browser, registry, { reference: line });
  await opened.button('Look it up').click();
  await opened.page.getByLabel('I understand that it is for good').check();
  return { ...opened, line };
}

const sent = ({ wallet }: Pick<OpenedAuthority, 'wallet'>) =>
  wallet.asked.filter(({ method }) => method === 'eth_sendTransaction').length;

test('what was confirmed on one chain is not revoked on another, where the registry has the same address', async () => {
  const second = await startRegistry();
  try {
    expect(second.address).toBe(registry.address);
    await attestArticle(second, author, 'Another text of that number.');
    const { page, button, wallet, line } = await confirmed();
    wallet.elsewhere = second.chain.rpcUrl;
    await wallet.moveTo(1);
    await page.getByText('The wallet is on another network.').waitFor();
    expect(await button('Revoke it for good').count()).toBe(0);
    expect(await page.getByLabel('Attestation').inputValue()).toBe(line);
    await button('Look it up').click();
    await page.getByText('It is on chain 31337. Switch the wallet to that network first.').waitFor();
    await wallet.moveTo(31_337);
    await button('Look it up').click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await page.getByLabel('I understand that it is for good').isChecked()).toBe(false);
    expect(sent({ wallet })).toBe(0);
  } finally {
    await second.stop();
  }
});

test('what one account confirmed is not revoked by another', async () => {
  const { page, button, wallet } = await confirmed();
  await wallet.choose(other);
  await page.getByText('this account is another').waitFor();
  expect(await button('Revoke it for good').count()).toBe(0);
});

test('an attestation of another authority is not revoked, even by its delegate', async () => {
  await registry.mine(other, 'delegate', [author]);
  const { page, button, wallet } = await confirmed(other);
  await button('Revoke it for good').click();
  await page.getByText(`Not done. The wallet's account is another than ${other}.`).waitFor();
  expect(sent({ wallet })).toBe(0);
});

test('an answer that comes after the text was changed is dropped', async () => {
  const { page, button, wallet, line } = await confirmed();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const started = new Promise<void>((resolve) => {
    wallet.meanwhile = () => {
      resolve();
      return held;
    };
  });
  await button('Look it up').click();
  await started;
  await page.getByLabel('Attestation').fill('eip155:1');
  answer();
  wallet.meanwhile = () => {};
  // Time for the former answer, which took less than this when it was looked up before.
  await page.waitForTimeout(1_500);
  expect(await page.getByText('This cannot be undone.').count()).toBe(0);
  await page.getByLabel('Attestation').fill(line);
  await button('Look it up').click();
  await page.getByText('This cannot be undone.').waitFor();
});

test('a revocation that the wallet replaced is over when the registry shows it', async () => {
  const { client } = registry.chain;
  const { page, button } = await confirmed();
  await client.setAutomine(false);
  await button('Revoke it for good').click();
  const hash = (await page.getByText(/^0x[\da-f]{64}$/).textContent()) as `0x${string}`;
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await registry.mine(author, 'revokeAttestation', [1n]);
  await page.getByText('Done. The attestation is revoked.').waitFor();
});
