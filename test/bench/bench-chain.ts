import { deployForwarder } from 'imprimatur-contracts/deploy/deploy-forwarder';
import { deployRegistry } from 'imprimatur-contracts/deploy/deploy-registry';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type ConnectedChain, connectChain } from '../../local/stack/connect-chain.ts';
import { delegateAuthority } from '../../local/stack/delegate-authority.ts';
import { type DelegateChoice, type SettingsInput, stackSettings } from '../../local/stack/stack-settings.ts';
import { startAnvil } from '../fakes/rpc/anvil.ts';

/** The length of the delay affects neither the hops nor the pace of a lane. */
export const revealDelaySeconds = 1;

/** A chain with the contracts, and an authority that has delegated to the signer or its forwarder. */
export interface BenchChain {
  readonly chain: ConnectedChain;
  readonly settings: SettingsInput;
  readonly authorityAddress: Address;
  readonly forwarderAddress: Address;
  stop(): Promise<void>;
}

/** Starts an anvil with a block time and with blocks that hold all transactions that a lane may have in flight. */
export async function startBenchChain(
  blockTimeSeconds: number,
  delegate: DelegateChoice,
  signerAddress: Address,
): Promise<BenchChain> {
  const { url, stop } = await startAnvil([
    '--block-time',
    String(blockTimeSeconds),
    '--gas-limit',
    '60000000',
  ]);
  const chain = await connectChain(url, undefined);
  const registryAddress = await deployRegistry({ ...chain, revealDelaySeconds });
  const admin = chain.walletClient.account.address;
  const forwarderAddress = await deployForwarder({ ...chain, registry: registryAddress, admin });
  const delegateAddress = delegate === 'key' ? signerAddress : forwarderAddress;
  const authority = privateKeyToAccount(generatePrivateKey());
  const delegation = { registryAddress, authority, delegateAddress, signerAddress, forwarderAddress };
  await delegateAuthority(chain, delegation);
  const { chainId, development } = chain;
  const contracts = { registryAddress, forwarderAddress, delegate };
  const timing = { revealDelaySeconds, blockTimeSeconds, confirmations: 1 };
  const settings = stackSettings({ chainId, development, ...contracts, ...timing }, {});
  return { chain, settings, authorityAddress: authority.address, forwarderAddress, stop };
}
