import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { findAttestation } from '../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../functions/domain/attestation/content-cid.ts';
import { records } from './stack/aws.ts';
import { withoutBlocks } from './stack/blocks.ts';
import { childOf, publicClient } from './stack/chain.ts';
import type { Body } from './stack/http-client.ts';
import { article, newPublisher, type Publisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

const { forwarderAddress, signerAddress } = stack;

/** More operations than the lane has transactions pending at once, so that some share a transaction. */
const texts = Array.from({ length: 8 }, (_, number) => article(`draft ${number}`));
let publisher: Publisher;
let accepted: Body[];

const isOver = ({ status }: Body) => status === 'confirmed' || status === 'failed';

async function commitQueued({ organizationId }: Publisher, { id }: Body): Promise<void> {
  const key = { organizationId, id: String(id) };
  while ((await findAttestation(records, key))?.commitPhase === undefined) await pause(200);
}

async function senderAndReceiver(hash: unknown) {
  const { from, to } = await publicClient.getTransactionReceipt({ hash: hash as Hex });
  return [from.toLowerCase(), to?.toLowerCase()];
}

const throughForwarder = [signerAddress.toLowerCase(), forwarderAddress.toLowerCase()];

beforeAll(async () => {
  publisher = await newPublisher({ delegateAddress: forwarderAddress });
  const { api } = publisher;
  // Without a block in between, all but the first few share transactions.
  accepted = await withoutBlocks(async () => {
    const bodies = await Promise.all(texts.map(async (content) => (await api.create({ content })).body));
    await Promise.all(bodies.map((body) => commitQueued(publisher, body)));
    return bodies;
  });
});

test('attestations through the forwarder share transactions and are confirmed', async () => {
  const ended = await Promise.all(accepted.map(({ id }) => publisher.api.until(id, isOver)));
  expect(ended.map(({ status, error }) => [status, error])).toEqual(texts.map(() => ['confirmed', null]));
  const hashes = new Set(ended.flatMap(({ commitTxHash, revealTxHash }) => [commitTxHash, revealTxHash]));
  expect(hashes.size).toBeLessThan(2 * texts.length);
  for (const hash of hashes) expect(await senderAndReceiver(hash)).toEqual(throughForwarder);
});

test('a child is linked through the forwarder', async () => {
  const { api } = publisher;
  const [parent, child] = await Promise.all(accepted.slice(0, 2).map(({ id }) => api.until(id, isOver)));
  expect((await api.link(parent?.id, child?.id)).status).toBe(202);
  const linked = await api.until(parent?.id, ({ childLinkTxHash }) => childLinkTxHash !== null);
  expect(await senderAndReceiver(linked.childLinkTxHash)).toEqual(throughForwarder);
  const [, childText = ''] = texts;
  expect(await childOf(Number(parent?.attestationIndex))).toBe(contentDigest(parseContent(childText)));
});
