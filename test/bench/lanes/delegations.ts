import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, createTestClient, createWalletClient, type Hash, http, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { setBalance } from 'viem/actions';
import type { LaneChain } from './lane-chain.ts';

/** More than any run spends, at any gas price. */
const allowance = parseEther('1000000000');

export interface Delegates {
  readonly signerAddress: Address;
  /** Delegate of the authorities: the signer, or the forwarder that takes calls from it. */
  readonly delegateAddress: Address;
}

/** Funds the signer, makes it an operator where needed, and makes so many authorities that delegate. */
export async function delegateAuthorities(
  laneChain: LaneChain,
  delegates: Delegates,
  count: number,
): Promise<Address[]> {
  const authorities = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()));
  const addresses = authorities.map(({ address }) => address);
  const client = createTestClient({ mode: 'anvil', transport: http(laneChain.chain.rpcUrl) });
  for (const address of [delegates.signerAddress, ...addresses]) {
    await setBalance(client, { address, value: allowance });
  }
  const sent = await Promise.all([
    ...authorities.map((authority) => delegate(laneChain, authority, delegates.delegateAddress)),
    ...(delegates.delegateAddress === laneChain.forwarderAddress
      ? [addOperator(laneChain, delegates.signerAddress)]
      : []),
  ]);
  await Promise.all(sent.map((hash) => laneChain.chain.publicClient.waitForTransactionReceipt({ hash })));
  return addresses;
}

function delegate(
  { chain, registryAddress }: LaneChain,
  account: PrivateKeyAccount,
  delegateAddress: Address,
): Promise<Hash> {
  const { chain: definition } = chain.walletClient;
  const wallet = createWalletClient({ account, chain: definition, transport: http(chain.rpcUrl) });
  return wallet.writeContract({
    address: registryAddress,
    abi: attestationRegistryAbi,
    functionName: 'delegate',
    args: [delegateAddress],
  });
}

function addOperator({ chain, forwarderAddress }: LaneChain, signerAddress: Address): Promise<Hash> {
  return chain.walletClient.writeContract({
    address: forwarderAddress,
    abi: delegateForwarderAbi,
    functionName: 'addOperator',
    args: [signerAddress],
  });
}
