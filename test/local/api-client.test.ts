import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiRefusalError, apiClient } from '../../local/api-client.ts';
import { AttestationUnconfirmedError, awaitAttestation } from '../../local/await-attestation.ts';
import { showProgress } from '../../local/progress.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An API that gives these answers in turn, the last one for ever. */
async function api(...answers: Answer[]) {
  let turn = 0;
  const server = createServer((request, response) => {
    answers[Math.min(turn++, answers.length - 1)]?.(request, response);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return apiClient({ apiUrl, apiKey: 'imp_test_key' }, 3);
}

const answer =
  (status: number, body: object): Answer =>
  (_, response) =>
    response.writeHead(status).end(JSON.stringify(body));

const attestation = (status: string, more: object = {}) =>
  answer(200, { id: 'an id', status, error: null, ...more });

describe('apiClient', () => {
  it('tells a new attestation from one that was there', async () => {
    const client = await api(answer(202, { id: 'an id' }), answer(200, { id: 'an id' }));
    expect(await client.create({ content: 'a' })).toEqual({ created: true, id: 'an id' });
    expect(await client.create({ content: 'a' })).toEqual({ created: false, id: 'an id' });
  });

  it('sends the key', async () => {
    const client = await api((request, response) => {
      response.end(JSON.stringify({ id: request.headers.authorization }));
    });
    expect(await client.get('an id')).toEqual({ id: 'Bearer imp_test_key' });
  });

  it('asks again after a refusal that passes', async () => {
    const client = await api(answer(429, {}), answer(502, {}), answer(202, { id: 'an id' }));
    expect(await client.create({ content: 'a' })).toEqual({ created: true, id: 'an id' });
  });

  it('gives up on a refusal that does not pass', async () => {
    const client = await api(answer(429, { error: 'rate limit exceeded' }));
    await expect(client.get('an id')).rejects.toThrow(
      'the API answered 429: {"error":"rate limit exceeded"}',
    );
  });

  it('lists from an attestation on, over as many pages as that takes', async () => {
    const asked: (string | undefined)[] = [];
    const page =
      (next: string, ...ids: string[]): Answer =>
      ({ url }, response) => {
        asked.push(url);
        const link = `</live/v1/attestations?limit=200&cursor=${next}>; rel="next"`;
        response.setHeader('link', link).end(JSON.stringify({ attestations: ids.map((id) => ({ id })) }));
      };
    const client = await api(page('6', '8', '6'), page('4', '5', '4'), page('2', '3', '2'));
    expect((await client.listFrom('5')).map(({ id }) => id)).toEqual(['8', '6', '5']);
    expect(asked).toEqual(['/v1/attestations?limit=200', '/v1/attestations?limit=200&cursor=6']);
  });

  it('lists to the end of the last page', async () => {
    const client = await api(answer(200, { attestations: [{ id: '8' }, { id: '6' }] }));
    expect(await client.listFrom('5')).toEqual([{ id: '8' }, { id: '6' }]);
  });

  it('asks only once when the request itself is refused', async () => {
    const client = await api(answer(401, { error: 'invalid' }), answer(200, {}));
    await expect(client.get('an id')).rejects.toThrow(ApiRefusalError);
  });
});

describe('awaitAttestation', () => {
  const wait = { id: 'an id', pollMs: 1, timeoutSeconds: 10, show: () => {} };

  it('ends with the confirmed attestation, and shows each status once', async () => {
    let shown = '';
    const client = await api(
      attestation('pending'),
      attestation('pending'),
      attestation('committed', { commitTxHash: '0x1' }),
      attestation('confirmed', { attestationIndex: 7, revealTxHash: '0x2' }),
    );
    const show = showProgress({ write: (text) => (shown += text) });
    const { attestationIndex } = await awaitAttestation({ ...wait, api: client, show });
    expect(attestationIndex).toBe(7);
    expect(shown.replaceAll(/ +\d+ s {2}/g, '')).toBe(
      'pending\ncommitted  in 0x1\nconfirmed  as number 7, in 0x2\n',
    );
  });

  it('ends with the message of a failed one', async () => {
    const client = await api(attestation('failed', { error: 'delegation is not active' }));
    const waited = awaitAttestation({ ...wait, api: client });
    await expect(waited).rejects.toThrow('the attestation failed: delegation is not active');
  });

  it('does not wait for ever', async () => {
    const client = await api(attestation('pending'));
    const waited = awaitAttestation({ ...wait, api: client, timeoutSeconds: 0.05 });
    await expect(waited).rejects.toThrow(AttestationUnconfirmedError);
  });
});
