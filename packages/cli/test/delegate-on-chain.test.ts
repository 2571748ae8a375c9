import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import {
  author,
  other,
  platform,
  type RegistryFixture,
  startRegistry,
  stranger,
} from '../../../contracts/test/chain/registry.ts';
import { fakeApi } from '../../client/test/fake-api.ts';
import { signAsWallet } from '../../verifier/test/delegation/signed.ts';
import { run } from './run.ts';

let registry: RegistryFixture;
beforeEach(async () => {
  registry = await startRegistry();
});
afterEach(() => registry?.stop());

/** The command, with a service that serves the registry. */
async function delegate(...argv: string[]) {
  const chain = {
    ...{ chainId: 31_337, name: 'Local', registryAddress: registry.address },
    ...{ authorityAddress: author, delegateAddress: platform, delegationActive: false },
  };
  return run(await fakeApi([200, { chains: [chain] }]), ['delegate', ...argv]);
}

async function send(from: Hex, { to, data }: { to: Hex; data: Hex }) {
  const hash = await registry.chain.client.sendTransaction({ account: from, to, data });
  const { status } = await registry.chain.client.waitForTransactionReceipt({ hash });
  expect(status).toBe('success');
}

const delegateNow = async () => (await registry.view.delegations([author]))[0];

test('the authority sends what the command prints, and the delegation is made, changed and taken back', async () => {
  const call = async (...argv: string[]) =>
    JSON.parse((await delegate(...argv, '--json')).out).delegations[0].call;
  await send(author, await call());
  expect(await delegateNow()).toBe(platform);
  await send(author, await call('--to', other));
  expect(await delegateNow()).toBe(other);
  await send(author, await call('--revoke'));
  expect(await delegateNow()).toBe(zeroAddress);
});

test('a wallet signs the typed data, and anyone sends it', async () => {
  for (const [argv, expected] of [
    [[], platform],
    [['--revoke'], zeroAddress],
  ] as const) {
    const { out, error, exitCode } = await delegate(...argv, '--typed-data', '--rpc', registry.chain.rpcUrl);
    expect(exitCode).toBe(0);
    expect(error).toContain('cast wallet sign --data --from-file delegation.json');
    const typedData = JSON.parse(out);
    const signature = await signAsWallet(fundedAccount(1), typedData);
    const { authority, delegateAddress, nonce, deadline } = typedData.message;
    const args = [authority, delegateAddress, BigInt(nonce), BigInt(deadline), signature] as const;
    const data = encodeFunctionData({ abi, functionName: 'delegateBySig', args });
    await send(stranger, { to: registry.address, data });
    expect(await delegateNow()).toBe(expected);
  }
});

test('the signature can be sent for as many days as the option says', async () => {
  const { out } = await delegate('--typed-data', '--days', '2', '--rpc', registry.chain.rpcUrl);
  const seconds = JSON.parse(out).message.deadline - Date.now() / 1000;
  expect(Math.round(seconds / 3600)).toBe(48);
});

test('nothing is signed for a contract that is not known', async () => {
  const code = await registry.chain.client.getCode({ address: registry.address });
  await registry.chain.client.setCode({ address: other, bytecode: code ?? '0x' });
  const argv = ['--registry', other, '--chain', '31337', '--to', platform, '--authority', author];
  const { exitCode, error } = await delegate(...argv, '--typed-data', '--rpc', registry.chain.rpcUrl);
  expect({ exitCode, error }).toEqual({
    exitCode: 1,
    error: `imprimatur: the contract ${other} on chain 31337 is no registry that is known here: sign nothing for it\n`,
  });
});

test.each([
  ['nobody answers', ['--rpc', 'http://127.0.0.1:1'], 1, /^imprimatur: no RPC provider answers .*--rpc\n$/],
  ['no provider is known', [], 2, /no RPC provider of chain 31337 is known here: name one with --rpc\n$/],
] as const)('it says what to do where %s', async (_, argv, code, message) => {
  const { exitCode, error } = await delegate('--typed-data', ...argv);
  expect(exitCode).toBe(code);
  expect(error).toMatch(message);
});

test('an RPC provider of another chain is not believed', async () => {
  const argv = ['--registry', registry.address, '--chain', '1', '--to', platform, '--authority', author];
  const { exitCode } = await delegate(...argv, '--typed-data', '--rpc', registry.chain.rpcUrl);
  expect(exitCode).toBe(1);
});
