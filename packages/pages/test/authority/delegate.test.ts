import { formatReference } from 'imprimatur-verifier';
import { type Hex, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { attest, draft } from '../../../../contracts/test/chain/attest.ts';
import { author, other, platform, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { registry } from '../../../../contracts/test/chain/use-registry.ts';
import { attestArticle, cidOf } from '../../../verifier/test/attested-article.ts';
import { rendered } from '../open-page.ts';
import { connectAuthority, type OpenedAuthority, setUpAuthority } from './authority-page.ts';

setUpAuthority('test');

/** Number of transactions that the page has requested. */
const transactionCount = ({ wallet }: Pick<OpenedAuthority, 'wallet'>) =>
  wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length;

/** Hash of the transaction that the page waits for. */
const shownHash = async ({ page }: Pick<OpenedAuthority, 'page'>) =>
  (await page.getByText(/^0x[\da-f]{64}$/).textContent()) as Hex;

/** Waits until the page has asked several more times whether its transaction is mined. */
async function polled({ wallet }: Pick<OpenedAuthority, 'wallet'>, times: number): Promise<void> {
  const polls = () => wallet.requests.filter(({ method }) => method === 'eth_getTransactionCount').length;
  const enough = polls() + times;
  await expect.poll(polls).toBeGreaterThanOrEqual(enough);
}

/** Sends a delegation that is not mined yet. */
async function sendUnmined() {
  const { client } = registry.chain;
  const opened = await connectAuthority();
  await client.setAutomine(false);
  await opened.button('Delegate').click();
  return { ...opened, client, hash: await shownHash(opened) };
}

const currentDelegate = async () => (await registry.view.delegations([author]))[0];

/** Attests a text for the authority, as the delegate. */
async function attestAsDelegate(text: string) {
  const { cid, digest } = await cidOf(text);
  await attest(registry, draft(platform, { authority: author, digest }));
  const index = await registry.view.cidAndAddressToAttestationIndices([digest, author]);
  const reference = { chainId: 31_337, registryAddress: registry.address, contentCid: cid };
  return { ...reference, authorityAddress: author, attestationIndex: Number(index) };
}

test('an authority delegates, the delegate attests, the authority revokes the attestation and the delegation', async () => {
  const { page, button, requested, consoleMessages } = await connectAuthority();
  await page.getByText('Only you').waitFor();

  await button('Delegate').click();
  await page.getByText(`Done. ${platform} may attest in your name. The transaction is in block`).waitFor();
  expect(await currentDelegate()).toBe(platform);
  await page.getByText(`${platform} (the delegate above)`).waitFor();

  const reference = await attestAsDelegate('Attested by the delegate.');
  const isRevoked = async () =>
    (await registry.view.attestations([BigInt(reference.attestationIndex)]))[5] > 0n;
  await page.getByText('Revoke an attestation', { exact: true }).click();
  await page.getByLabel('Attestation').fill(formatReference(reference));
  await button('Look up').click();
  await page.getByText('This cannot be undone.').waitFor();
  expect(await button('Revoke permanently').isDisabled()).toBe(true);
  await page.getByLabel('I understand that this is permanent').check();
  expect(await isRevoked()).toBe(false);
  await button('Revoke permanently').click();
  await page.getByText('Done. The attestation is revoked. The transaction is in block').waitFor();
  expect(await isRevoked()).toBe(true);

  await button('Revoke the delegation').click();
  await page.getByText('Done. Now only you may attest in your name.').waitFor();
  expect(await currentDelegate()).toBe(zeroAddress);
  await expect(attestAsDelegate('Too late.')).rejects.toThrow();
  expect({ requested, consoleMessages }).toEqual({ requested: [], consoleMessages: [] });
});

test('an action that is declined in the wallet changes nothing and can be repeated', async () => {
  const { page, button, wallet } = await connectAuthority();
  wallet.declined.add('eth_sendTransaction');
  await button('Delegate').click();
  await page.getByText('Not done. You declined in the wallet. Nothing was sent.').waitFor();
  expect(await currentDelegate()).toBe(zeroAddress);
  wallet.declined.clear();
  await button('Delegate').click();
  await page.getByText('Done.').waitFor();
  expect(await currentDelegate()).toBe(platform);
});

test('the page waits until a transaction is mined', async () => {
  const { page, button, client } = await sendUnmined();
  await page.getByText('Sent. Waiting for the transaction to be mined').waitFor();
  expect(await button('Delegate').isDisabled()).toBe(true);
  await client.mine({ blocks: 1 });
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a replaced transaction succeeds when the registry shows its change', async () => {
  const { page, wallet, client, hash } = await sendUnmined();
  // A registry with the same address on another network proves nothing.
  Object.assign(wallet, { chainId: 1, otherRpcUrl: registry.chain.rpcUrl });
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await registry.mine(author, 'delegate', [platform]);
  await polled({ wallet }, 2);
  await page.getByText('Sent. Waiting for the transaction to be mined').waitFor();
  wallet.chainId = 31_337;
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a canceled transaction is reported and can be sent again', async () => {
  const { page, button, wallet, client, hash } = await sendUnmined();
  // The page reads the nonce before it reads the account's transaction count.
  await polled({ wallet }, 1);
  const { nonce } = await client.getTransaction({ hash });
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await client.sendTransaction({ account: author, to: author, value: 0n, nonce });
  // The account's transaction count on another network proves nothing.
  Object.assign(wallet, { chainId: 1, otherRpcUrl: registry.chain.rpcUrl });
  // The page reports a replacement after three polls.
  await polled({ wallet }, 5);
  await page.getByText('Sent. Waiting for the transaction to be mined').waitFor();
  wallet.chainId = 31_337;
  await page.getByText('Not done. The transaction was canceled or replaced in the wallet').waitFor();
  expect(await currentDelegate()).toBe(zeroAddress);
  await button('Delegate').click();
  await page.getByText(`Done. ${platform} may attest in your name.`).waitFor();
});

test('a transaction that fails on the chain is reported', async () => {
  const { page, client } = await sendUnmined();
  await page.getByText('Sent. Waiting for the transaction to be mined').waitFor();
  // Code that always reverts.
  const code = (await client.getCode({ address: registry.address })) ?? '0x';
  await client.setCode({ address: registry.address, bytecode: '0x5f5ffd' });
  await client.mine({ blocks: 1 });
  await client.setCode({ address: registry.address, bytecode: code });
  await page.getByText(/Not done. The transaction failed in block \d+\. Nothing changed\./).waitFor();
});

test('a missing or old attestation is not revoked', async () => {
  const { page, button, wallet } = await connectAuthority();
  const { reference } = await attestArticle(registry, author, 'It stays.');
  await page.getByText('Revoke an attestation', { exact: true }).click();
  const lookUp = async (line: string) => {
    await page.getByLabel('Attestation').fill(line);
    await button('Look up').click();
  };
  for (const line of [formatReference({ ...reference, attestationIndex: 9 }), 'eip155:1']) {
    await lookUp(line);
    await page.locator('#reference-problem').waitFor();
  }
  expect(transactionCount({ wallet })).toBe(0);

  await registry.mineAt((await registry.chain.client.getBlock()).timestamp + 8n * 86_400n);
  await lookUp(formatReference(reference));
  await page.getByLabel('I understand that this is permanent').check();
  await button('Revoke permanently').click();
  await page
    .getByText('Not done. The attestation is too old. It can be revoked only in the first 7 days.')
    .waitFor();
  expect(transactionCount({ wallet })).toBe(0);
});

/** Attests a text, opens the page with a link to it, looks it up and checks the confirmation box. */
async function openConfirmed(authority = author) {
  const { reference } = await attestArticle(registry, authority, 'It stays.');
  const line = formatReference(reference);
  const opened = await connectAuthority({ reference: line });
  await opened.button('Look up').click();
  await opened.page.getByLabel('I understand that this is permanent').check();
  return { ...opened, line };
}

test('a revocation that was confirmed for one chain is not sent on another with the same registry address', async () => {
  const second = await startRegistry();
  try {
    expect(second.address).toBe(registry.address);
    await attestArticle(second, author, 'Another text of that number.');
    const { page, button, wallet, line } = await openConfirmed();
    wallet.otherRpcUrl = second.chain.rpcUrl;
    await wallet.selectNetwork(1);
    await page.getByText('The wallet is on another network.').waitFor();
    expect(await button('Revoke permanently').count()).toBe(0);
    expect(await page.getByLabel('Attestation').inputValue()).toBe(line);
    await button('Look up').click();
    await page
      .getByText('The attestation is on chain 31337. Switch the wallet to that network first.')
      .waitFor();
    await wallet.selectNetwork(31_337);
    await button('Look up').click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await page.getByLabel('I understand that this is permanent').isChecked()).toBe(false);
    expect(transactionCount({ wallet })).toBe(0);
  } finally {
    await second.stop();
  }
});

test('a revocation that one account confirmed is not sent by another', async () => {
  const { page, button, wallet } = await openConfirmed();
  await wallet.selectAccounts(other);
  await page.getByText('this is a different account').waitFor();
  expect(await button('Revoke permanently').count()).toBe(0);
});

test('an attestation of another authority is not revoked, even by its delegate', async () => {
  await registry.mine(other, 'delegate', [author]);
  const { page, button, wallet } = await openConfirmed(other);
  await button('Revoke permanently').click();
  await page.getByText(`Not done. The wallet's account is not ${other}.`).waitFor();
  expect(transactionCount({ wallet })).toBe(0);
});

test('an answer for an earlier input is dropped', async () => {
  const { page, button, wallet, line } = await openConfirmed();
  const warning = page.getByText('This cannot be undone.');
  await page.getByLabel('Attestation').fill('');
  await expect.poll(() => warning.count()).toBe(0);
  await page.getByLabel('Attestation').fill(line);
  const before = wallet.answered;
  await button('Look up').click();
  await warning.waitFor();
  const answersOfLookUp = wallet.answered - before;
  expect(answersOfLookUp).toBeGreaterThan(0);
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  wallet.beforeAnswer = () => {
    started.resolve();
    return released.promise;
  };
  await button('Look up').click();
  await started.promise;
  await page.getByLabel('Attestation').fill('eip155:1');
  released.resolve();
  wallet.beforeAnswer = () => {};
  await expect.poll(() => wallet.answered).toBeGreaterThanOrEqual(before + 2 * answersOfLookUp);
  await rendered(page);
  expect(await warning.count()).toBe(0);
  await page.getByLabel('Attestation').fill(line);
  await button('Look up').click();
  await warning.waitFor();
});

test('a replaced revocation succeeds when the registry shows it', async () => {
  const { client } = registry.chain;
  const { page, button } = await openConfirmed();
  await client.setAutomine(false);
  await button('Revoke permanently').click();
  const hash = await shownHash({ page });
  await client.dropTransaction({ hash });
  await client.setAutomine(true);
  await registry.mine(author, 'revokeAttestation', [1n]);
  await page.getByText('Done. The attestation is revoked.').waitFor();
});
