import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, stringToHex, toHex } from 'viem';
import { attestationRegistryAbi as abi } from '../../artifacts/attestation-registry-abi.ts';

/** A member of a batch. */
export interface Member {
  readonly authority: Address;
  readonly salt: Hex;
  readonly digest: Hex;
  readonly quoteRoot: Hex;
}

/** The documented leaf, independent of the contract. */
function leafOf({ authority, salt, digest, quoteRoot }: Member, position: number): Hex {
  const index = toHex(BigInt(position), { size: 8 });
  return keccak256(concat([stringToHex('LEAF'), index, authority, salt, digest, quoteRoot]));
}

/** The documented hash of a batch. */
export function batchHash(sender: Address, members: readonly Member[]): Hex {
  const list = keccak256(concat(members.map(leafOf)));
  return keccak256(concat([list, pad(sender, { dir: 'right', size: 32 })]));
}

/** Arguments of `revealBatch` for the chosen members; the others are bare leaves. */
export function batchArguments(
  members: readonly Member[],
  isChosen: (position: number) => boolean = () => true,
) {
  const runs: [authority: bigint, count: bigint][] = [];
  for (const [position, { authority }] of members.entries()) {
    const owner = isChosen(position) ? BigInt(authority) : 0n;
    const last = runs.at(-1);
    if (last?.[0] === owner) last[1] += 1n;
    else runs.push([owner, 1n]);
  }
  const records = members.filter((_, position) => isChosen(position));
  return [
    runs.map(([authority, count]) => (authority << 96n) | count),
    records.map(({ salt, digest, quoteRoot }) => ({ salt, ipfsHash: digest, qvHash: quoteRoot })),
    members.map(leafOf).filter((_, position) => !isChosen(position)),
  ] as const;
}

/** Calldata of `revealBatch`. */
export const batchCalldata = (...args: Parameters<typeof batchArguments>): Hex =>
  encodeFunctionData({ abi, functionName: 'revealBatch', args: batchArguments(...args) });
