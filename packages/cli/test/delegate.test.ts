import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { decodeFunctionData } from 'viem';
import { describe, expect, it, test } from 'vitest';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import { author, platform, stranger } from '../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../contracts/test/chain/use-registry.ts';
import { fakeApi } from '../../client/test/fake-api.ts';
import { parseAuthorityLink } from '../../verifier/src/delegation/authority-link.ts';
import { signAsWallet } from '../../verifier/test/delegation/signed.ts';
import { expectError, run } from './run.ts';

const registryAddress = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const authorityAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const delegateAddress = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const other = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const chain = {
  ...{ chainId: 8453, name: 'Base', registryAddress, authorityAddress, delegateAddress },
  delegationActive: false as boolean | null,
};
const served = (...chains: object[]) => fakeApi([200, { chains }]);

async function planned(argv: readonly string[], ...chains: object[]) {
  const { out, exitCode } = await run(await served(...chains), ['delegate', ...argv, '--json']);
  expect(exitCode).toBe(0);
  return JSON.parse(out).delegations;
}

describe('delegate', () => {
  it('prints the transaction in every form', async () => {
    const page = 'https://pages.example/authority.html';
    const [delegation] = await planned(['--page', page], chain);
    expect(delegation).toMatchObject({ ...chain, call: { to: registryAddress, value: '0' } });
    expect(decodeFunctionData({ abi, data: delegation.call.data })).toEqual({
      functionName: 'delegate',
      args: [delegateAddress],
    });
    expect(delegation.cast).toContain(`'delegate(address)' ${delegateAddress} `);
    expect(parseAuthorityLink(new URL(delegation.page).hash)).toEqual({
      link: { chainId: 8453, registryAddress, authorityAddress, delegateAddress },
      problems: [],
    });
  });

  it('fits a terminal of 80 columns', async () => {
    const { out } = await run(await served(chain), ['delegate']);
    expect(out).toMatch(/^Base \(chain 8453\): not delegated to the service\.$/m);
    expect(out).toContain(`from  ${authorityAddress}\n`);
    expect(out).toContain(`to    ${registryAddress}\n`);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('reports an active delegation', async () => {
    const { out } = await run(await served({ ...chain, delegationActive: true }), ['delegate']);
    expect(out).toBe(`Base (chain 8453): delegated to the service.
Nothing to do: ${delegateAddress} may act for your authority.
To revoke the delegation: npx imprimatur delegate --revoke --chain 8453
`);
  });

  it('prints a revocation with --revoke', async () => {
    const [delegation] = await planned(['--revoke'], { ...chain, delegationActive: true });
    expect(delegation.delegateAddress).toBeNull();
    expect(decodeFunctionData({ abi, data: delegation.call.data }).functionName).toBe('revokeDelegation');
    expect(delegation.cast).not.toContain(delegateAddress);
  });

  it('prints a change to another delegate', async () => {
    const [delegation] = await planned(['--to', other], { ...chain, delegationActive: true });
    expect(decodeFunctionData({ abi, data: delegation.call.data }).args).toEqual([other]);
    const api = await served({ ...chain, delegationActive: true });
    expect((await run(api, ['delegate', '--to', other])).out).toContain(`delegate(${other}), no value`);
  });

  it('shows every chain, or the given one', async () => {
    const chains = [chain, { ...chain, chainId: 1, name: 'Ethereum', delegationActive: null }];
    const idsOf = (all: { chainId: number }[]) => all.map(({ chainId }) => chainId);
    expect(idsOf(await planned([], ...chains))).toEqual([8453, 1]);
    expect(idsOf(await planned(['--chain', '1'], ...chains))).toEqual([1]);
    const { out } = await run(await served(...chains), ['delegate', '--chain', '1']);
    expect(out).toContain('Ethereum (chain 1): delegation unknown.');
  });

  it('sends no request if the registry is given', async () => {
    const api = await served(chain);
    const argv = ['delegate', '--registry', registryAddress, '--chain', '1', '--revoke', '--json'];
    const { exitCode, out } = await run(api, argv, { variables: {} });
    expect(exitCode).toBe(0);
    expect(api.received).toEqual([]);
    expect(JSON.parse(out).delegations).toMatchObject([
      { chainId: 1, registryAddress, delegationActive: null, call: { signature: 'revokeDelegation()' } },
    ]);
  });

  it.each([
    ['a chain that is not served', ['--chain', '5'], 'it serves: 8453 (Base), 1 (Base)'],
    ['a wrong checksum', ['--to', other.replace('f39F', 'F39f')], '--to is not an address'],
    ['the zero address', ['--to', `0x${'0'.repeat(40)}`], '--to is not an address'],
    ['a missing delegate', ['--registry', other, '--chain', '1'], 'needs --to or --revoke'],
    ['a missing chain', ['--registry', other, '--revoke'], '--registry needs --chain'],
    ['contradictory options', ['--revoke', '--to', other], 'cannot be used with'],
    ['a page URL with another scheme', ['--page', 'javascript:alert(1)'], '--page must be'],
    [
      'a missing authority',
      ['--registry', other, '--chain', '1', '--revoke', '--typed-data'],
      'needs --authority',
    ],
    ['typed data of two chains', ['--typed-data'], 'pass --chain'],
  ])('refuses %s', async (_, argv, message) => {
    await expectError(run(await served(chain, { ...chain, chainId: 1 }), ['delegate', ...argv]), 2, message);
  });

  it('refuses an invalid address from the service', async () => {
    await expectError(
      run(await served({ ...chain, registryAddress: '0xa' }), ['delegate']),
      2,
      'returned an invalid address',
    );
  });
});

describe('delegate --typed-data', () => {
  useRegistry('test');

  /** Runs the command with a service that serves the registry. */
  async function delegateOnChain(...argv: string[]) {
    const chain = {
      ...{ chainId: 31_337, name: 'Local', registryAddress: registry.address },
      ...{ authorityAddress: author, delegateAddress: platform, delegationActive: false },
    };
    return run(await fakeApi([200, { chains: [chain] }]), ['delegate', ...argv]);
  }

  const rpc = () => ['--rpc', registry.chain.rpcUrl];

  test('prints typed data that a wallet signs and anyone can send, with the given deadline', async () => {
    const { out, error, exitCode } = await delegateOnChain('--typed-data', '--days', '2', ...rpc());
    expect(exitCode).toBe(0);
    expect(error).toContain('cast wallet sign --data --from-file delegation.json');
    const typedData = JSON.parse(out);
    const { authority, delegateAddress, nonce, deadline } = typedData.message;
    expect(Math.round((deadline - Date.now() / 1000) / 3600)).toBe(48);
    const signature = await signAsWallet(fundedAccount(1), typedData);
    await registry.mine(stranger, 'delegateBySig', [
      ...([authority, delegateAddress, BigInt(nonce), BigInt(deadline), signature] as const),
    ]);
    expect((await registry.view.delegations([author]))[0]).toBe(platform);
  });

  test('refuses a contract that is not a known registry', async () => {
    const code = await registry.chain.client.getCode({ address: registry.address });
    await registry.chain.client.setCode({ address: other, bytecode: code ?? '0x' });
    const argv = ['--registry', other, '--chain', '31337', '--to', platform, '--authority', author];
    await expectError(delegateOnChain(...argv, '--typed-data', ...rpc()), 1, 'do not sign anything');
  });

  test.each([
    [
      'no provider answers',
      ['--rpc', 'http://127.0.0.1:1'],
      1,
      /no RPC provider returns a registry .*--rpc\n$/,
    ],
    ['no provider is known', [], 2, /provider of chain 31337 is known; pass one with --rpc\n$/],
  ] as const)('prints advice if %s', async (_, argv, code, message) => {
    await expectError(delegateOnChain('--typed-data', ...argv), code, message);
  });

  test('ignores an RPC provider of another chain', async () => {
    const argv = ['--registry', registry.address, '--chain', '1', '--to', platform, '--authority', author];
    expect(await delegateOnChain(...argv, '--typed-data', ...rpc())).toMatchObject({ exitCode: 1 });
  });
});
