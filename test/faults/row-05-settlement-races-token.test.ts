import { expect, onTestFinished, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { createAttestation } from '../../functions/domain/requests/create-attestation.ts';
import type { Services } from '../../functions/domain/services.ts';
import { advance } from '../../functions/domain/steps/advance-lane.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import { makeRealWorld } from '../fakes/real/real-world.ts';
import { EventQueue } from '../fakes/workflow/event-queue.ts';
import { StateMachines } from '../fakes/workflow/state-machines.ts';
import { throughStepFunctions } from '../fakes/workflow/states-client.ts';
import { workflowFunction } from '../fakes/workflow/workflow-functions.ts';
import { alice } from '../fakes/world/world.ts';
import { type Halt, holdProcess } from './world/held-process.ts';
import { checkRealRule } from './world/rule.ts';
import { laneOf, routes } from './world/served.ts';

type Run = (services: Services) => Promise<unknown>;

/** Lets a lane's tick, which settles, and a state's function, which writes its token, race. */
type Race = (services: Services, settle: Run, enter: Run) => Promise<unknown>;

/** One stands still somewhere while the other does all that it has to do. */
const inside =
  (halt: Halt, outer: 'settle' | 'enter'): Race =>
  async (services, settle, enter) => {
    const [held, other] = outer === 'settle' ? [settle, enter] : [enter, settle];
    const process = await holdProcess(services, halt, held);
    expect(process.heldAt).toBe(halt.call);
    await other(services);
    await process.finish();
  };

const races: Readonly<Record<string, Race>> = {
  'the settlement first': async (services, settle, enter) => {
    await settle(services);
    await enter(services);
  },
  'the token first': async (services, settle, enter) => {
    await enter(services);
    await settle(services);
  },
  'the token before the settlement’s write': inside({ call: 'records.transact' }, 'settle'),
  'the token right after the settlement’s write': inside({ call: 'records.transact', after: true }, 'settle'),
  'the token after the settlement has read the older one': inside({ call: 'executions.succeed' }, 'settle'),
  'the settlement before the token’s write': inside({ call: 'records.update' }, 'enter'),
  'the settlement right after the token’s write': inside({ call: 'records.update', after: true }, 'enter'),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((seed) => [
      `at once, seed ${seed}`,
      (services, settle, enter) => interleave(services, seed, [settle, enter]),
    ]),
  ),
};

type StepFunction = 'CommitFunction' | 'RevealFunction';

/** Runs the state machines. A test itself runs functions with a token, and the lane's ticks, and mines the blocks. */
async function begin(given: RealGiven) {
  const world = await makeRealWorld(given);
  onTestFinished(world.stop);
  const queue = new EventQueue(world.clock);
  const entered: { readonly name: string; readonly event: object }[] = [];
  const machines = new StateMachines(queue, world.clock.now, async (name, event) => {
    if (name === 'AdvanceLaneFunction') return { ...event, done: false, waitSeconds: 1_000_000 };
    if (name === 'ConfirmFunction') return workflowFunction(name)(services, event);
    entered.push({ name, event });
  });
  const services: Services = { ...world.services, executions: throughStepFunctions(machines, world.aws) };
  const entriesOf = (name: StepFunction, id: string) =>
    entered.filter((entry) => entry.name === name && 'id' in entry.event && entry.event.id === id);
  return {
    ...{ world, services, queue },
    /** How often a state has run its function so far. */
    entries: (name: StepFunction, { id }: Attestation) => entriesOf(name, id).length,
    /** Waits until a state runs its function for the nth time. @returns what that does */
    entry: async (name: StepFunction, { id }: Attestation, nth: number): Promise<Run> => {
      const isEntered = await queue.until(async () => entriesOf(name, id).length >= nth, 1000);
      expect(isEntered, `${name}, time ${nth}`).toBe(true);
      return (mortal) => workflowFunction(name)(mortal, entriesOf(name, id)[nth - 1]?.event);
    },
    /** Runs a tick of the lane. */
    tick: async (mortal: Services): Promise<unknown> => {
      const run = await laneOf(world).then(
        (state) => state.run,
        () => 1,
      );
      return advance(mortal, { lane: world.lane, run, turn: 0 });
    },
  };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** The state's function runs again, its token having timed out, at the moment of the settlement. */
async function raceCommit({ world, services, ...begun }: Begun, row: Attestation, race: Race) {
  const first = await begun.entry('CommitFunction', row, 1);
  await first(services);
  await world.mine();
  const second = await begun.entry('CommitFunction', row, 2);
  await race(services, begun.tick, second);
  await begun.entry('RevealFunction', row, 1);
  expect(begun.entries('CommitFunction', row)).toBe(2);
}

async function raceReveal({ world, services, ...begun }: Begun, row: Attestation, race: Race) {
  const first = await begun.entry('RevealFunction', row, 1);
  await world.mine();
  await first(services);
  await world.mine();
  await begun.tick(services);
  await world.mine(world.chain.settings.confirmations - 1);
  const second = await begun.entry('RevealFunction', row, 2);
  await race(services, begun.tick, second);
  const isConfirmed = async () => (await world.row(row)).status === 'confirmed';
  expect(await begun.queue.until(isConfirmed, 60)).toBe(true);
  expect(begun.entries('RevealFunction', row)).toBe(2);
}

test.each(routes)(
  'row 05: a state that waits is answered once however its token and the settlement race: %j',
  async (given) => {
    const begun = await begin(given);
    const { world, services } = begun;
    for (const [name, race] of Object.entries(races)) {
      const { attestation } = await createAttestation(services, alice, { content: parseContent(name) });
      const life = raceCommit(begun, attestation, race).then(() => raceReveal(begun, attestation, race));
      await life.catch((cause) => {
        throw new Error(name, { cause });
      });
    }
    await checkRealRule(world);
  },
);
