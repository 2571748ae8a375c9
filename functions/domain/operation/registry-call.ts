import {
  commitFunction,
  revealBatchFunction,
  revealFunction,
  setChildIpfsHashesFunction,
  setChildIpfsHashFunction,
} from 'imprimatur-contracts/attestation-registry-abi';
import { concat, encodeFunctionData, type Hex, keccak256, pad, stringToHex, toHex, zeroHash } from 'viem';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Call } from '../chain.ts';

/** Computes the hash of a commit: `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`. */
export function saltedHash({ digest, delegateAddress, salt }: Attestation): Hex {
  return keccak256(concat([digest, pad(delegateAddress, { size: 32, dir: 'right' }), salt]));
}

const encode: Record<OperationKind, (attestation: Attestation) => Hex> = {
  commit: (attestation) => encodeFunctionData({ abi: [commitFunction], args: [saltedHash(attestation)] }),
  reveal: (attestation) => {
    const { salt, digest, quoteRoot, authorityAddress } = attestation;
    const args = [saltedHash(attestation), salt, digest, quoteRoot, zeroHash, authorityAddress] as const;
    return encodeFunctionData({ abi: [revealFunction], args });
  },
  link: ({ attestationIndex, childDigest }) => {
    const args = [BigInt(attestationIndex ?? 0), childDigest ?? zeroHash] as const;
    return encodeFunctionData({ abi: [setChildIpfsHashFunction], args });
  },
};

export function registryCall(attestation: Attestation, kind: OperationKind): Call {
  const from = delegateOf(attestation, kind);
  return { from, to: attestation.registryAddress, data: encode[kind](attestation) };
}

/** Computes a leaf of a batch: `keccak256("LEAF" ‖ uint64 position ‖ authority ‖ salt ‖ ipfsHash ‖ qvHash)`. */
export function leafOf({ authorityAddress, salt, digest, quoteRoot }: Attestation, position: number): Hex {
  const index = toHex(position, { size: 8 });
  return keccak256(concat([stringToHex('LEAF'), index, authorityAddress, salt, digest, quoteRoot]));
}

type Encode = (rows: readonly Attestation[], delegateAddress: Hex, leaves: readonly Hex[]) => Hex;

const encodeBatch: Record<OperationKind, Encode> = {
  commit: (rows, delegateAddress) => {
    const hash = keccak256(concat(rows.map(leafOf)));
    const batchHash = keccak256(concat([hash, pad(delegateAddress, { size: 32, dir: 'right' })]));
    return encodeFunctionData({ abi: [commitFunction], args: [batchHash] });
  },
  reveal: (rows, _, leaves) => {
    const rowAt = new Map(rows.map((row) => [row.batch?.position, row]));
    const members = leaves.map((leaf, position) => ({ leaf, row: rowAt.get(position) }));
    const reveals = members.flatMap(({ row }) => row ?? []);
    const records = reveals.map((row) => ({ salt: row.salt, ipfsHash: row.digest, qvHash: row.quoteRoot }));
    const bareLeaves = members.flatMap(({ leaf, row }) => (row ? [] : [leaf]));
    const authorities = members.map(({ row }) => BigInt(row?.authorityAddress ?? 0));
    return encodeFunctionData({
      abi: [revealBatchFunction],
      args: [runsOf(authorities), records, bareLeaves],
    });
  },
  link: (rows) => {
    const indices = rows.map(({ attestationIndex }) => BigInt(attestationIndex ?? 0));
    const children = rows.map(({ childDigest }) => childDigest ?? zeroHash);
    return encodeFunctionData({ abi: [setChildIpfsHashesFunction], args: [indices, children] });
  },
};

/** Encodes each run of members of one authority as `authority << 96 | count`; the authority of withheld ones is zero. */
function runsOf(authorities: readonly bigint[]): bigint[] {
  const runs: { readonly authority: bigint; count: bigint }[] = [];
  for (const authority of authorities) {
    const last = runs.at(-1);
    if (last?.authority === authority) last.count += 1n;
    else runs.push({ authority, count: 1n });
  }
  return runs.map(({ authority, count }) => (authority << 96n) | count);
}

/** Encodes several operations of one kind as one call. The leaves include those of withheld members. */
export function batchedCall(
  { from, to }: Call,
  kind: OperationKind,
  rows: readonly Attestation[],
  leaves: readonly Hex[],
): Call {
  return { from, to, data: encodeBatch[kind](rows, from, leaves) };
}
