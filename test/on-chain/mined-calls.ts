import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  type Address,
  concat,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  pad,
  parseEventLogs,
  stringToHex,
  type Transaction,
  type TransactionReceipt,
  toHex,
  zeroAddress,
} from 'viem';

export type RegistryCall =
  | { readonly kind: 'commit'; readonly saltedHash: Hex }
  | {
      readonly kind: 'reveal';
      readonly saltedHash: Hex;
      readonly digest: Hex;
      readonly authorityAddress: Address;
    }
  | { readonly kind: 'other' };

/** A call that a transaction made, directly or through a forwarder; of the reveal of a batch, one of its members. */
export type MinedCall = RegistryCall & { readonly succeeded: boolean };

/** A call, or a member of a batch's reveal with its position. */
interface DecodedCall {
  readonly call: RegistryCall;
  readonly position?: number;
}

function decodeRegistryCall(data: Hex, sender: Address): DecodedCall[] {
  const alone = (call: RegistryCall): DecodedCall[] => [{ call }];
  try {
    const { functionName, args } = decodeFunctionData({ abi: attestationRegistryAbi, data });
    if (functionName === 'commit') return alone({ kind: 'commit', saltedHash: args[0] });
    if (functionName === 'revealBatch') return batchReveals(args, sender);
    if (functionName !== 'reveal') return alone({ kind: 'other' });
    return alone({ kind: 'reveal', saltedHash: args[0], digest: args[2], authorityAddress: args[5] });
  } catch {
    return alone({ kind: 'other' });
  }
}

/** Arguments of the registry's `revealBatch`. */
type BatchArguments = readonly [
  runs: readonly bigint[],
  records: readonly { readonly salt: Hex; readonly ipfsHash: Hex; readonly qvHash: Hex }[],
  bareLeaves: readonly Hex[],
];

/** Computes from a batch's reveal alone what its commit showed, and whose content it shows. */
function batchReveals([runs, records, bareLeaves]: BatchArguments, sender: Address): DecodedCall[] {
  const [shown, withheld] = [records.values(), bareLeaves.values()];
  const owners = runs.flatMap((run) =>
    Array<Address>(Number(BigInt.asUintN(96, run))).fill(toHex(run >> 96n, { size: 20 })),
  );
  const members: { position: number; digest: Hex; authorityAddress: Address }[] = [];
  const leaves = owners.map((authorityAddress, position): Hex => {
    const record = authorityAddress === zeroAddress ? undefined : shown.next().value;
    if (!record) return withheld.next().value ?? '0x';
    const { salt, ipfsHash: digest, qvHash } = record;
    members.push({ position, digest, authorityAddress });
    const place = toHex(position, { size: 8 });
    return keccak256(concat([stringToHex('LEAF'), place, authorityAddress, salt, digest, qvHash]));
  });
  const list = keccak256(concat(leaves));
  const saltedHash = keccak256(concat([list, pad(sender, { size: 32, dir: 'right' })]));
  return members.map(({ position, ...member }) => ({
    ...{ position, call: { kind: 'reveal', saltedHash, ...member } },
  }));
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

/** Positions of the members of a batch that the registry skipped. */
function skippedPositions({ logs }: Pick<TransactionReceipt, 'logs'>): ReadonlySet<number> {
  const events = parseEventLogs({ abi: attestationRegistryAbi, eventName: 'MemberSkipped', logs });
  return new Set(events.map(({ args }) => Number(args.position)));
}

/** Decodes the calls of a transaction and their results. A cancellation is a plain transfer and has none. */
export function minedCalls(
  { input, from }: Pick<Transaction, 'input' | 'from'>,
  receipt: Pick<TransactionReceipt, 'status' | 'to' | 'logs'>,
): MinedCall[] {
  if (input === '0x') return [];
  const isMined = receipt.status === 'success';
  const forwarded = forwardedCalls(input);
  const sender = forwarded && receipt.to ? receipt.to : from;
  const [failed, skipped] = [failedPositions(receipt), skippedPositions(receipt)];
  return (forwarded ?? [input]).flatMap((data, index) =>
    decodeRegistryCall(data, sender).map(({ call, position }) => {
      const isSkipped = position !== undefined && skipped.has(position);
      return { ...call, succeeded: isMined && !failed.has(index) && !isSkipped };
    }),
  );
}
