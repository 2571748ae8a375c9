import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegationTypedData, signedDelegationCall } from 'imprimatur-verifier/delegation';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  nonceManager,
  parseEther,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import { signAsWallet } from '../../../packages/verifier/test/delegation/signed.ts';
import { stack } from './running-stack.ts';

/** The chain as `startStack` starts it. */
const blockTimeSeconds = 1;

const transport = http(stack.rpcUrl);
const registry = { abi, address: stack.registryAddress } as const;

export const publicClient = createPublicClient({ chain: anvil, transport });
const testClient = createTestClient({ chain: anvil, mode: 'anvil', transport });

/** Anvil's account that pays for all others: one for each worker, which counts its nonces. */
const payer = { ...fundedAccount(Number(process.env.VITEST_POOL_ID)), nonceManager };

function wallet(account: LocalAccount) {
  return createWalletClient({ account, chain: anvil, transport });
}

async function mined(hash: Promise<Hex>): Promise<void> {
  const receipt = await publicClient.waitForTransactionReceipt({ hash: await hash, pollingInterval: 200 });
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} reverted`);
}

/**
 * Gives an account coins by a transaction. `anvil_setBalance` changes the state without a block, so until the next
 * block the node's proofs would not match the newest block.
 */
export function fund(address: Hex): Promise<void> {
  return mined(wallet(payer).sendTransaction({ to: address, value: parseEther('1') }));
}

/** Sends the authority's signed delegation from the payer, so that the authority needs no coins. */
async function setDelegate(authority: PrivateKeyAccount, delegateAddress: Hex | undefined): Promise<void> {
  const authorityAddress = authority.address;
  const nonce = await publicClient.readContract({
    ...registry,
    functionName: 'nonceOf',
    args: [authorityAddress],
  });
  const deadline = Math.floor(Date.now() / 1000) + 3_600;
  const { chainId, registryAddress } = stack;
  const intent = {
    chainId,
    registryAddress,
    authorityAddress,
    delegateAddress,
    nonce: Number(nonce),
    deadline,
  };
  const signature = await signAsWallet(authority, delegationTypedData(intent));
  const { to, data } = signedDelegationCall(intent, signature);
  await mined(wallet(payer).sendTransaction({ to, data }));
}

export function delegate(authority: PrivateKeyAccount, to = stack.signerAddress): Promise<void> {
  return setDelegate(authority, to);
}

export function revokeDelegation(authority: PrivateKeyAccount): Promise<void> {
  return setDelegate(authority, undefined);
}

export function commitBy(account: PrivateKeyAccount, saltedHash: Hex): Promise<void> {
  return mined(wallet(account).writeContract({ ...registry, functionName: 'commit', args: [saltedHash] }));
}

export function revealBy(
  account: PrivateKeyAccount,
  args: readonly [Hex, Hex, Hex, Hex, Hex, Hex],
): Promise<void> {
  return mined(wallet(account).writeContract({ ...registry, functionName: 'reveal', args }));
}

export async function revokeAttestation(account: PrivateKeyAccount, index: number): Promise<void> {
  await fund(account.address);
  const args = [BigInt(index)] as const;
  await mined(wallet(account).writeContract({ ...registry, functionName: 'revokeAttestation', args }));
}

/** Returns 0 if the authority has not attested the digest. */
export async function attestationIndex(digest: Hex, authority: Hex): Promise<number> {
  const view = { ...registry, functionName: 'cidAndAddressToAttestationIndices' } as const;
  return Number(await publicClient.readContract({ ...view, args: [digest, authority] }));
}

export async function childOf(index: number): Promise<Hex> {
  const view = { ...registry, functionName: 'attestations' } as const;
  return (await publicClient.readContract({ ...view, args: [BigInt(index)] }))[6];
}

/** Stops mining during the work, so that its transactions stay unmined. */
export async function withoutBlocks<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  await testClient.setIntervalMining({ interval: 0 });
  try {
    return await work();
  } finally {
    await testClient.setIntervalMining({ interval: blockTimeSeconds });
  }
}

/** Returns the transaction, and the time of its block in seconds since 1970. */
export async function minedTransaction(hash: unknown) {
  const transaction = await publicClient.getTransaction({ hash: hash as Hex });
  const { timestamp } = await publicClient.getBlock({ blockNumber: transaction.blockNumber ?? 0n });
  return { ...transaction, minedAt: Number(timestamp) };
}

/** Returns the complete reference to a confirmed attestation, as the API shows it. */
export function referenceTo(attestation: Record<string, unknown>) {
  return {
    chainId: Number(attestation.chainId),
    registryAddress: stack.registryAddress,
    authorityAddress: attestation.authorityAddress as Hex,
    contentCid: String(attestation.contentCid),
    attestationIndex: Number(attestation.attestationIndex),
  };
}
