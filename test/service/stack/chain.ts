import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegationTypedData, signedDelegationCall } from 'imprimatur-verifier/delegation';
import {
  createPublicClient,
  createWalletClient,
  type Hex,
  type LocalAccount,
  nonceManager,
  parseEther,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { fundedAccount } from '../../../contracts/test/chain/chain.ts';
import { signAsWallet } from '../../../packages/verifier/test/delegation/signed.ts';
import { anvilChain, anvilTransport } from '../../fakes/rpc/anvil.ts';
import { stack } from './running-stack.ts';

const transport = anvilTransport(stack.rpcUrl);
const registry = { abi, address: stack.registryAddress } as const;

export const publicClient = createPublicClient({ chain: anvilChain, transport });

/** Anvil's account that pays for all others: one for each worker, which counts its nonces. */
const payer = { ...fundedAccount(Number(process.env.VITEST_POOL_ID)), nonceManager };

function wallet(account: LocalAccount) {
  return createWalletClient({ account, chain: anvilChain, transport });
}

/** Waits until a transaction is mined. @throws Error if it reverted */
export async function mined(hash: Hex): Promise<void> {
  const receipt = await publicClient.waitForTransactionReceipt({ hash, pollingInterval: 200 });
  if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} reverted`);
}

/**
 * Gives an account coins by a transaction. `anvil_setBalance` changes the state without a block, so until the next
 * block the node's proofs would not match the newest block.
 */
export async function fund(address: Hex): Promise<void> {
  await mined(await wallet(payer).sendTransaction({ to: address, value: parseEther('1') }));
}

/** Sends the authority's signed delegation from the payer, so that the authority needs no coins. */
async function sendDelegation(authority: PrivateKeyAccount, delegateAddress: Hex | undefined): Promise<Hex> {
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
  return wallet(payer).sendTransaction({ to, data });
}

export async function delegate(authority: PrivateKeyAccount, to = stack.signerAddress): Promise<void> {
  await mined(await sendDelegation(authority, to));
}

export function sendRevocation(authority: PrivateKeyAccount): Promise<Hex> {
  return sendDelegation(authority, undefined);
}

export async function revokeDelegation(authority: PrivateKeyAccount): Promise<void> {
  await mined(await sendRevocation(authority));
}

export async function commitBy(account: PrivateKeyAccount, saltedHash: Hex): Promise<void> {
  const call = { ...registry, functionName: 'commit', args: [saltedHash] } as const;
  await mined(await wallet(account).writeContract(call));
}

export async function revealBy(
  account: PrivateKeyAccount,
  args: readonly [Hex, Hex, Hex, Hex, Hex, Hex],
): Promise<void> {
  await mined(await wallet(account).writeContract({ ...registry, functionName: 'reveal', args }));
}

export async function revokeAttestation(account: PrivateKeyAccount, index: number): Promise<void> {
  await fund(account.address);
  const args = [BigInt(index)] as const;
  await mined(await wallet(account).writeContract({ ...registry, functionName: 'revokeAttestation', args }));
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
