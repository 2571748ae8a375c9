import { type Address, concat, type Hex, keccak256, pad, stringToHex, toHex, zeroAddress } from 'viem';

/** Arguments of the registry's `revealBatch`. */
type BatchArguments = readonly [
  runs: readonly bigint[],
  records: readonly { readonly salt: Hex; readonly ipfsHash: Hex; readonly qvHash: Hex }[],
  bareLeaves: readonly Hex[],
];

/** A batch as its reveal shows it. */
export interface RevealedBatch {
  /** What its commit showed. */
  readonly saltedHash: Hex;
  /** Members that are shown, by their positions in the batch. */
  readonly members: readonly {
    readonly position: number;
    readonly digest: Hex;
    readonly authorityAddress: Address;
  }[];
}

/** Computes from a reveal's arguments alone which batch it is of, and whose content it shows. */
export function revealedBatch([runs, records, bareLeaves]: BatchArguments, sender: Address): RevealedBatch {
  const [shown, withheld] = [records.values(), bareLeaves.values()];
  const owners = runs.flatMap((run) =>
    Array<Address>(Number(BigInt.asUintN(96, run))).fill(toHex(run >> 96n, { size: 20 })),
  );
  const members: RevealedBatch['members'][number][] = [];
  const leaves = owners.map((authorityAddress, position): Hex => {
    const record = authorityAddress === zeroAddress ? undefined : shown.next().value;
    if (!record) return withheld.next().value ?? '0x';
    const { salt, ipfsHash: digest, qvHash } = record;
    members.push({ position, digest, authorityAddress });
    const place = toHex(position, { size: 8 });
    return keccak256(concat([stringToHex('LEAF'), place, authorityAddress, salt, digest, qvHash]));
  });
  const hash = keccak256(concat(leaves));
  return { saltedHash: keccak256(concat([hash, pad(sender, { size: 32, dir: 'right' })])), members };
}
