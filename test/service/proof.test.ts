import { parseProof, takeProof, verifyOffline } from 'imprimatur-verifier';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { replyOf } from './conformance/shapes.ts';
import { publicClient } from './stack/chain.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

test('a proof is completed from a node only, and verified offline', async () => {
  const { api } = await newPublisher();
  const text = article();
  const { id, revealTxHash } = await api.attest(text);
  const served = await api.send('GET', `/v1/attestations/${id}/proof`);
  const { blockNumber } = await publicClient.getTransactionReceipt({ hash: revealTxHash as Hex });
  expect(replyOf(served)).toMatchObject({
    status: 200,
    body: {
      attested: { revealTransaction: revealTxHash, block: Number(blockNumber) },
      registry: { codeHash: expect.any(String) },
    },
  });
  const earlier = parseProof(served.text);
  const proof = await takeProof(earlier.reference, [stack.rpcUrl], { text, earlier });
  const { content, ...rest } = served.body;
  expect(proof).toMatchObject({ ...rest, content: { ...Object(content), bytes: Buffer.byteLength(text) } });
  const blockHash = proof.storage?.block.hash ?? '';
  const file = JSON.stringify(proof);
  expect(await verifyOffline(file, { blockHash, text })).toMatchObject({
    outcome: 'verified',
    quoteRootHolds: true,
    notChecked: expect.arrayContaining(['attested.revealTransaction']),
  });
  expect(await verifyOffline(file, { blockHash, text: `${text}\n` })).toMatchObject({ outcome: 'altered' });
});
