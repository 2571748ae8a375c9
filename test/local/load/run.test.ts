import type { Attestation } from 'imprimatur-client';
import { expect, it } from 'vitest';
import { type LoadedApi, runLoad } from '../../../local/load/run.ts';

type Status = Attestation['status'];

/** An API whose attestations get the next of these statuses at each listing, and which says what it was asked. */
function fakeApi(...statuses: (Status | undefined)[]) {
  const created: string[] = [];
  const looks: string[][] = [];
  const status = (position: number, look: number) => statuses[Math.min(look + position, statuses.length - 1)];
  const api: LoadedApi = {
    async attest(content) {
      created.push(content);
      return { created: true, attestation: { id: `id-${content}` } as Attestation };
    },
    // Newest first, as the service lists.
    async *listAll() {
      const looked: string[] = [];
      const look = looks.push(looked) - 1;
      const all = created.map((content, position) => ({
        id: `id-${content}`,
        status: status(position, look),
      }));
      for (const one of all.toSorted((a, b) => (a.id > b.id ? -1 : 1))) {
        if (one.status === undefined) continue;
        looked.push(one.id);
        yield one as Attestation;
      }
    },
  };
  return { api, looks };
}

const run = { concurrency: 1, disturb: () => {}, log: () => {}, timeoutSeconds: 10, pollMs: 1 };

it('looks until every attestation is over, and only as far back as the oldest that is not', async () => {
  const { api, looks } = fakeApi('pending', 'committed', 'confirmed');
  const { attestations } = await runLoad({ ...run, api, articles: ['b', 'a'] });
  expect(attestations).toEqual([
    { id: 'id-b', status: 'confirmed' },
    { id: 'id-a', status: 'confirmed' },
  ]);
  expect(looks).toEqual([
    ['id-b', 'id-a'],
    ['id-b', 'id-a'],
    // The last one looked at is older, and was over before.
    ['id-b', 'id-a'],
  ]);
});

it('disturbs once amid the posts and once amid the reveals', async () => {
  const { api } = fakeApi('pending', 'committed', 'confirmed');
  let count = 0;
  const disturb = () => (count += 1);
  await runLoad({ ...run, api, articles: ['a', 'b', 'c', 'd', 'e'], disturb });
  expect(count).toBe(2);
});

it('gives what it last saw when time is up', async () => {
  const { api } = fakeApi('pending');
  const { attestations } = await runLoad({ ...run, api, articles: ['a'], timeoutSeconds: 0.02 });
  expect(attestations).toEqual([{ id: 'id-a', status: 'pending' }]);
});

it('fails when the API does not list what it accepted', async () => {
  const { api } = fakeApi(undefined);
  await expect(runLoad({ ...run, api, articles: ['a'] })).rejects.toThrow('lists no attestation id-a');
});
