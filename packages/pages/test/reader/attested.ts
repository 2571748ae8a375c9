import { type AttestationReference, AttestedText, formatReference, takeProof } from 'imprimatur-verifier';
import { author, other, RegistryFixture, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { attestArticle, correct } from '../../../verifier/test/attested-article.ts';

export const article = `The bridge will stay closed until spring

The city council says on Monday that the old bridge will stay closed until spring. Engineers found cracks in
two of its piers. “We knew it,” says a member of the council, “and did nothing.”
`;

const corrected = article.replace('two', 'three');
const newest = corrected.replace('Monday', 'Tuesday');

export const texts = {
  unchanged: article,
  corrected,
  newest,
  revoked: 'The bridge will open on Friday.\n',
  second: 'Attested by two.\n',
  elsewhere: 'The bridge will stay closed until winter.\n',
  misquoted: 'The mayor says nothing.\n',
} as const;

/** Attests a text, optionally with the quote root of another text. */
const attestText = async (...attested: Parameters<typeof attestArticle>): Promise<AttestationReference> =>
  (await attestArticle(...attested)).reference;

/** Articles on a real chain. */
export type Attested = Awaited<ReturnType<typeof startAttested>>;

/** Attests the articles on a chain with the contracts, without the service. */
export async function startAttested() {
  const registry = await startRegistry();
  const unchanged = await attestText(registry, author, texts.unchanged);
  const first = await attestText(registry, author, texts.corrected);
  await attestText(registry, author, texts.newest);
  await correct(registry, first, newest);
  const revoked = await attestText(registry, author, texts.revoked);
  await registry.mine(author, 'revokeAttestation', [BigInt(revoked.attestationIndex)]);
  await attestText(registry, other, texts.second);
  const second = await attestText(registry, author, texts.second);
  const misquoted = await attestText(registry, author, texts.misquoted, 'The mayor says everything.');
  // This text is in another registry, and its correction is in the published one.
  const old = await RegistryFixture.deploy(registry.chain, 59);
  const elsewhere = await attestText(old, author, texts.elsewhere);
  await correct(old, elsewhere, texts.unchanged);
  await registry.chain.client.mine({ blocks: 70 });
  return {
    registry,
    rpcUrl: registry.chain.rpcUrl,
    unchanged,
    corrected: first,
    revoked,
    ...{ second, elsewhere, misquoted },
  };
}

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const fileOf = (name: string, content: string | Uint8Array): TestFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

export const textFile = (text: string) => fileOf('article.txt', text);

export async function proofFile({ rpcUrl }: Attested, reference: AttestationReference, text: string) {
  const proof = await takeProof(reference, [rpcUrl], { text });
  return { file: fileOf('article.proof.json', JSON.stringify(proof)), proof };
}

export const quoteFile = (reference: AttestationReference, text: string, passage: string) =>
  fileOf('quote.json', JSON.stringify(new AttestedText(reference, text).quote(passage)));

/** A saved page that names attestations. */
export const pageFile = (...references: readonly AttestationReference[]) => {
  const identifier = references.map((reference) => ({
    '@type': 'PropertyValue',
    propertyID: 'attestation',
    value: formatReference(reference),
  }));
  const linked = JSON.stringify({ '@context': 'https://schema.org', '@type': 'NewsArticle', identifier });
  return fileOf(
    'saved.html',
    `<!doctype html><title>The bridge</title><script type="application/ld+json">${linked}</script><p>Closed.</p>`,
  );
};

/** A saved page that names an attestation, shows a text and links to a text. */
export function linkingPage(
  reference: AttestationReference,
  { href, shown = '' }: { href?: string | undefined; shown?: string },
) {
  const { name, buffer } = pageFile(reference);
  const link = href === undefined ? '' : `<link rel="alternate" type="text/plain" href="${href}">`;
  return fileOf(name, `${link}${buffer.toString()}<p>${shown.replaceAll('\n\n', '<p>')}</p>`);
}
