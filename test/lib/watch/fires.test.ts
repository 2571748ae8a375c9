import { Metrics } from '@aws-lambda-powertools/metrics';
import { describe, expect, test } from 'vitest';
import { jsonLog } from '../../../functions/adapters/aws/cloudwatch-log.ts';
import { alice, bob } from '../../fakes/world/world.ts';
import { environments, synthesize } from '../synthesize.ts';
import { healthyService, troubles } from './broken-services.ts';
import { type AlarmProperties, minutesUp, valuesIn } from './evaluate-alarm.ts';

const template = synthesize();

/** Alarms of the template by their ids: `AlarmsLanePaused0A1B2C3D` → `LanePaused`. */
const alarms = Object.fromEntries(
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [
    id.slice('Alarms'.length, -8),
    Properties as AlarmProperties,
  ]),
);

const isOurs = ({ Namespace }: AlarmProperties) => Namespace?.startsWith('Imprimatur/');
const ours = Object.entries(alarms).filter(([, alarm]) => isOurs(alarm));

/** Log as every function of the template writes it, with the environment that the template gives it. */
function templateLog(lines: string[]) {
  const { POWERTOOLS_METRICS_NAMESPACE, POWERTOOLS_SERVICE_NAME } = environments(template).Sweep ?? {};
  const metrics = new Metrics({
    namespace: String(POWERTOOLS_METRICS_NAMESPACE),
    serviceName: String(POWERTOOLS_SERVICE_NAME),
  });
  return (now: () => Date) => jsonLog((line) => lines.push(line), now, metrics);
}

/** The heartbeat needs as long until it was ever heard. */
const warmUp = 6 * 60_000;

describe.each(ours)('%s', (name, alarm) => {
  test('is up while what it is for is broken, and not before', async () => {
    const trouble = troubles[name];
    if (!trouble) throw new Error(`nothing breaks the service so that ${name} is up`);
    const lines: string[] = [];
    const service = await healthyService({ ...trouble.given, logBy: templateLog(lines) });
    const { clock } = service.world;
    const wellUntil = clock.now();
    const from = new Date(wellUntil.getTime() - 600_000 + warmUp);
    expect(minutesUp(alarm, lines, from, wellUntil)).toEqual([]);
    await trouble.breaks(service);
    await service.queue.until(async () => false, trouble.minutes * 60);
    expect(minutesUp(alarm, lines, from, clock.now())).not.toEqual([]);
  });
});

test('no alarm is up while the service is well', async () => {
  const lines: string[] = [];
  const service = await healthyService({ logBy: templateLog(lines) });
  const { clock } = service.world;
  const from = new Date(clock.now().getTime() - 600_000 + warmUp);
  for (let part = 0; part < 6; part++) {
    await service.post(alice, `article ${part}`);
    await service.post(bob, `article ${part}`);
    await service.queue.until(async () => false, 600);
  }
  expect(lines.length).toBeGreaterThan(200);
  const up = ours.filter(([, alarm]) => minutesUp(alarm, lines, from, clock.now()).length > 0);
  expect(up.map(([name]) => name)).toEqual([]);
});

test('every trouble has its alarm', () => {
  expect(Object.keys(troubles).sort()).toEqual(ours.map(([name]) => name).sort());
});

test('the heartbeat is up when no sweep runs at all, and down with the first that does', async () => {
  const alarm = alarms.SweepSilent as AlarmProperties;
  const lines: string[] = [];
  const service = await healthyService({ logBy: templateLog(lines) });
  const last = Math.max(...valuesIn(lines, alarm).map(({ at }) => at));
  const end = new Date(last + 20 * 60_000);
  const silent = minutesUp(alarm, lines, new Date(last), end);
  expect(silent[0]?.getTime()).toBe(last + 5 * 60_000);
  service.world.clock.moveTo(end);
  await service.queue.until(async () => false, 60);
  expect(minutesUp(alarm, lines, service.world.clock.now(), service.world.clock.now())).toEqual([]);
});
