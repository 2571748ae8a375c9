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

/** A call that a transaction made, by itself or through a forwarder. */
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

/** The calls of a forwarder's batch; undefined of what is none. */
function forwardedCalls(data: Hex): readonly Hex[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: delegateForwarderAbi, data });
    return functionName === 'execute' ? args[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Positions of calls that reverted inside a batch that went through, as the forwarder itself reports. */
function failedPositions({ to, logs }: Pick<TransactionReceipt, 'to' | 'logs'>): ReadonlySet<number> {
  const events = parseEventLogs({ abi: delegateForwarderAbi, eventName: 'CallFailed', logs });
  const own = events.filter(({ address }) => to && isAddressEqual(address, to));
  return new Set(own.map(({ args }) => Number(args.position)));
}

/** The calls of a transaction and what became of each; a cancellation, which is a bare transfer, has none. */
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
