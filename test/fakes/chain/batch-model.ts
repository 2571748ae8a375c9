import {
  type Address,
  concat,
  getAddress,
  type Hex,
  keccak256,
  pad,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem';
import { CallRevertedError } from '../../../functions/domain/errors.ts';

/** A member of a batch, or the leaf of an omitted one. */
export type BatchMember =
  | { readonly leaf: Hex }
  | {
      readonly authorityAddress: Address;
      readonly salt: Hex;
      readonly digest: Hex;
      readonly quoteRoot: Hex;
    };

type BatchArgs = readonly [
  runs: readonly bigint[],
  records: readonly { readonly salt: Hex; readonly ipfsHash: Hex; readonly qvHash: Hex }[],
  bareLeaves: readonly Hex[],
];

const maxMemberCount = 383;

const refuse = (reason: string): never => {
  throw new CallRevertedError(`the registry refused: ${reason}`);
};

/** Members of a batch in order, from the arguments of `revealBatch`. @throws CallRevertedError */
export function membersOf([runs, records, bareLeaves]: BatchArgs): BatchMember[] {
  if (records.length + bareLeaves.length > maxMemberCount) refuse('batch too long');
  const authorities = runs.flatMap((run) => {
    const count = Number(BigInt.asUintN(96, run));
    if (count > maxMemberCount) refuse('runs mismatched');
    return Array<Address>(count).fill(toHex(run >> 96n, { size: 20 }));
  });
  const bareCount = authorities.filter((authority) => authority === zeroAddress).length;
  if (bareCount !== bareLeaves.length || authorities.length !== bareCount + records.length)
    refuse('runs mismatched');
  const [recordValues, leafValues] = [records.values(), bareLeaves.values()];
  return authorities.map((authorityAddress) => {
    if (authorityAddress === zeroAddress) return { leaf: leafValues.next().value ?? '0x' };
    const { salt, ipfsHash, qvHash } = recordValues.next().value ?? refuse('runs mismatched');
    return { authorityAddress: getAddress(authorityAddress), salt, digest: ipfsHash, quoteRoot: qvHash };
  });
}

export function leafOf(member: BatchMember, position: number): Hex {
  if ('leaf' in member) return member.leaf;
  const { authorityAddress, salt, digest, quoteRoot } = member;
  const positionBytes = toHex(position, { size: 8 });
  return keccak256(concat([stringToHex('LEAF'), positionBytes, authorityAddress, salt, digest, quoteRoot]));
}

export function batchHash(sender: Address, members: readonly BatchMember[]): Hex {
  const list = keccak256(concat(members.map(leafOf)));
  return keccak256(concat([list, pad(sender, { size: 32, dir: 'right' })]));
}
