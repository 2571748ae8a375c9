import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import { type Address, type Hex, pad, toHex } from 'viem';
import { batchArguments, batchHash, type Member } from '../../../contracts/test/chain/batch.ts';
import { platform, type RegistryFixture } from '../../../contracts/test/chain/registry.ts';
import type { AttestationReference } from '../src/verifier.ts';
import { cidOf } from './attested-article.ts';

/** A text of at most 46 units, and who attests it. */
export interface Article {
  readonly text: string;
  readonly authority: Address;
}

async function memberOf({ text, authority }: Article, position: number): Promise<Member> {
  const { digest } = await cidOf(text);
  const quoteRoot = StandardMerkleTree.of([['0', text]], ['string', 'string']).root as Hex;
  return { authority, salt: pad(toHex(position + 1)), digest, quoteRoot };
}

async function referenceOf(
  registry: RegistryFixture,
  { text, authority }: Article,
): Promise<AttestationReference> {
  const { cid, digest } = await cidOf(text);
  const index = await registry.view.cidAndAddressToAttestationIndices([digest, authority]);
  const place = { chainId: 31_337, registryAddress: registry.address };
  return { ...place, attestationIndex: Number(index), authorityAddress: authority, contentCid: cid };
}

/** Attests articles in a batch: their digests and quote roots are in the code of one page. The platform is the delegate. */
export async function attestBatch(
  registry: RegistryFixture,
  articles: readonly Article[],
): Promise<AttestationReference[]> {
  const members = await Promise.all(articles.map(memberOf));
  const { timestamp } = await registry.mine(platform, 'commit', [batchHash(platform, members)]);
  await registry.setNextTimestamp(timestamp + 60n);
  await registry.mine(platform, 'revealBatch', batchArguments(members));
  return Promise.all(articles.map((article) => referenceOf(registry, article)));
}
