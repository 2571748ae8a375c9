import { expect, test, vi } from 'vitest';
import { handler as create } from '../../../functions/api/create-attestation.ts';
import { handler as get } from '../../../functions/api/get-attestation.ts';
import { handler as proof } from '../../../functions/api/get-proof.ts';
import { route } from '../../../functions/api/http/route.ts';
import { handler as link } from '../../../functions/api/link-child.ts';
import { handler as list } from '../../../functions/api/list-attestations.ts';
import { handler as chains } from '../../../functions/api/list-chains.ts';
import { handler as quote } from '../../../functions/api/quote-passage.ts';
import {
  apiKeyHash,
  createApiKey,
  type KeyRequest,
} from '../../../functions/domain/organization/api-keys.ts';
import { FakeLog } from '../../fakes/ports/fake-log.ts';
import { aliceKey, call, world } from '../../fakes/world/api-client.ts';
import { selfAttest } from '../../fakes/world/steps.ts';
import { alice, chainId } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));
vi.mock('../../../functions/adapters/compose-records.ts', () => import('../../fakes/world/composed.ts'));
vi.mock('../../../functions/adapters/aws/cloudwatch-log.ts', () => import('../../fakes/world/composed.ts'));

const { organizationId } = alice;
const keyId = apiKeyHash(aliceKey).slice(0, 32);

function issue(request: Partial<KeyRequest>) {
  return createApiKey(world.records, {
    ...{ organizationId, mode: 'live', now: world.clock.now() },
    ...request,
  });
}

/** Makes a route that uses the world's clock. @returns it with its log and its mocked handler */
function loggedRoute(countsConcurrently = false) {
  const log = new FakeLog();
  const handle = vi.fn(async () => ({ status: 200, body: {} }));
  const access = 'read' as const;
  const definition = {
    records: world.records,
    now: world.clock.now,
    log,
    handle,
    access,
    countsConcurrently,
  };
  return { log, handle, handler: route(definition) };
}

const inDays = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString();

test('an expired key is reported as expired, and logged with its organization', async () => {
  const expiresAt = inDays(1);
  const { key, id } = await issue({ expiresAt });
  const { log, handler } = loggedRoute();
  expect((await call(handler, {}, key)).status).toBe(200);
  world.clock.moveTo(new Date(expiresAt));
  const { status, body } = await call(handler, {}, key);
  expect([status, body]).toEqual([
    401,
    { error: `the API key expired at ${expiresAt}; ask the service's operator for another` },
  ]);
  const [line] = log.lines.filter(({ message }) => message === 'request not authenticated');
  expect(line?.fields).toMatchObject({ organizationId, keyId: id });
});

test.each([
  ['after it is counted', false, 2],
  ['while it is counted, if it only reads', true, 3],
])('a key over its rate gets 429 and is logged; the API handles a request %s', async (_, isRead, handled) => {
  vi.stubEnv('SETTINGS', JSON.stringify({ rate: { requestsPerMinute: 9, keyRequestsPerMinute: 2 } }));
  const { log, handle, handler } = loggedRoute(isRead);
  vi.unstubAllEnvs();
  const { key, id } = await issue({});
  const [first, second, third, fourth] = [
    await call(handler, {}, key),
    await call(handler, {}, key),
    await call(handler, {}, key),
    await call(handler, {}, key),
  ];
  expect([first.status, second.status, third.status, fourth.status, third.body]).toEqual([
    ...[200, 200, 429, 429],
    { error: 'rate limit exceeded' },
  ]);
  // Once the key is known to be over its rate, nothing is read for it.
  expect(handle).toHaveBeenCalledTimes(handled);
  const left = 60 - world.clock.now().getUTCSeconds();
  expect(third.headers['Retry-After']).toBe(String(left));
  expect(log.lines.at(-1)?.fields).toMatchObject({ status: 429, organizationId, keyId: id });
  expect((await call(handler, {})).status).toBe(200);
  expect((await call(handler, {}, 'nonsense')).status).toBe(401);
});

test.each([
  [15, []],
  [13, ['API key expires soon']],
])('a key that expires in %i days is logged: %j', async (days, messages) => {
  const expiresAt = inDays(days);
  const { key, id } = await issue({ expiresAt });
  const { log, handler } = loggedRoute();
  await call(handler, {}, key);
  const warnings = log.lines.filter(({ level }) => level === 'warn');
  expect(warnings.map(({ message }) => message)).toEqual(messages);
  for (const { fields } of warnings) expect(fields).toEqual({ organizationId, keyId: id, expiresAt });
});

test('every answer, including errors, is logged with organization and key id, but without the key', async () => {
  const { log, handler } = loggedRoute();
  const request = { method: 'GET', resource: '/v1/chains' };
  await call(handler, request);
  const failing = route({
    records: world.records,
    log,
    access: 'read',
    handle: () => Promise.reject(new Error('unexpected')),
  });
  await call(failing, request);
  const [answered, failed] = log.lines.filter(({ message }) => message === 'request answered');
  const fields = { ...request, organizationId, keyId, requestId: expect.stringMatching(/^request-/) };
  expect(answered?.fields).toEqual({ ...fields, status: 200 });
  expect(failed?.fields).toEqual({ ...fields, status: 500 });
  expect(JSON.stringify(log.lines)).not.toContain(aliceKey);
});

test('a row contains the ids of the keys that posted and linked it, but no answer shows them', async () => {
  const [parent, child] = [await selfAttest(world, alice, 'parent'), await selfAttest(world, alice, 'child')];
  const posted = await call(create, { body: { content: 'with a key' } });
  expect((await world.row({ organizationId, id: posted.body.id })).keyId).toBe(keyId);
  await call(link, { id: parent.id, body: { childAttestationId: child.id } });
  expect((await world.row(parent)).linkKeyId).toBe(keyId);
  for (const { id } of [parent, posted.body]) expect((await call(get, { id })).text).not.toContain(keyId);
});

test('a test key attests and links only on test chains', async () => {
  const { key } = await issue({ mode: 'test' });
  const [parent, child] = [await selfAttest(world, alice, 'was'), await selfAttest(world, alice, 'is')];
  const [chain] = world.settings.chains;
  if (chain) chain.testnet = false;
  const refusal = (field: string) => {
    const message = `chain ${chainId} is not a test chain, and this key is for test chains: use a live key`;
    return { error: 'invalid request', issues: [{ path: [field], message }] };
  };
  const before = world.records.all();
  const body = { childAttestationId: child.id };
  const refused = [
    await call(create, { body: { content: 'not a test' } }, key),
    await call(create, { body: { content: 'not a test', chainId: 1 } }, key),
    await call(link, { id: parent.id, body }, key),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 409, 400]);
  expect(refused[0]?.body).toEqual(refusal('chainId'));
  expect(refused[2]?.body).toEqual(refusal('id'));
  expect(world.records.all()).toEqual(before);
  expect((await call(create, { body: { content: 'not a test' } })).status).toBe(202);
  if (chain) delete chain.testnet;
});

test('a read-only key gets 403 where it would attest or link, and everything else works', async () => {
  const { key } = await issue({ readOnly: true });
  const [parent, child] = [await selfAttest(world, alice, 'old'), await selfAttest(world, alice, 'new')];
  const before = world.records.all();
  const refused = [
    await call(create, { body: { content: 'read-only' } }, key),
    await call(create, { text: 'no JSON' }, key),
    await call(link, { id: parent.id, body: { childAttestationId: child.id } }, key),
  ];
  const error = "this API key may only read; ask the service's operator for one that may attest";
  expect(refused.map(({ status, body }) => [status, body])).toEqual(refused.map(() => [403, { error }]));
  expect(world.records.all()).toEqual(before);
  const { id } = parent;
  const answers = [
    await call(get, { id }, key),
    await call(list, {}, key),
    await call(chains, {}, key),
    await call(proof, { id }, key),
    await call(quote, { id, body: { passage: 'old' } }, key),
  ];
  // `selfAttest` gives the entry no quote root, so no passage can be proven.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
});
