import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, type Hash, type Hex, isHex, size, slice, toHex } from 'viem';
import type { Attestation, OperationKind } from '../../../functions/domain/attestation/attestation.ts';
import { saltedHash } from '../../../functions/domain/operation/registry-call.ts';
import { batchHash, leafOf, membersOf } from '../chain/batch-model.ts';
import type { MinedTransaction } from '../chain/block-maker.ts';
import { decodeCall, isDecodable } from '../chain/call-decoder.ts';
import { callsInside } from '../chain/contracts-model.ts';

/** A stored record. The records of batches have leaves. */
interface StoredFields {
  readonly fields: { readonly leaves?: unknown };
}

/** Operations that were done on the chain. */
export interface DoneOperations {
  /** Hashes of the transactions that did an operation, by the operation's name. */
  readonly hashes: ReadonlyMap<string, readonly Hash[]>;
  /** Number of members in the longest stored batch. */
  readonly longestBatch: number;
}

/**
 * Finds the operations that the service's transactions did, each as a direct call, as a call inside a forwarder's
 * batch, or as a member of a batch.
 *
 * @param forwarders addresses of the forwarders: any other target is a registry
 * @param stored all records, which include the leaves of batches
 */
export function doneOperations(
  transactions: readonly MinedTransaction[],
  forwarders: readonly Address[],
  stored: readonly StoredFields[],
): DoneOperations {
  const leaves = stored.flatMap(({ fields }) => leavesIn(fields.leaves));
  const hashes = new Map<string, Hash[]>();
  for (const transaction of transactions) {
    for (const name of namesOf(transaction, forwarders, leaves)) {
      hashes.set(name, [...(hashes.get(name) ?? []), transaction.hash]);
    }
  }
  return { hashes, longestBatch: Math.max(0, ...leaves.map(({ length }) => length)) };
}

type Leaves = readonly { readonly leaf: Hex }[];

/** Splits a batch's stored leaves, which are one value of bytes or hex. */
function leavesIn(stored: unknown): Leaves[] {
  const hex = stored instanceof Uint8Array ? toHex(stored) : stored;
  if (!isHex(hex)) return [];
  return [Array.from({ length: size(hex) / 32 }, (_, i) => ({ leaf: slice(hex, 32 * i, 32 * (i + 1)) }))];
}

function namesOf(transaction: MinedTransaction, forwarders: readonly Address[], leaves: readonly Leaves[]) {
  const { to, data, succeeded, failedPositions, sender } = transaction;
  if (!succeeded || data === '0x') return [];
  if (!forwarders.includes(to)) return namesInCall(data, sender, failedPositions, leaves);
  const calls = callsInside(data);
  if (calls.length === 1) return namesInCall(calls[0] ?? '0x', to, failedPositions, leaves);
  return calls.flatMap((call, i) => (failedPositions.includes(i) ? [] : namesInCall(call, to, [], leaves)));
}

function namesInCall(
  call: Hex,
  sender: Address,
  skipped: readonly number[],
  leaves: readonly Leaves[],
): string[] {
  if (!isDecodable(attestationRegistryAbi, call)) return [];
  const { functionName, args } = decodeCall(attestationRegistryAbi, call);
  const isDone = (_: unknown, position: number) => !skipped.includes(position);
  if (functionName === 'commit') {
    const members = leaves.find((batch) => batchHash(sender, batch) === args[0]);
    return members ? members.map(({ leaf }) => `leaf ${leaf}`) : [`commit ${args[0]}`];
  }
  if (functionName === 'reveal') return [`reveal ${args[2]} ${args[5]} ${args[1]}`];
  if (functionName === 'revealBatch')
    return membersOf(args)
      .map((one) => ('leaf' in one ? undefined : `reveal ${one.digest} ${one.authorityAddress} ${one.salt}`))
      .filter(isDone)
      .filter((name) => name !== undefined);
  if (functionName === 'setChildIpfsHash') return [`link ${args[0]} ${args[1]}`];
  if (functionName !== 'setChildIpfsHashes') return [];
  return args[0].map((index, position) => `link ${index} ${args[1][position]}`).filter(isDone);
}

/** Names that an operation of an attestation can have once it is done. */
function possibleNames({ longestBatch }: DoneOperations, row: Attestation, kind: OperationKind): string[] {
  const { digest, authorityAddress, salt, attestationIndex, childDigest } = row;
  if (kind === 'link') return [`link ${attestationIndex} ${childDigest}`];
  if (kind === 'reveal') return [`reveal ${digest} ${authorityAddress} ${salt}`];
  const positions = Array.from({ length: longestBatch }, (_, position) => position);
  return [`commit ${saltedHash(row)}`, ...positions.map((position) => `leaf ${leafOf(row, position)}`)];
}

/** Hashes of the transactions that did an operation of an attestation. */
export function hashesOf(done: DoneOperations, row: Attestation, kind: OperationKind): Hash[] {
  return possibleNames(done, row, kind).flatMap((name) => done.hashes.get(name) ?? []);
}

/** Names of commits and reveals that belong to none of these attestations. */
export function strayNames(done: DoneOperations, rows: readonly Attestation[]): string[] {
  const owed = new Set(
    rows.flatMap((row) => [...possibleNames(done, row, 'commit'), ...possibleNames(done, row, 'reveal')]),
  );
  return [...done.hashes.keys()].filter((name) => !name.startsWith('link') && !owed.has(name));
}
