import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { formatReference, verify } from 'imprimatur-verifier';
import type { Browser } from 'playwright-core';
import { createTestClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { beforeAll, expect, test } from 'vitest';
import { TestWallet } from '../../packages/pages/test/authority/test-wallet.ts';
import { openPage, pageFile } from '../../packages/pages/test/open-page.ts';
import { useBrowser } from '../browser/use-browser.ts';
import { admin } from './stack/admin.ts';
import { fund, referenceTo } from './stack/chain.ts';
import { article, newPublisher, type Publisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

let browser: Browser;
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(`${tmpdir()}/authority-`);
  return () => rmSync(directory, { recursive: true });
});
useBrowser((opened) => {
  browser = opened;
});

const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.rpcUrl) });

/** Opens the page by the link that the publisher's command prints, with the authority's wallet. */
async function openLinked({ apiKey, authority }: Publisher) {
  const env = { ...process.env, IMPRIMATUR_URL: stack.apiUrl, IMPRIMATUR_API_KEY: apiKey };
  const argv = ['packages/cli/src/main.ts', 'delegate', '--page', pageFile('authority'), '--json'];
  const { stdout } = await promisify(execFile)('node', argv, { env });
  const [{ page: link }] = JSON.parse(stdout).delegations;
  await fund(authority.address);
  await chain.impersonateAccount({ address: authority.address });
  const wallet = new TestWallet(stack.rpcUrl, authority.address);
  const { page } = await openPage(browser, link, {}, (one) => wallet.install(one));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await press('Connect Test Wallet');
  await page.getByText('Only you').waitFor();
  return { page, press };
}

test('an authority delegates, revokes an attestation, and revokes the delegation with the page', async () => {
  const publisher = await newPublisher({ delegated: false });
  const { api } = publisher;
  expect((await api.create({ content: article() })).status).toBe(409);
  const { page, press } = await openLinked(publisher);

  await press('Delegate');
  await page.getByText('Done.').waitFor();
  const attestation = await api.attest(article());
  expect(attestation).toMatchObject({ status: 'confirmed', authorityAddress: publisher.authority.address });

  const reference = formatReference(referenceTo(attestation));
  await page.getByText('Revoke an attestation', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Attestation', exact: true }).fill(reference);
  await press('Look up');
  await page.getByLabel('I understand that this is permanent').check();
  await press('Revoke permanently');
  await page.getByText('The attestation is revoked.').waitFor();
  expect(await verify(reference, { providers: [stack.rpcUrl] })).toMatchObject({ outcome: 'revoked' });

  await press('Revoke the delegation');
  await page.getByText('Now only you may attest in your name.').waitFor();
  expect((await api.create({ content: article() })).status).toBe(409);
});

test('an operator submits the signed delegation of an authority without coins', async () => {
  const publisher = await newPublisher({ delegated: false });
  const { api, authority, apiKey } = publisher;
  const env = { ...process.env, IMPRIMATUR_URL: stack.apiUrl, IMPRIMATUR_API_KEY: apiKey };
  const argv = ['packages/cli/src/main.ts', 'delegate', '--typed-data', '--rpc', stack.rpcUrl];
  const { stdout } = await promisify(execFile)('node', argv, { env });
  const signature = await authority.signTypedData(JSON.parse(stdout));
  const payer = generatePrivateKey();
  await fund(privateKeyToAccount(payer).address);
  writeFileSync(`${directory}/delegation.json`, stdout);
  writeFileSync(`${directory}/key`, payer);
  const command = ['delegation', 'submit', `${directory}/delegation.json`, '--signature', signature];
  const submit = () => admin(...command, '--key-file', `${directory}/key`);
  expect(await submit()).toMatchObject({ inForce: true, sent: expect.stringMatching(/^0x/) });
  expect(await submit()).toMatchObject({ inForce: true, sent: null });
  expect(await api.attest(article())).toMatchObject({ status: 'confirmed' });
});
