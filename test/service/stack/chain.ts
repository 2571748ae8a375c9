import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { createPublicClient, createTestClient, createWalletClient, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { stack } from './running-stack.ts';

/** As `startStack` starts its chain. */
const blockTimeSeconds = 1;

const transport = http(stack.rpcUrl);
const registry = { abi, address: stack.registryAddress } as const;

export const publicClient = createPublicClient({ chain: anvil, transport });
const testClient = createTestClient({ chain: anvil, mode: 'anvil', transport });

/** An account with funds, which only the test knows. */
export async function newAccount(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await testClient.setBalance({ address: account.address, value: parseEther('10') });
  return account;
}

function wallet(account: PrivateKeyAccount) {
  return createWalletClient({ account, chain: anvil, transport });
}

async function mined(hash: Promise<Hex>): Promise<void> {
  const receipt = await publicClient.waitForTransactionReceipt({ hash: await hash, pollingInterval: 200 });
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} reverted`);
}

/** To the signing key, unless told otherwise. */
export function delegate(account: PrivateKeyAccount, to = stack.signerAddress): Promise<void> {
  return mined(wallet(account).writeContract({ ...registry, functionName: 'delegate', args: [to] }));
}

export function revokeDelegation(account: PrivateKeyAccount): Promise<void> {
  return mined(wallet(account).writeContract({ ...registry, functionName: 'revokeDelegation' }));
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

export function revokeAttestation(account: PrivateKeyAccount, index: number): Promise<void> {
  const args = [BigInt(index)] as const;
  return mined(wallet(account).writeContract({ ...registry, functionName: 'revokeAttestation', args }));
}

/** Index 0 when the authority has not attested the digest. */
export async function attestationIndex(digest: Hex, authority: Hex): Promise<number> {
  const view = { ...registry, functionName: 'cidAndAddressToAttestationIndices' } as const;
  return Number(await publicClient.readContract({ ...view, args: [digest, authority] }));
}

export async function childOf(index: number): Promise<Hex> {
  const view = { ...registry, functionName: 'attestations' } as const;
  return (await publicClient.readContract({ ...view, args: [BigInt(index)] }))[6];
}

/** Lets no block come while the work is done, so that whatever it sends stays unmined until then. */
export async function betweenBlocks<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  await testClient.setIntervalMining({ interval: 0 });
  try {
    return await work();
  } finally {
    await testClient.setIntervalMining({ interval: blockTimeSeconds });
  }
}

/** The transaction as it was sent, and the time of the block it is mined in, in seconds since 1970. */
export async function minedTransaction(hash: unknown) {
  const transaction = await publicClient.getTransaction({ hash: hash as Hex });
  const { timestamp } = await publicClient.getBlock({ blockNumber: transaction.blockNumber ?? 0n });
  return { ...transaction, minedAt: Number(timestamp) };
}

/** A complete reference to a confirmed attestation, as the API shows it. */
export function referenceTo(attestation: Record<string, unknown>) {
  return {
    chainId: Number(attestation.chainId),
    registryAddress: stack.registryAddress,
    authorityAddress: attestation.authorityAddress as Hex,
    contentCid: String(attestation.contentCid),
    attestationIndex: Number(attestation.attestationIndex),
  };
}
