import { type Address, encodeFunctionData, type Hex } from 'viem';
import { delegateForwarderAbi as abi } from '../../artifacts/delegate-forwarder-abi.ts';
import { deployForwarder } from '../../deploy/deploy-forwarder.ts';
import { fundedAccount, sendMined } from './chain.ts';
import type { RegistryFixture } from './registry.ts';

export const operator = fundedAccount(6);

/** A forwarder to the registry whose one operator is `operator`. */
export async function startForwarder({ chain, address: registry }: RegistryFixture): Promise<Address> {
  const { client } = chain;
  const address = await deployForwarder({
    publicClient: client,
    walletClient: client,
    registry,
    admin: client.account.address,
  });
  const data = encodeFunctionData({ abi, functionName: 'addOperator', args: [operator.address] });
  await sendMined(chain, { to: address, data });
  return address;
}

export const executeCalldata = (calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, functionName: 'execute', args: [calls] });
