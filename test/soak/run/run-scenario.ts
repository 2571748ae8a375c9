import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { deepReorg } from '../disturbances/chain-disturbances.ts';
import { DisturbanceSchedule } from '../disturbances/disturbance-schedule.ts';
import type { RunContext } from './context.ts';
import { Publishers } from './publishers.ts';

const dispatchers = 3;

/** Longer than any wait after the disturbances, such as for timeouts and sweeps. */
const maxCalmSeconds = 12 * 3600;

/** Long enough for two sweeps to check every lane. */
const twoSweepsSeconds = 150;

/**
 * Runs a scenario, first with all disturbances, then without, until no work is left.
 * @throws Error when a check fails, or when something waits forever
 */
export async function runScenario(context: RunContext, endFaults: () => void): Promise<void> {
  const { scenario, service, violations } = context;
  const publishers = new Publishers(context);
  const schedule = new DisturbanceSchedule(context, publishers);
  publishers.begin();
  schedule.begin();
  for (let index = 0; index < dispatchers; index++) dispatchRepeatedly(context);
  let calmAt = Number.POSITIVE_INFINITY;
  service.queue.after(scenario.disturbedSeconds, async () => {
    endFaults();
    publishers.stopLinks();
    await schedule.stop();
    context.trace.note('calm');
    // A sweep detects the last changes of an idle lane.
    calmAt = service.world.clock.now().getTime() + twoSweepsSeconds * 1000;
  });
  const isCalm = () => service.world.clock.now().getTime() >= calmAt;
  const isOver = async () => violations.length > 0 || (isCalm() && (await isAtRest(context, publishers)));
  const ended = await service.queue.until(isOver, scenario.disturbedSeconds + maxCalmSeconds);
  requireNoViolation(context);
  if (!ended) throw new Error(`never ends: ${await pendingWork(context, publishers)}`);
  await disturbAtRest(context, publishers);
  // After this wait, every transaction that can be mined is mined.
  await wait(context, 3 * scenario.given.blockTimeSeconds);
  requireNoViolation(context);
  await context.check();
}

function requireNoViolation({ violations }: RunContext): void {
  if (violations.length > 0) throw new Error(violations.join('\n'));
}

/** Sometimes undoes final blocks after all work is done. Idle and retired lanes must detect it. */
async function disturbAtRest(context: RunContext, publishers: Publishers): Promise<void> {
  if (!context.choices.oneIn(3) || !(await deepReorg(context, publishers))) return;
  context.count('deep reorg at rest');
  context.trace.note('deep reorg at rest');
  await wait(context, twoSweepsSeconds);
  const isOver = async () => context.violations.length > 0 || (await isAtRest(context, publishers));
  const ended = await context.service.queue.until(isOver, maxCalmSeconds);
  requireNoViolation(context);
  if (!ended) throw new Error(`never ends: ${await pendingWork(context, publishers)}`);
}

/** Adds dispatches besides those of the steps and the lane. */
function dispatchRepeatedly(context: RunContext): void {
  const { service, scenario, choices } = context;
  service.queue.after(scenario.given.blockTimeSeconds * (choices.below(60) / 10), async () => {
    await service.process((services) => dispatchQueue(services, service.world.queue)).catch(() => {});
    dispatchRepeatedly(context);
  });
}

async function wait({ service: { queue, world } }: RunContext, seconds: number): Promise<void> {
  const end = world.clock.now().getTime() + seconds * 1000;
  await queue.until(async () => world.clock.now().getTime() >= end, 2 * seconds);
}

const farFuture = '9999-12-31T00:00:00.000Z';

/** Whether no work is left for the service and the organizations. */
async function isAtRest({ service }: RunContext, publishers: Publishers): Promise<boolean> {
  return (await service.isIdle()) && publishers.hasAllConfirmed();
}

/** Describes the work that is left, for diagnosis. */
async function pendingWork({ service }: RunContext, publishers: Publishers): Promise<string> {
  const { machines, world } = service;
  const running = [...machines.executions.values()].filter(({ status }) => status === 'RUNNING');
  const unconfirmed = publishers.articles.filter(({ confirmed }) => !confirmed);
  return JSON.stringify({
    executions: running.map(({ name, stateName }) => `${name} in ${stateName}`),
    owes: await world.owes(),
    lanes: await world.lanes(),
    due: await world.records.due(farFuture, 10),
    unconfirmed: unconfirmed.map(({ text, attestation }) => `${text}: ${attestation?.id}`),
  });
}
