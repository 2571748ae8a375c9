import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { apiKey, attestation, type FakeApi, fakeApi, id } from '../../client/test/fake-api.ts';
import { plainNode } from '../../client/test/plain-node.ts';

const launcher = fileURLToPath(new URL('../bin/imprimatur.js', import.meta.url));

/** Starts the command like `npx`: with a possibly old Node, and in a process group like a terminal. */
function start({ url }: FakeApi, ...argv: string[]) {
  const env = { PATH: process.env.PATH, IMPRIMATUR_URL: url, IMPRIMATUR_API_KEY: apiKey };
  const child = spawn(plainNode, [launcher, ...argv], { env, detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function launch(api: FakeApi, ...argv: string[]) {
  const child = start(api, ...argv);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([out, error, [exitCode]]) => ({ exitCode, out, error }),
  );
  return { child, ended };
}

it('the launcher forwards input, output and exit code', async () => {
  const api = await fakeApi([202, { id, status: 'pending' }], [400, { error: 'invalid request' }]);
  const attested = launch(api, 'attest', '-', '--json');
  attested.child.stdin.end('from a pipe');
  const out = `{"id":"${id}","status":"pending","created":true}\n`;
  expect(await attested.ended).toEqual({ exitCode: 0, out, error: '' });
  expect(api.received[0]?.body).toBe('{"content":"from a pipe"}');
  const error = 'imprimatur: invalid request\n';
  expect(await launch(api, 'status', id).ended).toEqual({ exitCode: 1, out: '', error });
});

it.each([
  ['an answer', [200, { attestations: [] }], 0, ''],
  ['a failure', [400, { error: 'invalid request' }], 1, 'imprimatur: invalid request\n'],
] as const)('the launcher ends quietly when nobody reads %s', async (_, answer, exitCode, message) => {
  const child = start(await fakeApi([...answer]), 'list', '--json');
  child.stdout.destroy();
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ error, code }).toEqual({ error: message, code: exitCode });
});

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends the launcher with %i, and the message states that the service continues',
  async (signal, exitCode) => {
    const api = await fakeApi([200, attestation()]);
    const { child, ended } = launch(api, 'status', id, '--wait', '--json');
    await once(child.stderr, 'data');
    // A terminal signals the whole group, but `kill` with a process ID signals only the launcher.
    process.kill(signal === 'SIGINT' ? -(child.pid ?? Number.NaN) : (child.pid ?? Number.NaN), signal);
    const { out, ...rest } = await ended;
    const error = `interrupted; the service continues; to check again: npx imprimatur status ${id} --wait`;
    expect(rest).toEqual({ exitCode, error: expect.stringContaining(`${error}\n`) });
    expect(JSON.parse(out)).toEqual({ error, id });
  },
);

it('Ctrl-C ends a watch immediately while it waits for a provider', async () => {
  const api = await fakeApi('say nothing');
  const [authority, registry] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
  const argv = ['watch', '--authority', authority, '--chain', '1', '--registry', registry, '--rpc', api.url];
  const { child, ended } = launch(api, ...argv);
  await expect.poll(() => api.received.length).toBeGreaterThan(0);
  process.kill(-Number(child.pid), 'SIGINT');
  const { exitCode, error } = await ended;
  expect(exitCode).toBe(130);
  expect(error).toContain('reading chain 1');
  expect(error).toContain('the next watch resumes');
});
