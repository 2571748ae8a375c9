import { expect, test } from 'vitest';
import { type Attestation, isOnChain } from '../../functions/domain/attestation/attestation.ts';
import { findTaskTokens } from '../../functions/domain/attestation/task-token-records.ts';
import type { AwsFault } from '../fakes/aws/aws-faults.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, type Served, serve } from './world/served.ts';

const command = 'SendTaskSuccess';

/** All that the SDK makes. */
const attempts = 3;

/** Longer than a life without faults. */
const taskTimeoutSeconds = 60;

/** A commit is answered for when it is mined and again when it is final, a reveal when it is final. */
const answers = { commit: { nth: 1, times: 2 * attempts }, reveal: { nth: 3, times: attempts } };

function secondsSince({ createdAt }: Attestation, { world }: Served): number {
  return (world.clock.now().getTime() - Date.parse(createdAt)) / 1000;
}

async function live(service: Served, fault: AwsFault, text: string): Promise<number> {
  const { world } = service;
  const { attestation } = await service.post(alice, text);
  world.aws.inject(fault);
  expect(await service.untilTerminal(attestation), `${text} comes to its end`).toBe(true);
  const seconds = secondsSince(attestation, service);
  await service.endsByRule();
  expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
  return seconds;
}

test.each(['commit', 'reveal'] as const)(
  'row 06: the state that waits for a %s re-enters when its answer is lost or throttled',
  async (step) => {
    const service = await serve({ taskTimeoutSeconds });
    for (const kind of ['refused', 'throttled'] as const) {
      const seconds = await live(service, { kind, command, ...answers[step] }, `${kind} ${step}`);
      expect(seconds, kind).toBeGreaterThan(taskTimeoutSeconds);
    }
  },
);

test.each(['commit', 'reveal'] as const)(
  'row 06: the state that waits for a %s goes on once when its answer is given and never heard of',
  async (step) => {
    const service = await serve({ taskTimeoutSeconds });
    const fault = { kind: 'answer lost', command, ...answers[step] } as const;
    expect(await live(service, fault, 'An article.')).toBeLessThan(taskTimeoutSeconds);
  },
);

test.each(routes)(
  'row 06: a state is not answered through a token that is stale, and answers itself: %j',
  async (given) => {
    const service = await serve({ taskTimeoutSeconds, ...given });
    const { world } = service;
    const { attestation } = await service.post(bob, 'An article.');
    const row = () => world.row(attestation);
    await service.until(async () => (await row()).commitPhase === 'queued');
    const token = () => findTaskTokens(world, [attestation]);
    const before = await token();
    expect(before).toMatchObject([{ step: 'commit' }]);
    world.chain.hidesReceipts = true;
    await service.pass(taskTimeoutSeconds - secondsSince(attestation, service) - 1);

    // The state's next runs end before they have written their tokens.
    world.aws.inject({ kind: 'killed before', command: 'PutItem', times: 3 });
    await service.pass(2);
    const requests = world.aws.calls.length;
    world.chain.hidesReceipts = false;
    await service.until(async () => isOnChain((await row()).commitPhase));
    expect(await token()).toEqual(before);
    expect(world.aws.calls.slice(requests)).toContain(command);
    expect((await laneOf(world)).nextNonce).toBe(1);

    await service.endsByRule();
    expect(await row()).toMatchObject({ status: 'confirmed', run: 1 });
  },
);
