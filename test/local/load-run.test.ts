import { describe, expect, it } from 'vitest';
import type { ApiClient, Attestation } from '../../local/api-client.ts';
import { runLoad } from '../../local/load-run.ts';

type Status = Attestation['status'];

/** An API whose attestations get the next of these statuses at each listing, and which says what it was asked. */
function fakeApi(...statuses: (Status | undefined)[]) {
  const created: string[] = [];
  const listedFrom: string[] = [];
  const status = (position: number, look: number) => statuses[Math.min(look + position, statuses.length - 1)];
  const api: ApiClient = {
    async create({ content }: { content?: string }) {
      created.push(String(content));
      return { created: true, id: `id-${content}` };
    },
    get: () => Promise.reject(new Error('nobody asks for one alone')),
    async listFrom(id) {
      const look = listedFrom.push(id) - 1;
      return created.flatMap((content, position) => {
        const found = status(position, look);
        return found && `id-${content}` >= id
          ? ([{ id: `id-${content}`, status: found }] as Attestation[])
          : [];
      });
    },
  };
  return { api, listedFrom };
}

const run = { concurrency: 1, disturb: () => {}, log: () => {}, timeoutSeconds: 10, pollMs: 1 };

describe('runLoad', () => {
  it('looks until every attestation is over, and only as far back as the oldest that is not', async () => {
    const { api, listedFrom } = fakeApi('pending', 'committed', 'confirmed');
    const { attestations } = await runLoad({ ...run, api, articles: ['b', 'a'] });
    expect(attestations).toEqual([
      { id: 'id-b', status: 'confirmed' },
      { id: 'id-a', status: 'confirmed' },
    ]);
    expect(listedFrom).toEqual(['id-a', 'id-a', 'id-b']);
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
});
