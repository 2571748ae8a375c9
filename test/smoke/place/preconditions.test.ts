import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { smokeEnvironment } from '../smoke-environment.ts';
import { remains } from './aws-place.ts';
import { bootstrapProblem } from './cdk.ts';
import { callerOf, checkPayer, refuseEndpoints, refuseLeftovers } from './preconditions.ts';
import { isChanging } from './stack-resources.ts';

const environment = smokeEnvironment('staging');
const arn = 'arn:aws:sts::444455556666:assumed-role/Admin/me';

test('refuses an emulator in place of AWS, for all services or for one', () => {
  refuseEndpoints({ AWS_PROFILE: 'staging', AWS_ENDPOINT_URL: '' });
  for (const name of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'])
    expect(() => refuseEndpoints({ [name]: 'http://localhost:4566' })).toThrow(`unset ${name}: `);
});

test("refuses credentials of another account than the environment's, and names whose they are", async () => {
  const mine = { account: '444455556666', arn, host: 'sts.eu-central-1.amazonaws.com' };
  expect(await callerOf(environment, async () => mine)).toBe(arn);
  const other = callerOf(environment, async () => ({ ...mine, account: '111122223333', arn: 'arn:other' }));
  await expect(other).rejects.toThrow(
    'the environment is account 444455556666, and the credentials are of arn:other',
  );
});

test('refuses an emulator that a profile names', async () => {
  const server = createServer((_, response) => {
    const xml = '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"/>';
    response.setHeader('content-type', 'text/xml').end(xml);
  });
  const port = await listening(server);
  const directory = mkdtempSync(`${tmpdir()}/profile-`);
  writeFileSync(`${directory}/config`, `[default]\nendpoint_url = http://127.0.0.1:${port}\n`);
  vi.stubEnv('AWS_CONFIG_FILE', `${directory}/config`);
  vi.stubEnv('AWS_PROFILE', undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  try {
    await expect(callerOf(environment)).rejects.toThrow('127.0.0.1 answers instead of AWS');
  } finally {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  }
});

test.each([
  [{ status: 'UPDATE_COMPLETE', tables: [], parameters: [] }, 'the stack Imprimatur-Smoke, UPDATE_COMPLETE'],
  [{ status: undefined, tables: ['Imprimatur-Smoke-restored-lanes'], parameters: [] }, 'restored-lanes'],
  [{ status: undefined, tables: [], parameters: ['/Imprimatur-Smoke/rpc-urls/84532'] }, 'rpc-urls/84532'],
])('refuses to begin on what an earlier run left: %j', (left, named) => {
  const refused = () => refuseLeftovers(environment, left, 'npm run smoke -- --env staging --destroy');
  expect(refused).toThrow(named);
  expect(refused).toThrow('npm run smoke -- --env staging --destroy');
});

test('begins where nothing is left', () => {
  refuseLeftovers(environment, { status: undefined, tables: [], parameters: [] }, '');
});

test('what a failed run says is left goes with one command', () => {
  expect(remains(environment).at(-1)).toBe('all of it goes with: npm run smoke -- --env staging --destroy');
});

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** @returns its port */
async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A provider that knows its chain and what everybody has. */
async function provider(chainId: number, balance: bigint): Promise<string> {
  const results: Record<string, string> = {
    web3_clientVersion: 'Geth/v1.16',
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_getBalance: `0x${balance.toString(16)}`,
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, method } = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  });
  return `http://127.0.0.1:${await listening(server)}/v2/KEY`;
}

const deployerKey = `0x${'1'.repeat(64)}`;
const given = async (chainId: number, balance: bigint, key = deployerKey) => ({
  rpcUrls: [await provider(chainId, balance)],
  deployerKey: key,
});
const enough = 3n * 10n ** 16n;

test('refuses a poor key, a malformed one and the URL of another chain before anything is made', async () => {
  await checkPayer(environment, await given(11155111, enough));
  await expect(checkPayer(environment, await given(11155111, enough - 1n))).rejects.toThrow(
    /^0x19E7\w+ has 0\.02999\d+ of the coin of Sepolia, and a run needs 0\.03$/,
  );
  await expect(checkPayer(environment, await given(1, enough))).rejects.toThrow(
    'the RPC URL is of chain 1, not 11155111',
  );
  await expect(checkPayer(environment, await given(11155111, enough, '0x12'))).rejects.toThrow(
    'IMPRIMATUR_DEPLOYER_PRIVATE_KEY is not',
  );
});

/** As https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html lists them. */
test.each<[string | undefined, boolean]>([
  ['UPDATE_IN_PROGRESS', true],
  ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', true],
  ['DELETE_IN_PROGRESS', true],
  ['REVIEW_IN_PROGRESS', false],
  ['UPDATE_ROLLBACK_FAILED', false],
  [undefined, false],
])('a stack that is %s is being changed: %s', (status, changing) => {
  expect(isChanging(status)).toBe(changing);
});

test("a deployment with the user's own rights does not prove the roles of cdk bootstrap", () => {
  const role = 'arn:aws:iam::444455556666:role/cdk-hnb659fds-cfn-exec-role-444455556666-eu-central-1';
  expect(bootstrapProblem(role, 'Imprimatur-Smoke: deploying...')).toBeUndefined();
  // As the CDK warns.
  const log =
    "current credentials could not be used to assume 'arn:aws:iam::444455556666:role/cdk-x-deploy-role', but are for the right account. Proceeding anyway.";
  expect(bootstrapProblem(role, log)).toContain('cdk-x-deploy-role');
  expect(bootstrapProblem(undefined, '')).toContain('as the user');
});
