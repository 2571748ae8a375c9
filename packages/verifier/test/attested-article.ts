import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { sha256 } from 'multiformats/hashes/sha2';
import { type Address, bytesToHex, type Hex, pad, toHex } from 'viem';
import { attest, draft } from '../../../contracts/test/chain/attest.ts';
import { batchArguments, batchHash, type Member } from '../../../contracts/test/chain/batch.ts';
import { author, platform, type RegistryFixture } from '../../../contracts/test/chain/registry.ts';
import type { AttestationReference } from '../src/verifier.ts';

/** A text of a single chunk. */
export const article = 'It was attested 😀, and so it is read.\n';

export async function cidOf(text: string): Promise<{ cid: string; digest: Hex }> {
  const multihash = await sha256.digest(new TextEncoder().encode(text));
  return { cid: CID.createV1(raw.code, multihash).toString(), digest: bytesToHex(multihash.digest) };
}

export async function contentCid(text: string): Promise<string> {
  return (await cidOf(text)).cid;
}

/** The quote root of a text that has no pair on the border of two chunks. */
function rootOf(text: string): Hex {
  const chunks = text.match(/[\s\S]{1,46}/g) ?? [];
  const leaves = chunks.map((chunk, index) => [String(index), chunk]);
  return StandardMerkleTree.of(leaves, ['string', 'string']).root as Hex;
}

/** Sets a text as the correction of an attestation by the author. */
export async function correct(registry: RegistryFixture, parent: AttestationReference, text: string) {
  const { digest } = await cidOf(text);
  await registry.mine(author, 'setChildIpfsHash', [BigInt(parent.attestationIndex), digest]);
}

export interface AttestedArticle {
  readonly reference: AttestationReference;
  readonly text: string;
}

/** Attests a text, optionally with the quote root of another one, and returns its reference. */
export async function attestArticle(
  registry: RegistryFixture,
  authority: Address,
  text: string,
  quoted = text,
): Promise<AttestedArticle> {
  const { digest } = await cidOf(text);
  const quoteRoot = rootOf(quoted);
  await attest(registry, draft(authority, { digest, quoteRoot }));
  return { reference: await referenceOf(registry, { text, authority }), text };
}

export interface Article {
  readonly text: string;
  readonly authority: Address;
}

async function memberOf({ text, authority }: Article, position: number): Promise<Member> {
  const { digest } = await cidOf(text);
  const quoteRoot = rootOf(text);
  return { authority, salt: pad(toHex(position + 1)), digest, quoteRoot };
}

async function referenceOf(registry: RegistryFixture, { text, authority }: Article) {
  const { cid, digest } = await cidOf(text);
  const index = await registry.view.cidAndAddressToAttestationIndices([digest, authority]);
  const fields = { chainId: 31_337, registryAddress: registry.address };
  return { ...fields, attestationIndex: Number(index), authorityAddress: authority, contentCid: cid };
}

/** Attests articles in a batch: their digests and quote roots are in the code of one page. The platform is the delegate. */
export async function attestBatch(registry: RegistryFixture, articles: readonly Article[]) {
  const members = await Promise.all(articles.map(memberOf));
  const { timestamp } = await registry.mine(platform, 'commit', [batchHash(platform, members)]);
  await registry.setNextTimestamp(timestamp + 60n);
  await registry.mine(platform, 'revealBatch', batchArguments(members));
  return Promise.all(articles.map((article) => referenceOf(registry, article)));
}
