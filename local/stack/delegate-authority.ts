import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseEther,
} from 'viem';
import type { ConnectedChain } from './connect-chain.ts';

/** Returns the amounts that the deployer sends. Except on a development chain, coins are scarce. */
function amounts(development: boolean) {
  return development
    ? { signer: parseEther('100'), authority: parseEther('1') }
    : { signer: parseEther('0.02'), authority: parseEther('0.002') };
}

interface Request {
  readonly to: Address;
  readonly value?: bigint;
  readonly data?: Hex;
}

/** Sends all transactions as the deployer and then waits for them, so that they can share a block. */
async function sendAll({ publicClient, walletClient }: ConnectedChain, requests: readonly Request[]) {
  const { account } = walletClient;
  let nonce = await publicClient.getTransactionCount({ address: account.address, blockTag: 'pending' });
  const hashes: Hex[] = [];
  for (const request of requests)
    hashes.push(await walletClient.sendTransaction({ ...request, nonce: nonce++ }));
  for (const hash of hashes) await publicClient.waitForTransactionReceipt({ hash });
}

/** A delegation to send, with its addresses. */
export interface Delegation {
  readonly registryAddress: Address;
  readonly authority: PrivateKeyAccount;
  readonly delegateAddress: Address;
  /** Address of the signing key (default: the delegate itself). */
  readonly signerAddress?: Address;
  /** Forwarder to which the signer is added as operator. */
  readonly forwarderAddress?: Address;
}

function fundingRequests({ development }: ConnectedChain, delegation: Delegation): Request[] {
  const { authority, delegateAddress, signerAddress = delegateAddress, forwarderAddress } = delegation;
  const amount = amounts(development);
  const args = [signerAddress] as const;
  const data = encodeFunctionData({ abi: delegateForwarderAbi, functionName: 'addOperator', args });
  return [
    { to: signerAddress, value: amount.signer },
    { to: authority.address, value: amount.authority },
    ...(forwarderAddress ? [{ to: forwarderAddress, data }] : []),
  ];
}

/** Funds the signer and the authority, then sends the authority's delegation. */
export async function delegateAuthority(chain: ConnectedChain, delegation: Delegation): Promise<void> {
  const { registryAddress, authority, delegateAddress } = delegation;
  await sendAll(chain, fundingRequests(chain, delegation));
  const { chain: definition } = chain.walletClient;
  const wallet = createWalletClient({ account: authority, chain: definition, transport: http(chain.rpcUrl) });
  const hash = await wallet.writeContract({
    address: registryAddress,
    abi: attestationRegistryAbi,
    functionName: 'delegate',
    args: [delegateAddress],
  });
  await chain.publicClient.waitForTransactionReceipt({ hash });
}
