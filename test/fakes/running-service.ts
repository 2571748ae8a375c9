import { nameForRetry } from '../../functions/adapters/aws-errors.ts';
import { advance } from '../../functions/domain/advance.ts';
import type { Attestation } from '../../functions/domain/attestation.ts';
import { commitStep } from '../../functions/domain/commit-step.ts';
import { confirmStep } from '../../functions/domain/confirm-step.ts';
import { parseContent } from '../../functions/domain/content.ts';
import { type Creation, createAttestation } from '../../functions/domain/create-attestation.ts';
import { failStep } from '../../functions/domain/fail-attestation.ts';
import type { Caller } from '../../functions/domain/organization.ts';
import { revealStep } from '../../functions/domain/reveal-step.ts';
import type { Services } from '../../functions/domain/services.ts';
import { sweep } from '../../functions/domain/sweep.ts';
import { attestationKeySchema, failStepSchema, laneTurnSchema } from '../../functions/workflow/step-input.ts';
import { runTokenStep } from '../../functions/workflow/token-step.ts';
import { EventQueue } from './event-queue.ts';
import { FaultPlan, type Faults, invoke } from './faults.ts';
import { StateMachines } from './state-machines.ts';
import { makeWorld } from './world.ts';

const sweepSeconds = 60;

type Function = (services: Services, event: unknown) => Promise<unknown>;

/** What the handlers in functions/workflow do with what they are composed of. */
const functions: Readonly<Record<string, Function>> = {
  CommitFunction: (services, event) => runTokenStep(services, commitStep, event),
  RevealFunction: (services, event) => runTokenStep(services, revealStep, event),
  ConfirmFunction: (services, event) => confirmStep(services, attestationKeySchema.parse(event)),
  FailFunction: (services, event) => failStep(services, failStepSchema.parse(event)),
  AdvanceLaneFunction: (services, event) => advance(services, laneTurnSchema.parse(event)),
};

/** As functions/workflow/plain-step.ts does: an execution is told the name that routes it. */
function rename(error: unknown): never {
  throw Object.assign(new Error('see the log'), { name: nameForRetry(error) });
}

/** The whole service in simulated time: real rules and real state machines, on a chain that mines, swept every minute. */
export function runService(
  faults: Faults = new FaultPlan(),
  given: Parameters<typeof makeWorld>[0] = {},
  manner: { overlaps?: boolean } = {},
) {
  const world = makeWorld(given);
  const queue = new EventQueue(world.clock, manner);
  const run = (name: string, event: unknown) => {
    const call = functions[name];
    if (!call) throw new Error(`no function ${name}`);
    return invoke(services, faults, (mortal) => call(mortal, event)).catch(rename);
  };
  const machines = new StateMachines(queue, world.clock.now, run);
  const services: Services = { ...world.services, executions: machines };
  const { blockTimeSeconds } = world.chain.settings;
  queue.every(blockTimeSeconds, () => world.chain.mine());
  queue.every(sweepSeconds, () => invoke(services, faults, sweep).catch(() => {}));

  const post = (caller: Caller, text: string): Promise<Creation> =>
    invoke(services, faults, (mortal) => createAttestation(mortal, caller, { content: parseContent(text) }));

  return {
    ...{ world, queue, machines, services },
    post,
    /** A client that posts again until it is answered. */
    postUntilAnswered: async (caller: Caller, text: string): Promise<Creation> => {
      for (;;) {
        try {
          return await post(caller, text);
        } catch {
          // Unanswered, or refused for now: the same request is safe to repeat.
        }
      }
    },
    /** Until no execution runs and the lane owes nothing. */
    untilIdle: (maxSeconds = 3600) =>
      queue.until(async () => {
        const running = [...machines.executions.values()].some(({ status }) => status === 'RUNNING');
        return !running && !(await world.owes());
      }, maxSeconds),
    untilTerminal: (key: Pick<Attestation, 'organizationId' | 'id'>, maxSeconds = 3600) =>
      queue.until(async () => ['confirmed', 'failed'].includes((await world.row(key)).status), maxSeconds),
  };
}
