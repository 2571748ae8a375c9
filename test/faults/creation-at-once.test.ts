import { afterAll, expect, test, vi } from 'vitest';
import { handler } from '../../functions/api/create-attestation.ts';
import { listAttestations } from '../../functions/domain/attestation/list-attestations.ts';
import { failAttestation } from '../../functions/domain/steps/fail.ts';
import { call } from '../fakes/world/api-client.ts';
import { cases, soakTimeout } from '../fakes/world/soak.ts';
import { alice } from '../fakes/world/world.ts';
import { key, world } from './world/composed-world.ts';

vi.mock('../../functions/adapters/compose-services.ts', () => import('./world/composed-world.ts'));

vi.setConfig({ testTimeout: soakTimeout });

const atOnce = 50;
const rounds = cases(20, 100);

afterAll(world.stop);

/** Everybody has another url: the accepted one's stands. @returns the attestation that all were told of */
async function postAtOnce(content: string): Promise<string> {
  const posts = Array.from({ length: atOnce }, (_, number) =>
    call(handler, { body: { content, url: `https://a.example/${number}` } }, key),
  );
  const replies = await Promise.all(posts);
  const accepted = replies.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(1);
  const others = replies.filter((reply) => !accepted.includes(reply));
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  const [body] = accepted.map((reply) => reply.body);
  for (const reply of others) expect(reply.body).toEqual(body);
  const { id } = body ?? {};
  if (id === undefined) throw new Error('nothing was accepted');
  const row = await world.row({ organizationId: alice.organizationId, id });
  expect(row.url).toBe(`https://a.example/${replies.findIndex(({ status }) => status === 202)}`);
  return id;
}

test(`of ${atOnce} posts of one content at once one is accepted and all get it, ${rounds} times over`, async () => {
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 2) {
    const id = await postAtOnce(`article ${round}`);
    // The content failed: of those that post it again at once, one takes its place.
    await failAttestation(world.services, { ...alice, id }, 'some reason');
    ids.push(id, await postAtOnce(`article ${round}`));
  }
  const { organizationId } = alice;
  const { attestations } = await listAttestations(world.records, organizationId, { limit: 2 * rounds });
  expect(attestations.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(world.executions.started).toEqual(ids.map((id) => `${id}-1`));
});
