import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { runDeploy } from '../../../../admin/contracts/run-deploy.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import codeHashes from '../../../deploy/code-hashes.json' with { type: 'json' };
import { registryAddress } from '../../../deploy/registry-deployment.ts';
import { fundedAccount } from '../chain.ts';
import { chain, useChain } from '../use-chain.ts';

const program = fileURLToPath(new URL('../../../../admin/contracts/deploy.ts', import.meta.url));
/** The first of anvil's well-known keys. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const payer = { IMPRIMATUR_DEPLOYER_PRIVATE_KEY: key };
const admin = fundedAccount(9).address;

useChain();

async function run(args: string[], environment: Record<string, string> = {}) {
  const output = { stdout: '', stderr: '' };
  const exitCode = await runDeploy(args, {
    environment,
    write: (text) => {
      output.stdout += text;
    },
    writeError: (text) => {
      output.stderr += text;
    },
  });
  return { exitCode, ...output };
}

const deploy = (...args: string[]) => run(['--rpc', chain.rpcUrl, '--json', ...args], payer);

test('`deploy` deploys the registry at its published address with its published code', async () => {
  const { exitCode, stdout } = await deploy();
  const { address, runtimeCodeHash: codeHash } = codeHashes.AttestationRegistry;
  expect(JSON.parse(stdout)).toEqual({
    chainId: 31337,
    contracts: [{ name: 'AttestationRegistry', address, codeHash, deployedNow: true }],
  });
  expect(keccak256((await chain.client.getCode({ address: registryAddress(60) })) ?? '0x')).toBe(codeHash);
  expect(exitCode).toBe(0);
});

test('`deploy --admin` also deploys the forwarder', async () => {
  const { stdout } = await deploy('--admin', admin);
  const [, forwarder] = JSON.parse(stdout).contracts;
  expect(forwarder).toMatchObject({
    name: 'DelegateForwarder',
    codeHash: codeHashes.DelegateForwarder.runtimeCodeHash,
  });
  const read = (functionName: 'admin' | 'registry') =>
    chain.client.readContract({ address: forwarder.address, abi: delegateForwarderAbi, functionName });
  expect([await read('admin'), await read('registry')]).toEqual([admin, registryAddress(60)]);
});

test('`deploy --registry` deploys the forwarder for an existing registry', async () => {
  const [ours] = JSON.parse((await deploy('--reveal-delay', '5')).stdout).contracts;
  const { stdout } = await deploy('--admin', admin, '--registry', ours.address);
  expect(JSON.parse(stdout).contracts).toHaveLength(1);
});

test('`deploy` refuses a registry that does not exist', async () => {
  const { exitCode, stderr } = await deploy('--admin', admin, '--registry', admin);
  expect(stderr).toBe(`Chain 31337 has no registry at ${admin}. Check --registry.\n`);
  expect(exitCode).toBe(1);
});

test('`deploy` needs no account if the contracts exist', async () => {
  await deploy();
  const { exitCode, stdout } = await run(['--rpc', chain.rpcUrl]);
  expect(stdout).toMatch(/^chain 31337\nAttestationRegistry 0x\w{40} already deployed, code verified/);
  expect(exitCode).toBe(0);
});

test('`deploy` reads the URL from RPC_URL', async () => {
  const { exitCode } = await run([], { ...payer, RPC_URL: chain.rpcUrl });
  expect(exitCode).toBe(0);
});

test.each([
  { name: 'no payer', environment: {}, message: /^Set IMPRIMATUR_DEPLOYER_PRIVATE_KEY or/ },
  {
    name: 'two payers',
    environment: { ...payer, IMPRIMATUR_DEPLOYER_KMS_KEY: 'id' },
    message: /only one of/,
  },
  {
    name: 'an invalid key',
    environment: { IMPRIMATUR_DEPLOYER_PRIVATE_KEY: 'secret' },
    message: /must be 0x and 64 hexadecimal digits/,
  },
])('`deploy` rejects an environment with $name', async ({ environment, message }) => {
  const { exitCode, stderr } = await run(['--rpc', chain.rpcUrl], environment);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('secret');
  expect(exitCode).toBe(1);
});

test.each([
  { args: [], message: '--rpc (or RPC_URL) must be an http or https URL' },
  { args: ['--rpc', 'file:///etc/passwd'], message: 'must be an http or https URL' },
  { args: ['--rpc', 'http://x', '--reveal-delay', '1.5'], message: "'--reveal-delay <s>' argument" },
  { args: ['--rpc', 'http://x', '--reveal-delay', '90000'], message: "'--reveal-delay <s>' argument" },
  { args: ['--rpc', 'http://x', '--admin', '0x12'], message: 'Use a valid address.' },
  { args: ['--rpc', 'http://x', '--admin', `0x${'0'.repeat(40)}`], message: 'other than the zero address' },
  { args: ['--rpc', 'http://x', '--registry', admin], message: '--registry needs --admin' },
  { args: ['--private-key', key], message: "unknown option '--private-key'" },
])('`deploy` exits 2 for $args', async ({ args, message }) => {
  expect(await run(args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('`deploy` does not print the URL of a chain that does not respond', async () => {
  const { exitCode, stdout, stderr } = await run(['--rpc', 'http://127.0.0.1:9/secret'], payer);
  expect(stderr).toContain('The request to the chain failed');
  expect(stdout + stderr).not.toContain('secret');
  expect(exitCode).toBe(1);
});

test('`deploy` refuses different code at the address', async () => {
  await chain.client.setCode({ address: registryAddress(60), bytecode: '0x00' });
  const { exitCode, stderr } = await deploy();
  expect(stderr).toContain('differs from the compiled AttestationRegistry');
  expect(exitCode).toBe(1);
});

test('`deploy --help` exits 0', async () => {
  const { exitCode, stdout } = await run(['--help']);
  expect(stdout).toContain('npm run deploy --workspace contracts --');
  expect(exitCode).toBe(0);
});

test('the process reads its arguments and environment, and prints and exits like the function', () => {
  const { PATH } = process.env;
  const env = { PATH, ...payer, RPC_URL: chain.rpcUrl };
  const options = { env, encoding: 'utf8', timeout: 120_000 } as const;
  const start = (...args: string[]) => spawnSync(process.execPath, [program, ...args], options);
  const { stdout, ...deployed } = start('--json');
  expect(JSON.parse(stdout)).toMatchObject({ chainId: 31337, contracts: [{ deployedNow: true }] });
  expect(deployed).toMatchObject({ status: 0, stderr: '' });
  const stderr = 'error: --registry needs --admin\n';
  expect(start('--registry', admin)).toMatchObject({ status: 2, stdout: '', stderr });
});
