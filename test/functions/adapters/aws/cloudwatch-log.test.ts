import { expect, test } from 'vitest';
import { jsonLog } from '../../../../functions/adapters/aws/cloudwatch-log.ts';

const now = () => new Date('2026-01-01T00:00:00.000Z');

function logged(write: (log: ReturnType<typeof jsonLog>) => void): string[] {
  const lines: string[] = [];
  write(jsonLog((line) => lines.push(line), now));
  return lines;
}

test('writes one JSON object a line', () => {
  const lines = logged((log) => {
    log.info('sent', { nonce: 1 });
    log.warn('slow');
    log.error('failed', new Error('why', { cause: new TypeError('deep\nerror') }), { lane: 'a' });
  });
  const time = '2026-01-01T00:00:00.000Z';
  expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time, level: 'info', message: 'sent', nonce: 1 },
    { time, level: 'warn', message: 'slow' },
    {
      ...{ time, level: 'error', message: 'failed', lane: 'a' },
      causes: [
        { name: 'Error', message: 'why' },
        { name: 'TypeError', message: 'deep\nerror' },
      ],
    },
  ]);
});

test.each([
  'https://user:secret@rpc.example/v2/secret?key=secret',
  'http://127.0.0.1:8545/secret',
  'wss://rpc.example/secret',
])('never prints a URL: %s', (url) => {
  const error = new Error(`HTTP request failed.\nURL: ${url}\n`, { cause: new Error(`at (${url})`) });
  const [line] = logged((log) => log.error('failed', error));
  expect(line).not.toContain('secret');
  expect(line).toContain('<url>');
});

test('never prints calldata or raw transactions, which hold salts; hashes and addresses it does', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const data = `0x12345678${'cd'.repeat(96)}`;
  const [line] = logged((log) => log.error('failed', new Error(`reverted: data: ${data} hash: ${hash}`)));
  expect(line).not.toContain('cdcd');
  expect(line).toContain(hash);
});

test('prints the beginning of a long cause, and survives what is no error', () => {
  const [long, odd] = logged((log) => {
    log.error('failed', new Error('x'.repeat(10_000)));
    log.error('failed', 'a text was thrown');
  });
  expect((long ?? '').length).toBeLessThan(1000);
  expect(JSON.parse(odd ?? '{}')).toMatchObject({ causes: [] });
});
