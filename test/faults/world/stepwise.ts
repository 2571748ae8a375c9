import { expect, onTestFinished } from 'vitest';
import { type Attestation, isTerminal } from '../../../functions/domain/attestation/attestation.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import type { NextTick } from '../../../functions/domain/steps/next-tick.ts';
import { revealStep } from '../../../functions/domain/steps/reveal.ts';
import { type FaultKind, type Faults, invoke } from '../../fakes/ports/faults.ts';
import type { RealGiven } from '../../fakes/real/real-settings.ts';
import { makeRealWorld } from '../../fakes/real/real-world.ts';
import { checkRealRule, rowsOf } from './rule.ts';
import { laneOf } from './served.ts';

/** More than anything takes to become final. */
const maxTicks = 40;

/** The process ends after the nth call of that name. */
export function endsAfter(name: string, nth = 1): Faults {
  let seen = 0;
  return {
    next: (call): FaultKind | undefined => (call === name && ++seen === nth ? 'killed after' : undefined),
  };
}

/** A real world in which nothing runs by itself: a test runs the service's functions one by one. */
export async function beginStepwise(given: RealGiven = {}) {
  const world = await makeRealWorld({ confirmations: 2, ...given });
  onTestFinished(world.stop);
  const { services, clock, chain } = world;
  // Past the tips of the delegations, which are above every cap.
  await world.mine(5);
  const begun = {
    world,
    /** Runs a tick of the lane's execution, whichever run it is now. */
    tick: async (mortal: Services = services): Promise<NextTick> => {
      const { run } = await laneOf(world).catch(() => ({ run: 1 }));
      return advance(mortal, { lane: world.lane, run, turn: 0 });
    },
    /** The Commit state of a new attestation, its token the text; its process ends, with a fault. */
    committing: async (caller: Caller, text: string, faults: Faults): Promise<Attestation> => {
      const { attestation } = await world.create(caller, text);
      const input = { organizationId: attestation.organizationId, id: attestation.id, taskToken: text };
      await expect(invoke(services, faults, (mortal) => commitStep(mortal, input))).rejects.toThrow();
      return attestation;
    },
    /** Mines blocks, with a tick before each, until the lane owes nothing. */
    settle: async (): Promise<void> => {
      for (let ticks = 0; await world.owes(); ticks++) {
        expect(ticks).toBeLessThan(maxTicks);
        await begun.tick();
        await world.mine();
      }
    },
    /** All attestations go on to their ends, without faults, and by the rule. */
    endsByRule: async (): Promise<void> => {
      await begun.settle();
      clock.advance(chain.settings.revealDelaySeconds);
      await world.mine(2);
      const rows = (await rowsOf(world)).filter((row) => !isTerminal(row));
      for (const { organizationId, id } of rows) {
        await revealStep(services, { organizationId, id, taskToken: `reveal ${id}` });
      }
      await begun.settle();
      for (const { organizationId, id } of rows) await confirmStep(services, { organizationId, id });
      await checkRealRule(world);
    },
  };
  return begun;
}

export type Stepwise = Awaited<ReturnType<typeof beginStepwise>>;
