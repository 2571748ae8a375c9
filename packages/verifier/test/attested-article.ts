import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { sha256 } from 'multiformats/hashes/sha2';
import { type Address, bytesToHex, type Hex } from 'viem';
import { attest, draft } from '../../../contracts/test/chain/attest.ts';
import type { RegistryFixture } from '../../../contracts/test/chain/registry.ts';
import type { AttestationReference } from '../src/verifier.ts';

/** The article's single chunk, so that its quote tree is plain to see. */
export const article = 'It was attested 😀, and so it is read.\n';

export async function cidOf(text: string): Promise<{ cid: string; digest: Hex }> {
  const multihash = await sha256.digest(new TextEncoder().encode(text));
  return { cid: CID.createV1(raw.code, multihash).toString(), digest: bytesToHex(multihash.digest) };
}

export async function contentCid(text: string): Promise<string> {
  return (await cidOf(text)).cid;
}

/** A reference, and the text that it is of. */
export interface AttestedArticle {
  readonly reference: AttestationReference;
  readonly text: string;
}

/** Attests a text of at most 46 units and gives the reference to it, which holds unless the quotes are another text's. */
export async function attestArticle(
  registry: RegistryFixture,
  authority: Address,
  text: string,
  quoted = text,
): Promise<AttestedArticle> {
  const { cid, digest } = await cidOf(text);
  const quoteRoot = StandardMerkleTree.of([['0', quoted]], ['string', 'string']).root as Hex;
  await attest(registry, draft(authority, { digest, quoteRoot }));
  const index = await registry.view.cidAndAddressToAttestationIndices([digest, authority]);
  const reference = {
    chainId: 31_337,
    registryAddress: registry.address,
    contentCid: cid,
    authorityAddress: authority,
    attestationIndex: Number(index),
  };
  return { reference, text };
}
