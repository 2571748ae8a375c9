import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { deepReorg } from '../troubles/chain-troubles.ts';
import { Troublemaker } from '../troubles/troublemaker.ts';
import { Publishers } from './publishers.ts';
import type { Stage } from './stage.ts';

const dispatchers = 3;

/** Longer than any wait: time-outs, sweeps, the longest time that fees or a transaction may take. */
const mostCalmSeconds = 12 * 3600;

/** Long enough for two sweeps to look at every lane. */
const noticedSeconds = 150;

/**
 * Runs a life: first with all troubles, then without, until nothing is left to do.
 *
 * @throws Error when a check fails, or when something waits for ever
 */
export async function live(stage: Stage, endFaults: () => void): Promise<void> {
  const { scenario, service, violations } = stage;
  const publishers = new Publishers(stage);
  const troublemaker = new Troublemaker(stage, publishers);
  publishers.begin();
  troublemaker.begin();
  for (let one = 0; one < dispatchers; one++) dispatchNowAndThen(stage);
  let restsFrom = Number.POSITIVE_INFINITY;
  service.queue.after(scenario.troubledSeconds, async () => {
    endFaults();
    publishers.calm();
    await troublemaker.stop();
    stage.trace.note('calm');
    // What happened to an idle lane last is seen by a sweep.
    restsFrom = service.world.clock.now().getTime() + noticedSeconds * 1000;
  });
  const isCalm = () => service.world.clock.now().getTime() >= restsFrom;
  const isOver = async () => violations.length > 0 || (isCalm() && (await isAtRest(stage, publishers)));
  const ended = await service.queue.until(isOver, scenario.troubledSeconds + mostCalmSeconds);
  if (violations.length > 0) throw new Error(violations.join('\n'));
  if (!ended) throw new Error(`never ends:  ${await whatWaits(stage, publishers)}`);
  await disturbRest(stage, publishers);
  // After this wait, every transaction that can be mined is mined.
  await pass(stage, 3 * scenario.given.blockTimeSeconds);
  await stage.check();
}

/** Sometimes undoes final blocks when nothing is left to do: lanes are idle or retired, and have to see it. */
async function disturbRest(stage: Stage, publishers: Publishers): Promise<void> {
  if (!stage.chance.oneIn(3) || !(await deepReorg(stage, publishers))) return;
  stage.count('deep reorg at rest');
  stage.trace.note('deep reorg at rest');
  await pass(stage, noticedSeconds);
  const isOver = async () => stage.violations.length > 0 || (await isAtRest(stage, publishers));
  const ended = await stage.service.queue.until(isOver, mostCalmSeconds);
  if (!ended) throw new Error(`never ends:  ${await whatWaits(stage, publishers)}`);
}

/** Adds dispatches to those of the steps and of the lane. */
function dispatchNowAndThen(stage: Stage): void {
  const { service, scenario, chance } = stage;
  service.queue.after(scenario.given.blockTimeSeconds * (chance.below(60) / 10), async () => {
    await service.process((mortal) => dispatchQueue(mortal, service.world.queue)).catch(() => {});
    dispatchNowAndThen(stage);
  });
}

async function pass({ service: { queue, world } }: Stage, seconds: number): Promise<void> {
  const end = world.clock.now().getTime() + seconds * 1000;
  await queue.until(async () => world.clock.now().getTime() >= end, 2 * seconds);
}

const farOff = '9999-12-31T00:00:00.000Z';

/** Whether nothing is left to do, for the service and for the organizations. */
async function isAtRest({ service }: Stage, publishers: Publishers): Promise<boolean> {
  return (await service.isIdle()) && publishers.isContent();
}

/** Describes what still waits, to find the reason. */
async function whatWaits({ service }: Stage, publishers: Publishers): Promise<string> {
  const { machines, world } = service;
  const running = [...machines.executions.values()].filter(({ status }) => status === 'RUNNING');
  const unconfirmed = publishers.posted.filter(({ confirmed }) => !confirmed);
  return JSON.stringify({
    executions: running.map(({ name, stateName }) => `${name} in ${stateName}`),
    owes: await world.owes(),
    lanes: await world.lanes(),
    due: await world.records.due(farOff, 10),
    unconfirmed: unconfirmed.map(({ text, attestation }) => `${text}: ${attestation?.id}`),
  });
}
