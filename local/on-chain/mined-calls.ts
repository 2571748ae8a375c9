import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  parseEventLogs,
  type Transaction,
  type TransactionReceipt,
} from 'viem';
import { attestationRegistryAbi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../contracts/artifacts/delegate-forwarder-abi.ts';

export type RegistryCall =
  | { readonly kind: 'commit'; readonly saltedHash: Hex }
  | {
      readonly kind: 'reveal';
      readonly saltedHash: Hex;
      readonly digest: Hex;
      readonly authorityAddress: Address;
    }
  | { readonly kind: 'other' };

/** A call that a transaction made, directly or through a forwarder. */
export type MinedCall = RegistryCall & { readonly succeeded: boolean };

function decodeRegistryCall(data: Hex): RegistryCall {
  try {
    const { functionName, args } = decodeFunctionData({ abi: attestationRegistryAbi, data });
    if (functionName === 'commit') return { kind: 'commit', saltedHash: args[0] };
    if (functionName !== 'reveal') return { kind: 'other' };
    return { kind: 'reveal', saltedHash: args[0], digest: args[2], authorityAddress: args[5] };
  } catch {
    return { kind: 'other' };
  }
}

/** Calls of a forwarder's batch; undefined for other calldata. */
function forwardedCalls(data: Hex): readonly Hex[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: delegateForwarderAbi, data });
    return functionName === 'execute' ? args[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Positions of the calls that reverted in a batch that succeeded, as the forwarder's events report them. */
function failedPositions({ to, logs }: Pick<TransactionReceipt, 'to' | 'logs'>): ReadonlySet<number> {
  const events = parseEventLogs({ abi: delegateForwarderAbi, eventName: 'CallFailed', logs });
  const own = events.filter(({ address }) => to && isAddressEqual(address, to));
  return new Set(own.map(({ args }) => Number(args.position)));
}

/** Decodes the calls of a transaction and their results. A cancellation is a plain transfer and has none. */
export function minedCalls(
  { input }: Pick<Transaction, 'input'>,
  receipt: Pick<TransactionReceipt, 'status' | 'to' | 'logs'>,
): MinedCall[] {
  if (input === '0x') return [];
  const isMined = receipt.status === 'success';
  const batch = forwardedCalls(input);
  if (!batch) return [{ ...decodeRegistryCall(input), succeeded: isMined }];
  const failed = failedPositions(receipt);
  return batch.map((data, position) => ({
    ...decodeRegistryCall(data),
    succeeded: isMined && !failed.has(position),
  }));
}
