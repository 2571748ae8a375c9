import { formatReference } from 'imprimatur-verifier';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { file, noService, run } from '../../packages/cli/test/run.ts';
import { ReaderPage } from '../../packages/pages/test/reader/reader-page.ts';
import { verifyByBoth } from '../../packages/verifier/test/both-verifiers.ts';
import { useBrowser } from '../browser/use-browser.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import { alice } from '../fakes/world/world.ts';

const texts = {
  unchanged: 'It never changes.',
  corrected: 'Soon corrected.',
  newest: 'Corrected.',
  revoked: 'Withdrawn.',
};
const unusedUrl = 'http://127.0.0.1:1';

let service: Awaited<ReturnType<typeof runRealService>>;
let browser: Browser;
let rpcUrl: string;
const rows = new Map<string, Attestation>();
beforeAll(async () => {
  service = await runRealService();
  const { world } = service;
  rpcUrl = world.nodeUrl;
  for (const text of Object.values(texts)) rows.set(text, (await service.post(alice, text)).attestation);
  await service.untilIdle();
  await linkChild(world.services, await rowOf(texts.corrected), (await rowOf(texts.newest)).id);
  await service.untilIdle();
  for (const text of rows.keys()) rows.set(text, await rowOf(text));
  await world.chain.revokeAttestation(alice.authorityAddress, rows.get(texts.revoked)?.attestationIndex ?? 0);
  await world.mine(world.chain.settings.confirmations);
  // Only the chain is left: the tables are deleted, and no part of the service runs.
  await world.stopAws();
});
afterAll(() => service?.world.stop());
useBrowser((opened) => {
  browser = opened;
});

async function rowOf(text: string): Promise<Attestation> {
  const row = rows.get(text);
  if (!row) throw new Error(`nobody posted ${text}`);
  return service.world.row(row);
}

function referenceTo(text: string) {
  const row = rows.get(text);
  if (row?.attestationIndex === undefined) throw new Error(`${text} is not confirmed`);
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = row;
  return { chainId, registryAddress, attestationIndex, authorityAddress, contentCid };
}

test.each([
  ['verified', texts.unchanged, {}, 0, 'Unchanged since'],
  ['superseded', texts.corrected, {}, 3, 'Corrected'],
  ['revoked', texts.revoked, {}, 1, 'Revoked by the authority'],
  ['altered', texts.unchanged, { text: 'It was altered.' }, 1, 'Not the attested text'],
  ['notFound', texts.unchanged, { index: 99 }, 1, 'No such attestation'],
  ['unknown', texts.unchanged, { provider: unusedUrl }, 2, 'Unknown: it could not be checked'],
])(
  'library, command and page work without the service: %s',
  async (outcome, attested, change, exitCode, title) => {
    const {
      text = attested,
      index,
      provider = rpcUrl,
    } = change as { text?: string; index?: number; provider?: string };
    const found = referenceTo(attested);
    const reference = { ...found, attestationIndex: index ?? found.attestationIndex };
    expect(await verifyByBoth(reference, { providers: [provider], text })).toMatchObject({ outcome });

    const argv = [
      'verify',
      file(text),
      '--reference',
      formatReference(reference),
      '--rpc',
      provider,
      '--json',
    ];
    const printed = await run(noService, argv, { variables: {} });
    expect([printed.exitCode, JSON.parse(printed.out).outcome]).toEqual([exitCode, outcome]);

    const reader = await ReaderPage.open(browser);
    try {
      const verdict = await reader.check({ text, reference, rpc: provider });
      expect(verdict.title).toContain(title);
    } finally {
      await reader.close();
    }
  },
);
