import { expect, test } from 'vitest';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { type RunningService, runService } from '../../fakes/world/running-service.ts';
import { alice, bob } from '../../fakes/world/world.ts';

/** Deploys a version's functions: all later ticks run that version, whatever definition their execution runs. */
function deployFunctions({ services }: RunningService, laneDefinition: string): void {
  Object.assign(services, { laneDefinition });
}

/** Deploys a version's lane machine: executions that start later name that definition. */
function deployMachine({ machines: { definitions } }: RunningService, name: string): void {
  const text = JSON.stringify(definitions.lane).replace(/"definition":"[^"]*"/, `"definition":"${name}"`);
  definitions.lane = JSON.parse(text);
}

/** Definitions of the lane's executions, in the order of their starts. */
const laneDefinitions = ({ machines, world }: RunningService): unknown[] =>
  [...machines.executions.values()]
    .filter(({ name }) => name.startsWith(world.lane))
    .map(({ definition }) => definition.States.AdvanceLane?.Parameters?.Payload.definition);

/** A tip above the fees of all tests, so that nothing is mined. */
const unpaidTip = 10n ** 15n;

/** Starts a service of version `old`, with attestations whose transactions are pending. */
async function startStuckService(faults?: FaultPlan): Promise<RunningService> {
  const service = runService(faults, { batches: true, confirmations: 10 });
  deployFunctions(service, 'old');
  deployMachine(service, 'old');
  service.world.chain.minTip = unpaidTip;
  for (const text of ['first', 'second', 'third']) await service.postUntilAnswered(alice, text);
  await service.queue.until(async () => false, 7);
  expect(laneDefinitions(service)).toEqual(['old']);
  return service;
}

async function expectAllConfirmedOnce(service: RunningService, count: number): Promise<void> {
  service.world.chain.minTip = 0n;
  await service.finishAndCheck();
  const rows = service.world.records.all().filter(({ fields }) => 'commitPhase' in fields);
  expect(rows.map(({ fields }) => fields.status)).toEqual(Array(count).fill('confirmed'));
}

test('a lane hands over to an execution of the newest definition at its first tick after a deployment', async () => {
  const service = await startStuckService();
  deployFunctions(service, 'new');
  deployMachine(service, 'new');
  await service.queue.until(async () => false, 2 * service.world.chain.settings.blockTimeSeconds + 1);
  expect(laneDefinitions(service)).toEqual(['old', 'new']);
  const { machines, world } = service;
  expect(machines.describe(`${world.lane}-1`)).toBe('SUCCEEDED');
  await service.post(bob, 'later');
  await expectAllConfirmedOnce(service, 4);
  expect(new Set(laneDefinitions(service).slice(1))).toEqual(new Set(['new']));
});

test('a lane starts at most one run per block while only the functions are deployed', async () => {
  const service = await startStuckService();
  deployFunctions(service, 'new');
  const seconds = 60;
  await service.post(bob, 'later');
  await service.queue.until(async () => false, seconds);
  const runs = laneDefinitions(service).length;
  expect(runs).toBeGreaterThan(2);
  expect(runs).toBeLessThanOrEqual(1 + seconds / service.world.chain.settings.blockTimeSeconds);
  deployMachine(service, 'new');
  await expectAllConfirmedOnce(service, 4);
});

/** Hands a lane over by a deployment. @returns the range of numbers of the port calls meanwhile */
async function handOver(plan: FaultPlan): Promise<readonly [from: number, to: number]> {
  const service = await startStuckService(plan);
  const from = plan.calls.length;
  deployFunctions(service, 'new');
  deployMachine(service, 'new');
  await service.queue.until(async () => laneDefinitions(service).includes('new'), 120);
  const to = plan.calls.length;
  await expectAllConfirmedOnce(service, 3);
  expect(laneDefinitions(service).at(-1)).toBe('new');
  return [from, to];
}

test.each<FaultKind>(['killed before', 'killed after', 'refused', 'answer lost'])(
  'a hand-over recovers from this fault of any of its port calls: %s',
  async (kind) => {
    const calls = new FaultPlan();
    const [from, to] = await handOver(calls);
    expect(calls.calls.slice(from, to)).toContain('executions.startLane');
    for (let call = from; call < to; call++) {
      const plan = new FaultPlan(call, kind);
      await handOver(plan);
      expect(plan.happened).toBe(true);
    }
  },
);
