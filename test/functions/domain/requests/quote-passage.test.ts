import { parseQuoteProof } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../../functions/domain/attestation/quote-root.ts';
import {
  AttestationMissingError,
  AttestationUnconfirmedError,
  AttestationUnquotableError,
  ChainUnreachableError,
  PassageUnquotableError,
} from '../../../../functions/domain/errors.ts';
import { eraseContent, findStoredContent } from '../../../../functions/domain/operator/erase-content.ts';
import { quotePassage } from '../../../../functions/domain/requests/quote-passage.ts';
import { publicQuoteTreeOf } from '../../../../packages/verifier/src/text/quote-tree.ts';
import { alice, bob, chainId, makeWorld, registryAddress } from '../../../fakes/world/world.ts';

const article = `${'The minister had read the report. '.repeat(10)}She explained nothing 😀.\n`;

/** Makes a confirmed attestation that its authority made itself, with this root. */
async function makeAttested(text = article, root: string = quoteRoot(text)) {
  const world = makeWorld();
  const digest = contentDigest(parseContent(text));
  world.chain.attest(alice.authorityAddress, digest, root as ReturnType<typeof quoteRoot>);
  world.mine(world.chain.settings.confirmations);
  return { world, row: (await world.create(alice, text)).attestation };
}

test('a passage is proven against the quote root in the registry', async () => {
  const { world, row } = await makeAttested();
  expect([row.status, row.quoteRoot]).toEqual(['confirmed', quoteRoot(article)]);
  const quote = await quotePassage(world.services, row, 'had read the report … nothing');
  expect(parseQuoteProof(quote)).toEqual({ quote, root: row.quoteRoot });
  expect(quote).toMatchObject({
    ...{ version: 1, ipfsCid: row.contentCid, chainId, registryAddress, attestationIndex: 1 },
    authority: alice.authorityAddress,
    segments: [{ text: 'had read the report' }, { text: 'nothing' }],
  });
});

/** A text for which the rule of public tools gives another root than ours. */
const textWithOtherRoot = `${'a'.repeat(45)}😀 and what follows`;

test('a passage is proven against the root of a public tool with its own rule', async () => {
  const root = publicQuoteTreeOf(textWithOtherRoot).root ?? '';
  const { world, row } = await makeAttested(textWithOtherRoot, root);
  expect(row.quoteRoot).not.toBe(root);
  expect(parseQuoteProof(await quotePassage(world.services, row, 'what follows')).root).toBe(root);
  await expect(quotePassage(world.services, row, '😀')).rejects.toThrow(PassageUnquotableError);
});

test('a quote is refused if the registry’s root belongs to another text', async () => {
  const { world, row } = await makeAttested(article, quoteRoot('another text'));
  const quoting = quotePassage(world.services, row, 'minister');
  await expect(quoting).rejects.toThrow(
    new AttestationUnquotableError(
      'the quote root in the registry does not match the text: no quote of it can be proven',
    ),
  );
});

test.each([
  ['never written', 'the passage is not in the text'],
  [['nothing', 'minister'], 'piece 2 of the passage is in the text, but not after the piece before it'],
  ['\ud83d', 'the passage contains half a character (a lone surrogate)'],
])('the passage %j is refused: %s', async (passage, reason) => {
  const { world, row } = await makeAttested();
  await expect(quotePassage(world.services, row, passage)).rejects.toThrow(
    new PassageUnquotableError(reason),
  );
});

test('a quote is refused unless the attestation is confirmed and the organization’s own', async () => {
  const world = makeWorld();
  const { attestation } = await world.create(alice, article);
  await expect(quotePassage(world.services, attestation, 'minister')).rejects.toThrow(
    AttestationUnconfirmedError,
  );
  const foreign = { ...attestation, organizationId: bob.organizationId };
  await expect(quotePassage(world.services, foreign, 'minister')).rejects.toThrow(AttestationMissingError);
});

test('a quote from erased content is refused', async () => {
  const { world, row } = await makeAttested();
  await eraseContent(
    world.records,
    await findStoredContent(world.records, row, [chainId]),
    world.clock.now(),
  );
  await expect(quotePassage(world.services, row, 'minister')).rejects.toThrow(
    new AttestationUnquotableError('the content was erased'),
  );
});

test('a quote is refused while the chain cannot be reached', async () => {
  const { world, row } = await makeAttested();
  world.chain.unreachable = true;
  await expect(quotePassage(world.services, row, 'minister')).rejects.toThrow(ChainUnreachableError);
  const elsewhere = { ...world.services, chain: () => world.services.chain(5) };
  await expect(quotePassage(elsewhere, row, 'minister')).rejects.toThrow(
    new AttestationUnquotableError('chain 5 is not served'),
  );
});

test('a quote is refused while the registry does not show the attestation', async () => {
  const { world, row } = await makeAttested();
  const emptied = makeWorld();
  const services = { ...world.services, chain: emptied.services.chain };
  await expect(quotePassage(services, row, 'minister')).rejects.toThrow('does not show the attestation');
});
