import { formatReference } from 'imprimatur-verifier';
import { zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { attest, draft } from '../../../../contracts/test/chain/attest.ts';
import { author, other, platform } from '../../../../contracts/test/chain/registry.ts';
import { attestArticle, cidOf } from '../../../verifier/test/attested-article.ts';
import { browser, registry, setAuthorityScene } from './authority-scene.ts';
import { connectAuthority } from './opened-authority.ts';

setAuthorityScene();

const delegateNow = async () => (await registry.view.delegations([author]))[0];

/** The delegate attests a text in the authority's name. */
async function attestAsDelegate(text: string) {
  const { cid, digest } = await cidOf(text);
  await attest(registry, draft(platform, { authority: author, digest }));
  const index = await registry.view.cidAndAddressToAttestationIndices([digest, author]);
  const reference = { chainId: 31_337, registryAddress: registry.address, contentCid: cid };
  return { ...reference, authorityAddress: author, attestationIndex: Number(index) };
}

test('an authority delegates, the delegate attests, the authority revokes the attestation and the delegation', async () => {
  const { page, button, requested, complaints } = await connectAuthority(browser, registry);
  await page.getByText('Nobody but you').waitFor();

  await button('Delegate').click();
  await page.getByText(`Done. ${platform} may attest in your name. It is in block`).waitFor();
  expect(await delegateNow()).toBe(platform);
  await page.getByText(`${platform}, the delegate above`).waitFor();

  const reference = await attestAsDelegate('Attested by the delegate.');
  const isRevoked = async () =>
    (await registry.view.attestations([BigInt(reference.attestationIndex)]))[5] > 0n;
  await page.getByText('Revoke an attestation', { exact: true }).click();
  await page.getByLabel('Attestation').fill(formatReference(reference));
  await button('Look it up').click();
  await page.getByText('This cannot be undone.').waitFor();
  expect(await button('Revoke it for good').isDisabled()).toBe(true);
  await page.getByLabel('I understand that it is for good').check();
  expect(await isRevoked()).toBe(false);
  await button('Revoke it for good').click();
  await page.getByText('Done. The attestation is revoked. It is in block').waitFor();
  expect(await isRevoked()).toBe(true);

  await button('Revoke the delegation').click();
  await page.getByText('Done. Nobody but you may attest in your name now.').waitFor();
  expect(await delegateNow()).toBe(zeroAddress);
  await expect(attestAsDelegate('Too late.')).rejects.toThrow();
  expect({ requested, complaints }).toEqual({ requested: [], complaints: [] });
});

test('a delegation to another is changed, and tells so', async () => {
  await registry.mine(author, 'delegate', [other]);
  const { page, button } = await connectAuthority(browser, registry);
  await page.getByText(other).waitFor();
  await button('Change the delegation').click();
  await page.getByText(`${platform}, the delegate above`).waitFor();
  expect(await delegateNow()).toBe(platform);
  expect(await button('Change the delegation').count()).toBe(0);
});

test('what is declined in the wallet changes nothing, and can be tried again', async () => {
  const { page, button, wallet } = await connectAuthority(browser, registry);
  wallet.declined.add('eth_sendTransaction');
  await button('Delegate').click();
  await page.getByText('Not done. You declined it in the wallet. Nothing was sent.').waitFor();
  expect(await delegateNow()).toBe(zeroAddress);
  wallet.declined.clear();
  await button('Delegate').click();
  await page.getByText('Done.').waitFor();
  expect(await delegateNow()).toBe(platform);
});

test('a wallet that changed its network without a word sends nothing there', async () => {
  const { page, button, wallet } = await connectAuthority(browser, registry);
  wallet.chainId = 1;
  await button('Delegate').click();
  await page.getByText('Not done. The wallet is on another network by now.').waitFor();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test('a wallet that changed its account without a word sends nothing', async () => {
  const { page, button, wallet } = await connectAuthority(browser, registry);
  wallet.accounts = [other, author];
  await button('Delegate').click();
  await page.getByText(`Not done. The wallet's account is another than ${author}.`).waitFor();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test.each([
  ['network', { chainId: 1 }, 'The wallet is on another network by now.'],
  ['account', { accounts: [other] }, `The wallet's account is another than ${author}.`],
])('a wallet that changes its %s while the call is tried sends nothing', async (_what, changed, text) => {
  const { page, button, wallet } = await connectAuthority(browser, registry);
  wallet.elsewhere = registry.chain.rpcUrl;
  wallet.meanwhile = ({ method }) => {
    if (method === 'eth_call') Object.assign(wallet, changed);
  };
  await button('Delegate').click();
  await page.getByText(`Not done. ${text}`).waitFor();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});

test('a transaction is followed to its block', async () => {
  const { client } = registry.chain;
  const { page, button } = await connectAuthority(browser, registry);
  await client.setAutomine(false);
  await button('Delegate').click();
  await page.getByText('Sent. Waiting for its block').waitFor();
  expect(await button('Delegate').isDisabled()).toBe(true);
  await client.mine({ blocks: 1 });
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a transaction that the wallet replaced is over when the registry shows what it was to do', async () => {
  const { client } = registry.chain;
  const { page, button, wallet } = await connectAuthority(browser, registry);
  await client.setAutomine(false);
  await button('Delegate').click();
  const status = page.getByText(/^0x[\da-f]{64}$/);
  const hash = (await status.textContent()) as `0x${string}`;
  // A registry is at the same address on every network: what another's shows says nothing.
  Object.assign(wallet, { chainId: 1, elsewhere: registry.chain.rpcUrl });
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await registry.mine(author, 'delegate', [platform]);
  await page.waitForTimeout(3_000);
  await page.getByText('Sent. Waiting for its block').waitFor();
  wallet.chainId = 31_337;
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a transaction that was cancelled in the wallet is told, and can be sent again', async () => {
  const { client } = registry.chain;
  const { page, button, wallet } = await connectAuthority(browser, registry);
  await client.setAutomine(false);
  await button('Delegate').click();
  const hash = (await page.getByText(/^0x[\da-f]{64}$/).textContent()) as `0x${string}`;
  // Time for the page to see it wait; it looks once a second.
  await page.waitForTimeout(1_500);
  const { nonce } = await client.getTransaction({ hash });
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await client.sendTransaction({ account: author, to: author, value: 0n, nonce });
  // What another network counts of the account says nothing.
  Object.assign(wallet, { chainId: 1, elsewhere: registry.chain.rpcUrl });
  await page.waitForTimeout(5_000);
  await page.getByText('Sent. Waiting for its block').waitFor();
  wallet.chainId = 31_337;
  await page.getByText('Not done. Another transaction of this account took its place').waitFor();
  expect(await delegateNow()).toBe(zeroAddress);
  await button('Delegate').click();
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a transaction that fails on the chain is told', async () => {
  const { client } = registry.chain;
  const { page, button } = await connectAuthority(browser, registry);
  await client.setAutomine(false);
  await button('Delegate').click();
  await page.getByText('Sent. Waiting for its block').waitFor();
  // Code that reverts whatever it is asked.
  const code = (await client.getCode({ address: registry.address })) ?? '0x';
  await client.setCode({ address: registry.address, bytecode: '0x5f5ffd' });
  await client.mine({ blocks: 1 });
  await client.setCode({ address: registry.address, bytecode: code });
  await page.getByText(/Not done. The transaction failed in block \d+\. Nothing changed\./).waitFor();
});

test('an attestation of another, an old one and none are not revoked', async () => {
  const { page, button, wallet } = await connectAuthority(browser, registry, { delegateAddress: platform });
  await registry.mine(author, 'delegate', [platform]);
  const reference = await attestAsDelegate('It stands.');
  await page.getByText('Revoke an attestation', { exact: true }).click();
  const lookUp = async (line: string) => {
    await page.getByLabel('Attestation').fill(line);
    await button('Look it up').click();
  };
  await lookUp(formatReference({ ...reference, attestationIndex: 9 }));
  await page.locator('#reference-problem').waitFor();
  await lookUp('eip155:1');
  await page.locator('#reference-problem').waitFor();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');

  const foreign = await attestArticle(registry, other, "Somebody else's.");
  await lookUp(formatReference(foreign.reference));
  await page.getByLabel('I understand that it is for good').check();
  await button('Revoke it for good').click();
  await page.getByText(`Not done. The wallet's account is another than ${other}.`).waitFor();

  await registry.mineAt((await registry.chain.client.getBlock()).timestamp + 8n * 86_400n);
  await lookUp(formatReference(reference));
  await page.getByLabel('I understand that it is for good').check();
  await button('Revoke it for good').click();
  await page.getByText('Not done. It is too old: an attestation can be revoked for 7 days.').waitFor();
  expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
});
