import { Metrics } from '@aws-lambda-powertools/metrics';
import { expect, test } from 'vitest';
import { jsonLog } from '../../../../functions/adapters/aws/cloudwatch-log.ts';

const now = () => new Date('2026-01-01T00:00:00.000Z');

const metrics = new Metrics({ namespace: 'Imprimatur/Test', serviceName: 'imprimatur' });

function logged(write: (log: ReturnType<typeof jsonLog>) => void): string[] {
  const lines: string[] = [];
  write(jsonLog((line) => lines.push(line), now, metrics));
  return lines;
}

test('the log writes one JSON object per line', () => {
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
])('the log never prints a URL: %s', (url) => {
  const error = new Error(`HTTP request failed.\nURL: ${url}\n`, { cause: new Error(`at (${url})`) });
  const [line] = logged((log) => log.error('failed', error));
  expect(line).not.toContain('secret');
  expect(line).toContain('<url>');
});

test('the log prints hashes and addresses, but no calldata or raw transaction, which contain salts', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const data = `0x12345678${'cd'.repeat(96)}`;
  const [line] = logged((log) => log.error('failed', new Error(`reverted: data: ${data} hash: ${hash}`)));
  expect(line).not.toContain('cdcd');
  expect(line).toContain(hash);
});

test('the log cuts long causes and accepts values that are not errors', () => {
  const [long, odd] = logged((log) => {
    log.error('failed', new Error('x'.repeat(10_000)));
    log.error('failed', 'a text was thrown');
  });
  expect((long ?? '').length).toBeLessThan(1000);
  expect(JSON.parse(odd ?? '{}')).toMatchObject({ causes: [] });
});

test('the line of a counted message contains its metric', () => {
  const [line = ''] = logged((log) => log.error('lane paused', new Error('why'), { lane: 'a' }));
  expect(JSON.parse(line)).toEqual({
    ...{ time: '2026-01-01T00:00:00.000Z', level: 'error', message: 'lane paused', lane: 'a' },
    causes: [{ name: 'Error', message: 'why' }],
    ...{ service: 'imprimatur', LanePaused: 1 },
    _aws: {
      Timestamp: now().getTime(),
      CloudWatchMetrics: [
        {
          Namespace: 'Imprimatur/Test',
          Dimensions: [['service']],
          Metrics: [{ Name: 'LanePaused', Unit: 'Count' }],
        },
      ],
    },
  });
});

test('metrics in a line about a chain have the chain as a dimension, and those in the next do not', () => {
  const lines = logged((log) => {
    log.info('funds checked', { chainId: 7, lane: '7-0x1', daysLeft: 1.5 });
    log.info('sweep done', { attestations: 2, oldestUnfinishedSeconds: 60, parts: 3 });
    log.info('sent');
  });
  const [funds, sweep, plain] = lines.map((line) => JSON.parse(line));
  expect(funds).toMatchObject({ chainId: 7, Chain: '7', FundsDays: 1.5 });
  expect(funds._aws.CloudWatchMetrics[0].Dimensions).toEqual([['service', 'Chain']]);
  expect(sweep).toMatchObject({ SweepDone: 1, SweptAttestations: 2, OldestUnfinished: 60 });
  expect(sweep._aws.CloudWatchMetrics).toEqual([
    {
      ...{ Namespace: 'Imprimatur/Test', Dimensions: [['service']] },
      Metrics: [
        { Name: 'SweepDone', Unit: 'Count' },
        { Name: 'OldestUnfinished', Unit: 'Seconds' },
        { Name: 'SweptAttestations', Unit: 'Count' },
      ],
    },
  ]);
  expect(plain).not.toHaveProperty('_aws');
  expect(plain).not.toHaveProperty('service');
});
