import { expect, onTestFinished, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import type { FaultKind, Faults } from '../fakes/ports/faults.ts';
import { runRealService } from '../fakes/real/real-service.ts';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import type { EventQueue } from '../fakes/workflow/event-queue.ts';
import type { StateMachines } from '../fakes/workflow/state-machines.ts';
import { workflowFunction } from '../fakes/workflow/workflow-functions.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { expectAllConfirmed } from './world/all-confirmed.ts';
import { excessiveTip } from './world/excessive-tip.ts';
import { checkRealRule, rowsOf } from './world/rule.ts';
import { laneOf, routes, serve } from './world/served.ts';

/** Lets each call of a port take its time, so that functions are found in the midst of their work. */
class SlowCalls implements Faults {
  /** Set, it is what every function ends with that is under way. */
  kind: FaultKind | undefined;
  #queue: EventQueue | undefined;

  /** From now on calls take time of this queue. */
  take(queue: EventQueue): void {
    this.#queue = queue;
  }

  next(): FaultKind | undefined {
    return this.kind;
  }

  async pause(): Promise<void> {
    const queue = this.#queue;
    if (queue) await new Promise<void>((passed) => queue.after(0.3, passed));
  }
}

/** In less no waiting state times out, which would make up for a token that is lost. */
const noTimeOutSeconds = 200;

/** The service whose functions take seconds, beside one another, once it is waited for. */
async function serveSlowly(given: RealGiven) {
  const faults = new SlowCalls();
  const service = await runRealService(faults, given, { overlaps: true });
  onTestFinished(service.world.stop);
  const endsByRule = async () => {
    faults.take(service.queue);
    expect(await service.untilIdle(noTimeOutSeconds)).toBe(true);
    await checkRealRule(service.world);
    // An operation sent twice would revert.
    for (const { succeeded } of await service.world.chain.receipts()) expect(succeeded).toBe(true);
  };
  return { ...service, faults, endsByRule };
}

/** Often enough to find each state before, in and after all that its function does. */
const mostRedrives = 16;

/** Closes every execution in the state that it is in, and drives it on from that state's start. */
function redriveAll(machines: StateMachines, redrives: Map<string, number>): void {
  for (const { name, status, stateName } of machines.executions.values()) {
    const where = `${name} ${stateName}`;
    const times = redrives.get(where) ?? 0;
    if (status !== 'RUNNING' || times === mostRedrives) continue;
    redrives.set(where, times + 1);
    machines.abort(name);
    machines.redrive(name);
  }
}

const statesOf = (redrives: Map<string, number>): Set<string> =>
  new Set([...redrives.keys()].map((where) => where.split(' ')[1] ?? ''));

test.each(routes)(
  'row 29: every state, run again from its start in the midst of it, has one effect: %j',
  async (route) => {
    const service = await serveSlowly(route);
    const { world, machines, queue } = service;
    await service.post(alice, 'An article.');
    await service.post(bob, 'An article.');
    await world.chain.revokeDelegation(bob.authorityAddress);
    // States wait for their transactions long enough to be run again meanwhile.
    world.chain.minTip = excessiveTip;
    queue.after(15, () => {
      world.chain.minTip = 0n;
    });
    const redrives = new Map<string, number>();
    queue.every(0.5, () => redriveAll(machines, redrives));
    await service.endsByRule();
    const statuses = (await rowsOf(world)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['confirmed', 'failed']);
    const redriven = statesOf(redrives);
    for (const state of ['Commit', 'RevealDelay', 'Reveal', 'Confirm', 'Fail', 'AdvanceLane', 'Sleep'])
      expect(redriven).toContain(state);
  },
);

/** What each state's function is given. */
const eventsOf = ({ organizationId, id }: Attestation, lane: string) => ({
  CommitFunction: { organizationId, id, taskToken: '1' },
  RevealFunction: { organizationId, id, taskToken: '2' },
  ConfirmFunction: { organizationId, id },
  FailFunction: { organizationId, id, error: 'Error', executionName: `${id}-1` },
  AdvanceLaneFunction: { lane, run: 1, turn: 0 },
});

test.each(routes)('row 29: every state, run again after all is done, changes nothing: %j', async (route) => {
  const service = await serve(route);
  const { world } = service;
  await service.post(alice, 'An article.');
  await service.post(bob, 'An article.');
  await world.chain.revokeDelegation(bob.authorityAddress);
  await service.endsByRule();
  const before = [await rowsOf(world), await laneOf(world)];
  for (const row of await rowsOf(world))
    for (const [name, event] of Object.entries(eventsOf(row, world.lane)))
      await service.process((services) => workflowFunction(name)(services, event));
  expect([await rowsOf(world), await laneOf(world)]).toEqual(before);
  await service.endsByRule();
});

/** Settings as different deployments have them. */
const deployments = [
  { maxInFlight: 1, minPriorityFeeGwei: 1 },
  { maxInFlight: 8, revealDelaySeconds: 15 },
  { maxFeePerGasGwei: 300, minPriorityFeeGwei: 0.1 },
];

test.each(routes)(
  'row 29: deployments end every function under way and change settings, and executions go on: %j',
  async (route) => {
    const service = await serveSlowly(route);
    const { world, queue, faults } = service;
    for (const [number, settings] of deployments.entries()) {
      queue.after(4 + 9 * number, () => {
        faults.kind = 'killed before';
        Object.assign(world.chain.settings, settings);
      });
      queue.after(5 + 9 * number, () => {
        faults.kind = undefined;
      });
    }
    for (const text of ['first', 'second', 'third']) await service.post(alice, text);
    await service.endsByRule();
    await expectAllConfirmed(world, 3);
  },
);
