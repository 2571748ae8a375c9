import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { checkout } from '../../../local/checkout.ts';

const root = mkdtempSync(`${tmpdir()}/imprimatur-function-`);
writeFileSync(
  `${root}/index.mjs`,
  `export async function handler(event, context) {
    if (event.refuse) throw new RangeError('refused');
    return event.silent ? undefined : { event, id: context.awsRequestId, ms: context.getRemainingTimeInMillis() };
  }`,
);
const env = { PATH: process.env.PATH, _HANDLER: 'index.handler', LAMBDA_TASK_ROOT: root };
const runtime = spawn(process.execPath, [`${checkout}/local/localstack/node-runtime.ts`, '3'], {
  env,
  stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
});
const [stdin, , , pipe] = runtime.stdio;
const replies = createInterface({ input: pipe as NodeJS.ReadableStream })[Symbol.asyncIterator]();
const next = async (): Promise<string> => (await replies.next()).value ?? '';

async function invoke(event: object) {
  stdin?.write(`${JSON.stringify({ 'invoke-id': 'id-1', payload: JSON.stringify(event), timeout: 5 })}\n`);
  return next();
}

afterAll(() => rmSync(root, { recursive: true }));

test('the runtime replies to invocations one after the other, and exits when its input ends', async () => {
  expect(await next()).toBe('ready');
  const [, answer = ''] = /^ok (.*)$/.exec(await invoke({ text: 'ä' })) ?? [];
  expect(JSON.parse(answer)).toEqual({ event: { text: 'ä' }, id: 'id-1', ms: expect.any(Number) });
  expect(await invoke({ silent: true })).toBe('ok null');
  const [, error = ''] = /^error (.*)$/.exec(await invoke({ refuse: true })) ?? [];
  expect(JSON.parse(error)).toMatchObject({ errorType: 'RangeError', errorMessage: 'refused' });
  stdin?.end();
  expect(await once(runtime, 'exit')).toEqual([0, null]);
});
