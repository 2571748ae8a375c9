import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { encodeFunctionData, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Answers } from '../../../admin/setup/answers.ts';
import { attestationStep, verificationStep } from '../../../admin/setup/steps/attestation.ts';
import { apiKeyStep, delegationStep, organizationStep } from '../../../admin/setup/steps/publisher.ts';
import {
  createApiKey,
  generateApiKey,
  isApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../functions/domain/organization/api-keys.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { answeringServer, type Reply } from '../../fakes/rpc/answering-server.ts';
import { fakeAccount } from '../commands/doctor/fake-account.ts';
import {
  createOrganization,
  FakeDeployment,
  registryAddress,
  signerAddress,
} from '../commands/fake-deployment.ts';
import { environmentWith, type Given, lookAndAct, temporaryFolder } from './fake-setup.ts';

const [chain] = environmentWith().settings.chains as [ChainSettings];
const undeployed: Given = { deployment: undefined };
const key = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const otherKey = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const asking = (fields: Partial<Answers>): Given => ({ answers: fields });

async function withOrganization() {
  const deployment = new FakeDeployment();
  return { deployment, id: await createOrganization(deployment, key.address) };
}

test('the step `organization` creates one, and neither asks nor changes anything if there is one', async () => {
  const step = organizationStep(chain);
  expect((await lookAndAct(step, undeployed)).first).toMatch(/^later: The Daily, authority 0x7099/);
  const created = await lookAndAct(step);
  expect([created.made.length, created.next]).toEqual([1, expect.stringMatching(/^done: The Daily \(/)]);
  const { deployment } = await withOrganization();
  const organization = () => Promise.reject(new Error('not asked'));
  const found = await lookAndAct(step, { deployment, ...asking({ organization }) });
  expect([found.made, found.next]).toEqual([[], expect.stringMatching(/^done: The Paper \(/)]);
});

test('the step `API key` issues the key of a file that an earlier run wrote, and refuses one that is revoked', async () => {
  const step = apiKeyStep(chain);
  expect((await lookAndAct(step, undeployed)).first).toMatch(/^later: in .*api-key/);
  const { deployment, id } = await withOrganization();
  const directory = temporaryFolder();
  const given = { deployment, directory };
  writeFileSync(`${directory}/api-key`, `${generateApiKey('test')}\n`);
  const { first, next } = await lookAndAct(step, given);
  expect([first, next]).toEqual([expect.stringMatching(/^to do/), expect.stringMatching(/^done/)]);
  const [stored, ...others] = await listApiKeys(deployment.records, id);
  expect([next, others]).toEqual([expect.stringContaining(stored?.id ?? ''), []]);
  await revokeApiKey(deployment.records, stored?.id ?? '', deployment.now());
  expect((await lookAndAct(step, given)).first).toMatch(
    /^error: the API key in .* is revoked; remove the file/,
  );
});

test('the step `API key` replaces a file without a valid key', async () => {
  const { deployment } = await withOrganization();
  const directory = temporaryFolder();
  writeFileSync(`${directory}/api-key`, generateApiKey('test').slice(0, 20));
  const { next } = await lookAndAct(apiKeyStep(chain), { deployment, directory });
  expect([isApiKey(readFileSync(`${directory}/api-key`, 'utf8').trim()), next]).toEqual([
    ...[true, expect.stringMatching(/^done/)],
  ]);
  expect(statSync(`${directory}/api-key`).mode & 0o777).toBe(0o600);
});

const authorityKey = async () => key;
const delegateTo = encodeFunctionData({ abi, functionName: 'delegate', args: [signerAddress] });

test('the step `delegation` needs the key of the authority, which it checks before the first change', async () => {
  const step = delegationStep(chain);
  const organization = async () => ({ name: 'The Daily', authority: key.address });
  const ofAuthority = asking({ organization, authorityKey });
  expect((await lookAndAct(step, { ...undeployed, ...ofAuthority })).first).toMatch(/^later: .*50,000 gas/);
  const { deployment } = await withOrganization();
  const ofOther = asking({ organization, authorityKey: async () => otherKey });
  for (const given of [undeployed, { deployment }])
    expect((await lookAndAct(step, { ...given, ...ofOther })).first).toBe(
      `error: the authority's key file is for ${otherKey.address}, not for ${key.address}`,
    );
  const [waiting, sent] = [
    await lookAndAct(step, { deployment }),
    await lookAndAct(step, { deployment, ...ofAuthority }),
  ];
  expect(waiting.first).toBe(
    `waiting: from ${key.address} to ${signerAddress}; From ${key.address}, call delegate(${signerAddress}) ` +
      `on ${registryAddress}, chain 31337: see docs/guides/delegate.md.`,
  );
  expect(sent.made).toEqual([
    ['send', expect.anything(), { from: key, to: registryAddress, data: delegateTo }],
  ]);
  deployment.delegates.set(key.address, signerAddress);
  const unasked = asking({ authorityKey: () => Promise.reject(new Error('not asked')) });
  expect((await lookAndAct(step, { deployment, ...unasked })).first).toMatch(/^done: from 0x/);
});

const confirmed = {
  ...{
    id: '019b76da-a800-7000-8000-00000000a001',
    status: 'confirmed',
    contentCid: `bafkrei${'a'.repeat(52)}`,
  },
  ...{ chainId: 31337, authorityAddress: key.address, registryAddress, attestationIndex: 42, error: null },
  ...{ childAttestationId: null, childLinkTxHash: null, createdAt: '2026-01-02T03:04:05.678Z' },
  confirmedAt: '2026-01-02T03:04:05.678Z',
};

test.each([
  ['no API key', undefined, /^later/, []],
  [
    'an API key that the service does not have',
    { status: 401, body: '{"error":"unauthorized"}' },
    /^to do/,
    ['attest'],
  ],
  ['no confirmed attestation', { body: '{"attestations":[]}' }, /^to do/, ['attest']],
  [
    'a confirmed attestation',
    { body: JSON.stringify({ attestations: [confirmed] }) },
    /^done: 019b76da.* is confirmed/,
    [],
  ],
] as const)('the step `first attestation` finds %s', async (_, reply: Reply | undefined, first, changes) => {
  const directory = temporaryFolder();
  if (reply) writeFileSync(`${directory}/api-key`, `${generateApiKey('test')}\n`);
  const ApiUrl = `${await answeringServer(() => reply ?? { body: '' })}/live`;
  const stack = async () => ({ ...(await fakeAccount().stack()), outputs: { ApiUrl } }) as never;
  const { made, ...found } = await lookAndAct(attestationStep(chain), { directory, account: { stack } });
  expect([found.first, made.map(([name]) => name)]).toEqual([expect.stringMatching(first), changes]);
  const isConfirmed = first.source.includes('confirmed');
  const verification = await lookAndAct(verificationStep, { directory, account: { stack } });
  expect(verification.first).toMatch(isConfirmed ? /^error: the verification returns unknown/ : /^later/);
});

test('the step `first attestation` says why it waits while fees exceed the cap in force', async () => {
  const step = attestationStep(chain);
  const methods = { eth_gasPrice: () => numberToHex(300n * 10n ** 9n) };
  const text = 'attestations wait while a fee of 300 gwei on Local exceeds maxFeePerGasGwei, 200';
  const { first } = await lookAndAct(step, { ...undeployed, chain: { methods } });
  expect(first).toBe(`later: ${text}; 160,000 gas`);
  const directory = temporaryFolder();
  writeFileSync(`${directory}/api-key`, `${generateApiKey('test')}\n`);
  const ApiUrl = `${await answeringServer(() => ({ body: '{"attestations":[]}' }))}/live`;
  const stack = async () => ({ ...(await fakeAccount().stack()), outputs: { ApiUrl } }) as never;
  const deployment = new FakeDeployment();
  const given = { directory, account: { stack }, deployment, chain: { methods } };
  expect((await lookAndAct(step, given)).first).toBe(
    `waiting: ${text}; Wait for a lower fee, or run npm run admin -- settings set maxFeePerGasGwei=GWEI --chain 31337.`,
  );
  await deployment.settingsStore.writeChanges({ chains: { 31337: { maxFeePerGasGwei: 400 } } });
  expect((await lookAndAct(step, given)).first).toMatch(/^to do/);
});

test('the step `API key` issues no second key on another machine', async () => {
  const { deployment, id } = await withOrganization();
  const { key: issued } = await createApiKey(deployment.records, {
    ...{ organizationId: id, mode: 'test', now: deployment.now() },
  });
  const directory = temporaryFolder();
  const step = apiKeyStep(chain);
  const { first, made } = await lookAndAct(step, { deployment, directory });
  expect([first, made]).toEqual([
    expect.stringMatching(/^waiting: an API key of .*run key create --org/),
    [],
  ]);
  writeFileSync(`${directory}/api-key`, issued);
  expect((await lookAndAct(step, { deployment, directory })).first).toMatch(/^done/);
});
