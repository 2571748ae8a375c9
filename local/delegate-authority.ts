import { type Address, createWalletClient, type Hex, http, type PrivateKeyAccount, parseEther } from 'viem';
import { attestationRegistryAbi } from '../contracts/artifacts/attestation-registry-abi.ts';
import type { ConnectedChain } from './connect-chain.ts';

/** What the deployer gives; elsewhere than on a development chain it is real or scarce. */
function allowances(development: boolean) {
  return development
    ? { signer: parseEther('100'), authority: parseEther('1') }
    : { signer: parseEther('0.02'), authority: parseEther('0.002') };
}

async function fund({ publicClient, walletClient }: ConnectedChain, transfers: readonly [Address, bigint][]) {
  const { account } = walletClient;
  let nonce = await publicClient.getTransactionCount({ address: account.address, blockTag: 'pending' });
  const hashes: Hex[] = [];
  for (const [to, value] of transfers)
    hashes.push(await walletClient.sendTransaction({ to, value, nonce: nonce++ }));
  for (const hash of hashes) await publicClient.waitForTransactionReceipt({ hash });
}

export interface Delegation {
  readonly registryAddress: Address;
  readonly authority: PrivateKeyAccount;
  readonly delegateAddress: Address;
}

/** Funds both, then has the authority name its delegate, on the chain as any publisher would. */
export async function delegateAuthority(chain: ConnectedChain, delegation: Delegation): Promise<void> {
  const { registryAddress, authority, delegateAddress } = delegation;
  const allowance = allowances(chain.development);
  await fund(chain, [
    [delegateAddress, allowance.signer],
    [authority.address, allowance.authority],
  ]);
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
