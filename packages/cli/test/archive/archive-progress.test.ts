import { expect, test } from 'vitest';
import { FakeTime } from '../../../client/test/fake-time.ts';
import { ArchiveProgress } from '../../src/archive/archive-progress.ts';
import type { Waiting } from '../../src/archive/patience.ts';
import { Archive, articles } from './archive.ts';
import { UnkindApi } from './unkind-api.ts';

const patience: { waiting: Waiting | undefined } = { waiting: undefined };
const none = { total: 10_000, sent: 0, confirmed: 0, failed: 0 };

test('the line shows counts, the rate of the last minute and the time left', async () => {
  const clock = new FakeTime();
  const progress = new ArchiveProgress(clock, patience, true);
  expect(progress.line(none, 80)).toBe('[--------------------]  0/10,000 sent  0 confirmed');
  await clock.sleep(60);
  expect(progress.line({ ...none, sent: 600 }, 80)).toBe(
    '[--------------------]  600/10,000 sent  0 confirmed  10/s  15 min 40 s left',
  );
  await clock.sleep(60);
  // Sent 300 and confirmed 60 in the last minute: what is confirmed takes longer.
  expect(progress.line({ ...none, sent: 900, confirmed: 60 }, 80)).toBe(
    '[--------------------]  900/10,000 sent  60 confirmed  5.0/s  2 h 46 min left',
  );
  await clock.sleep(60);
  expect(progress.line({ ...none, sent: 10_000, confirmed: 9_660, failed: 1 }, 80)).toBe(
    '[############-]  10,000/10,000 sent  9,660 confirmed  1 failed  160/s  3 s left',
  );
});

test('the line says what is waited for, and stays within any terminal', () => {
  patience.waiting = { reason: 'rate limit exceeded', seconds: 38_490 };
  const progress = new ArchiveProgress(new FakeTime(), patience, true);
  const full = { total: 100_000, sent: 99_999, confirmed: 99_999, failed: 0 };
  expect(progress.line(full, 80)).toBe(
    '99,999/100,000 sent  99,999 confirmed  rate limit exceeded: on in 10 h 42 min',
  );
  expect(progress.line({ ...none, sent: 5 }, 120)).toBe(
    '[--------------------]  5/10,000 sent  0 confirmed  rate limit exceeded: on in 10 h 42 min',
  );
  patience.waiting = undefined;
});

test('a terminal shows the line, a pipe the plan and the ending alone', async () => {
  const api = await UnkindApi.start();
  const shown: string[] = [];
  const write = (text: string) => shown.push(text);
  await new Archive(api, articles(3)).attest(['--yes'], { errors: { isTTY: true, columns: 80, write } });
  expect(shown.join('')).toMatch(/\r.*3\/3 sent {2}3 confirmed/);
  const piped = await new Archive(api, { 'x.md': 'Another.' }).attest();
  expect(piped.error).toMatch(/^imprimatur: 1 file\n[^\r]*\n$/);
  expect(piped.error.split('\n').every((line) => line.length <= 80 || line.includes('/tmp/'))).toBe(true);
});
