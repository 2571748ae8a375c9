import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain, type TestChain } from '../../../contracts/test/chain/chain.ts';
import { type ConnectedChain, connectChain } from '../../../local/stack/connect-chain.ts';
import { delegateAuthority } from '../../../local/stack/delegate-authority.ts';
import {
  deployContracts,
  type StackContracts,
  stackContracts,
} from '../../../local/stack/stack-contracts.ts';

let anvil: TestChain;
let chain: ConnectedChain;
let contracts: StackContracts;

beforeAll(async () => {
  anvil = await startChain();
  chain = await connectChain(anvil.rpcUrl, undefined);
  contracts = stackContracts(chain, 4);
  await deployContracts(chain, 4);
});
afterAll(() => anvil.stop());

const newAccount = () => privateKeyToAccount(generatePrivateKey());

const forwarder = () => ({ abi: delegateForwarderAbi, address: contracts.forwarderAddress }) as const;

function isOperator(address: Address): Promise<boolean> {
  return chain.publicClient.readContract({ ...forwarder(), functionName: 'isOperator', args: [address] });
}

async function delegateOf(authorityAddress: Address): Promise<Address> {
  const registry = { abi: attestationRegistryAbi, address: contracts.registryAddress } as const;
  const view = { ...registry, functionName: 'delegations', args: [authorityAddress] } as const;
  const [delegateAddress] = await chain.publicClient.readContract(view);
  return delegateAddress;
}

describe('deployContracts', () => {
  it('deploys both contracts at their predicted addresses, with the deployer as admin', async () => {
    const { publicClient, walletClient } = chain;
    const read = <Name extends 'registry' | 'admin'>(functionName: Name) =>
      publicClient.readContract({ ...forwarder(), functionName });
    expect(await read('registry')).toBe(contracts.registryAddress);
    expect(await read('admin')).toBe(walletClient.account.address);
  });

  it('keeps contracts that exist', async () => {
    const before = await chain.publicClient.getBlockNumber({ cacheTime: 0 });
    await deployContracts(chain, 4);
    expect(await chain.publicClient.getBlockNumber({ cacheTime: 0 })).toBe(before);
  });
});

describe('delegateAuthority', () => {
  const balance = (address: Address) => chain.publicClient.getBalance({ address });

  it('funds a key that is the delegate', async () => {
    const [authority, { address }] = [newAccount(), newAccount()];
    await delegateAuthority(chain, { ...contracts, authority, delegateAddress: address });
    expect(await delegateOf(authority.address)).toBe(address);
    expect(await balance(address)).toBe(parseEther('100'));
  });

  it('funds the key of a forwarder, and adds it as operator', async () => {
    const [authority, { address: signerAddress }] = [newAccount(), newAccount()];
    const delegateAddress = contracts.forwarderAddress;
    expect(await isOperator(signerAddress)).toBe(false);
    await delegateAuthority(chain, { ...contracts, authority, delegateAddress, signerAddress });
    expect(await isOperator(signerAddress)).toBe(true);
    expect(await delegateOf(authority.address)).toBe(delegateAddress);
    expect([await balance(signerAddress), await balance(delegateAddress)]).toEqual([parseEther('100'), 0n]);
  });
});
