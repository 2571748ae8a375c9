import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newWebhookSecret, webhookHeaders } from '../../../functions/domain/webhooks/signature.ts';
import { verifyWebhook } from '../../../integrations/webhooks/verify.js';

/** Signed by the Standard Webhooks libraries, from their tests. */
const known = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};

test('signatures match those of the Standard Webhooks libraries', () => {
  const { secret, at, body, headers } = known;
  expect(webhookHeaders({ messageId: headers['webhook-id'], at, body }, [secret])).toEqual(headers);
});

const verify = (headers: object, body = known.body, at = known.at) =>
  verifyWebhook(known.secret, { ...known.headers, ...headers }, body, at);

test('the example accepts a signature of the Standard Webhooks libraries', () => {
  expect(verify({})).toEqual({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', test: 2_432_232_314 });
});

const signature = known.headers['webhook-signature'];

test.each([
  ['another body', {}, '{"test":2432232314}'],
  ['another id', { 'webhook-id': 'msg_2' }, known.body],
  ['another time', { 'webhook-timestamp': '1614265331' }, known.body],
  ['no signature', { 'webhook-signature': undefined }, known.body],
  ['a signature of another kind', { 'webhook-signature': signature.replace('v1', 'v2') }, known.body],
])('the example refuses %s', (_, headers, body) => {
  expect(() => verify(headers, body)).toThrow('no valid signature');
});

test.each([
  ['that is too old', {}, 301],
  ['that is too new', {}, -301],
  ['with an invalid time', { 'webhook-timestamp': 'now' }, 0],
  ['without a time', { 'webhook-timestamp': undefined }, 0],
])('the example refuses a request %s, because it may be a copy', (_, headers, seconds) => {
  const at = new Date(known.at.getTime() + seconds * 1000);
  expect(() => verify(headers, known.body, at)).toThrow('too old or too new');
});

test('the example accepts either of two secrets while both sign', () => {
  const [newer, former] = [newWebhookSecret(), newWebhookSecret()];
  const [at, body] = [new Date(), '{"type":"attestation.failed"}'];
  const headers = webhookHeaders({ messageId: 'msg_1', at, body }, [newer, former]);
  for (const secret of [newer, former])
    expect(verifyWebhook(secret, headers, body)).toMatchObject({ type: 'attestation.failed' });
  expect(() => verifyWebhook(newWebhookSecret(), headers, body)).toThrow('no valid signature');
});

test.each(['', 'whsec_', 'whsec_c2hvcnQ='])(
  'the example refuses the secret %j, which anyone could guess',
  (secret) => {
    const [at, body] = [new Date(), '{"type":"attestation.confirmed"}'];
    const headers = webhookHeaders({ messageId: 'msg_1', at, body }, [secret]);
    expect(() => verifyWebhook(secret, headers, body)).toThrow('the webhook secret is missing or truncated');
  },
);

test('the receiver does not start without a secret', () => {
  const receiver = fileURLToPath(import.meta.resolve('../../../integrations/webhooks/receiver.js'));
  const { WEBHOOK_SECRET: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [receiver], {
    ...{ env: { ...env, PORT: '0' }, timeout: 120_000, encoding: 'utf8' },
  });
  expect([status, stderr]).toEqual([1, 'set WEBHOOK_SECRET to the secret of the webhook, whsec_…\n']);
});
