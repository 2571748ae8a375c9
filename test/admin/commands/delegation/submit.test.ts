import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createWalletClient, http, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { anvil as anvilChain } from 'viem/chains';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RegistryFixture, startRegistry, stranger } from '../../../../contracts/test/chain/registry.ts';
import type { DelegationIntent } from '../../../../packages/verifier/src/delegation/registry-call.ts';
import { writeSigned } from '../../../../packages/verifier/test/delegation/signed.ts';
import { refusal, run, signerAddress } from '../fake-deployment.ts';
import { DeploymentOnAnvil } from './deployment-on.ts';

const authority = privateKeyToAccount(generatePrivateKey());
const payerKey = generatePrivateKey();
const payer = privateKeyToAccount(payerKey);

let registry: RegistryFixture;
let deployment: DeploymentOnAnvil;
let directory: string;
beforeEach(async () => {
  registry = await startRegistry();
  deployment = new DeploymentOnAnvil(registry);
  directory = mkdtempSync(`${tmpdir()}/delegation-`);
  writeFileSync(`${directory}/key`, payerKey);
  await registry.chain.client.setBalance({ address: payer.address, value: 10n ** 18n });
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await registry.stop();
});

async function intent(fields: Partial<DelegationIntent> = {}): Promise<DelegationIntent> {
  return {
    ...{ chainId: 31_337, registryAddress: registry.address, authorityAddress: authority.address },
    ...{ delegateAddress: signerAddress, nonce: Number(await registry.view.nonceOf([authority.address])) },
    ...{ deadline: 4_000_000_000, ...fields },
  };
}

async function submit(fields: Partial<DelegationIntent> = {}, signer = authority) {
  const path = await writeSigned(`${directory}/delegation.json`, signer, await intent(fields));
  return submitFile(path);
}

async function submitFile(path: string, ...options: string[]) {
  const argv = ['delegation', 'submit', path, '--key-file', `${directory}/key`, '--json', ...options];
  const { exitCode, out, error } = await run(deployment, ...argv);
  return { exitCode, error, answer: JSON.parse(out) };
}

const delegateNow = async () => (await registry.view.delegations([authority.address]))[0];
const sentCount = () => registry.chain.client.getTransactionCount({ address: payer.address });

test('`delegation submit` sends a delegation and its revocation for an authority without gas', async () => {
  const { exitCode, answer } = await submit();
  expect(answer).toEqual({
    ...{ chainId: 31_337, registryAddress: registry.address, authorityAddress: authority.address },
    ...{ delegateAddress: signerAddress, inForce: true, sent: expect.stringMatching(/^0x[\da-f]{64}$/) },
  });
  expect(exitCode).toBe(0);
  expect(await delegateNow()).toBe(signerAddress);
  const again = await submitFile(`${directory}/delegation.json`);
  expect(again).toMatchObject({ exitCode: 0, answer: { inForce: true, sent: null } });
  expect(await sentCount()).toBe(1);
  expect((await submit({ delegateAddress: undefined })).exitCode).toBe(0);
  expect(await delegateNow()).toBe(zeroAddress);
  expect(await registry.chain.client.getTransactionCount({ address: authority.address })).toBe(0);
});

test('a delegation that is submitted again before it is mined takes effect once', async () => {
  await registry.chain.client.setAutomine(false);
  deployment.onWait = async () => {};
  const first = await submit();
  expect(first).toMatchObject({ exitCode: 3, answer: { inForce: false } });
  deployment.onWait = async () => void (await registry.chain.client.mine({ blocks: 1 }));
  const second = await submitFile(`${directory}/delegation.json`);
  expect(second).toMatchObject({ exitCode: 0, answer: { inForce: true } });
  expect(await sentCount()).toBe(1);
  expect(await delegateNow()).toBe(signerAddress);
});

test('the registry decides the result if a node rejects the same call with another fee', async () => {
  const { client } = registry.chain;
  await client.setAutomine(false);
  deployment.onWait = async () => {};
  await submit();
  // The second transaction offers lower fees, so it cannot replace the first.
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  await client.mine({ blocks: 0 });
  deployment.onWait = async () => void (await client.mine({ blocks: 1 }));
  expect(await submitFile(`${directory}/delegation.json`)).toMatchObject({ answer: { inForce: true } });
  expect(await sentCount()).toBe(1);
});

/** Sends a transfer of the payer that stays pending. @returns a function that reads its status */
async function payerTransfers(nonce: number) {
  const { client, rpcUrl } = registry.chain;
  const wallet = createWalletClient({ account: payer, chain: anvilChain, transport: http(rpcUrl) });
  await client.setAutomine(false);
  const hash = await wallet.sendTransaction({ to: stranger, value: 1n, gas: 21_000n, nonce });
  return async () => (await client.getTransactionReceipt({ hash }).catch(() => undefined))?.status;
}

const mine = async () => void (await registry.chain.client.mine({ blocks: 1 }));

test('`delegation submit` waits for pending transactions of the payer and reports their nonces', async () => {
  const path = await writeSigned(`${directory}/delegation.json`, authority, await intent());
  const transfer = await payerTransfers(0);
  deployment.onWait = async () => {};
  const { exitCode, error } = await submitFile(path);
  expect(exitCode).toBe(1);
  expect(error).toBe(
    `admin: the delegation's transaction to ${registry.address} was not sent: ${payer.address} has a pending ` +
      'transaction (nonce 0); run this again when it is mined, because this delegation may already have been ' +
      'sent; to send it anyway, pass --nonce 0 to replace that transaction, or --nonce 1 to send after it\n',
  );
  deployment.onWait = mine;
  expect(await submitFile(path)).toMatchObject({ exitCode: 0, answer: { inForce: true } });
  expect(await transfer()).toBe('success');
  expect(await sentCount()).toBe(2);
});

test.each([
  ['in the place of a transaction that waits', '0', undefined, 1],
  ['after a transaction that waits', '1', 'success', 2],
])('`--nonce` sends the delegation %s', async (_, nonce, fate, count) => {
  const path = await writeSigned(`${directory}/delegation.json`, authority, await intent());
  const transfer = await payerTransfers(0);
  deployment.onWait = mine;
  expect(await submitFile(path, '--nonce', nonce)).toMatchObject({ exitCode: 0, answer: { inForce: true } });
  expect(await transfer()).toBe(fate);
  expect(await sentCount()).toBe(count);
});

test.each([
  ['is used', '0', 'nonce 0 is already used; the next nonce is 1'],
  ['would leave a gap', '2', 'nonce 2 would leave a gap; the next nonce is 1'],
])('`--nonce` rejects a nonce that %s', async (_, nonce, message) => {
  await submit();
  const path = await writeSigned(
    `${directory}/other.json`,
    authority,
    await intent({ delegateAddress: undefined }),
  );
  expect(await submitFile(path, '--nonce', nonce)).toMatchObject(refusal(1, message));
  expect(await sentCount()).toBe(1);
});

test.each([
  ['a registry that is not served', { registryAddress: stranger }, 'does not use on chain 31337'],
  [
    'a delegate that is not of the service',
    { delegateAddress: stranger },
    `the delegate of this deployment is ${signerAddress}`,
  ],
  ['a chain that is not served', { chainId: 1 }, 'chain 1 is not served'],
  ['a deadline that has passed', { deadline: 1_700_000_000 }, 'expired at 2023-11-14T22:13:20.000Z'],
  ['a future nonce', { nonce: 5 }, "signed with nonce 5, but the authority's nonce is 0"],
] as const)('%s is refused, and nothing is sent', async (_, fields, message) => {
  expect(await submit(fields)).toMatchObject(refusal(1, message));
  expect(await sentCount()).toBe(0);
});

test("`delegation submit` rejects another account's signature and names the account", async () => {
  const { exitCode, error } = await submit({}, payer);
  expect(exitCode).toBe(1);
  expect(error).toContain(`not by ${authority.address} but by ${payer.address}`);
  expect(await sentCount()).toBe(0);
});

test('`delegation submit` rejects a delegation whose nonce is no longer current', async () => {
  const old = await writeSigned(`${directory}/old.json`, authority, await intent());
  await submit({ delegateAddress: undefined });
  const { exitCode, error } = await submitFile(old);
  expect(exitCode).toBe(1);
  expect(error).toContain("signed with nonce 0, but the authority's nonce is 1");
  expect(error).toContain('delegates to nobody; the authority has to sign again');
});

test('a contract wallet signs with its code (EIP-1271)', async () => {
  // It returns isValidSignature's selector to every call.
  const bytecode = '0x631626ba7e60e01b60005260206000f3';
  await registry.chain.client.setCode({ address: authority.address, bytecode });
  expect(await submit({}, payer)).toMatchObject({ exitCode: 0, answer: { inForce: true } });
});

test('`delegation submit` reports a payer without funds', async () => {
  await registry.chain.client.setBalance({ address: payer.address, value: 0n });
  const { exitCode, error } = await submit();
  expect(exitCode).toBe(1);
  expect(error).toMatch(/funds/i);
});

test('`delegation submit` reports a registry that does not support signed delegations', async () => {
  const path = await writeSigned(`${directory}/delegation.json`, authority, await intent());
  await registry.chain.client.setCode({ address: registry.address, bytecode: '0x5f5ffd' });
  expect(await submitFile(path)).toMatchObject(refusal(1, 'does not support signed delegations'));
});

test.each([
  ['that is not there', 'missing.json', undefined, 'missing.json: ENOENT'],
  [
    'that holds something else',
    'other.json',
    '{"domain":{}}',
    'is not a signed delegation: message is missing; it must be an object',
  ],
])('`delegation submit` rejects a file %s', async (_, name, text, message) => {
  if (text) writeFileSync(`${directory}/${name}`, text);
  expect(await submitFile(`${directory}/${name}`)).toMatchObject(refusal(2, message));
});
