import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { acceptAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';
import { findLaneState, laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { tryStartQueue } from '../../../functions/domain/lane/start-lane.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { revealStep } from '../../../functions/domain/steps/reveal.ts';
import { stateOf } from '../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../fakes/world/world.ts';
import { meteredRecords } from './metered-records.ts';
import type { PartitionUse } from './request-units.ts';

/** A backlog of a lane: so many ticks, each with so many operations to bind. */
export interface Load {
  readonly forwarder: boolean;
  readonly confirmations: number;
  readonly operations: number;
  readonly ticks: number;
}

/** A token as long as AWS's: two published ones have 668 and 684 characters. */
const taskToken = 'T'.repeat(680);

/** Confirms attestations in a lane that never runs out of work, one block a tick. @returns the lane and its charges */
export async function runAttestations({ forwarder, confirmations, operations, ticks }: Load) {
  const timing = { blockTimeSeconds: 2, revealDelaySeconds: 2, maxInFlight: 4 };
  const plain = makeWorld({ forwarder, confirmations, batches: true, ...timing });
  const { records, take } = meteredRecords(plain.records);
  const world: World = { ...plain, services: { ...plain.services, records } as World['services'] };
  // Records that a lane writes once, on its first use.
  await stateOf(world);
  await tryStartQueue(world.services, world.queue);
  take();
  const attestations: Attestation[] = [];
  for (let number = 0; number < operations * ticks; number++) attestations.push(await accept(world, number));
  await playPhase(world, attestations, operations, commitStep);
  // A reveal is first tried a block after its delay.
  world.mine(3);
  await playPhase(world, attestations, operations, revealStep);
  for (let depth = 1; depth < confirmations; depth++) {
    await takeTick(world);
    world.mine();
  }
  await takeTick(world);
  for (const attestation of attestations) await confirmStep(world.services, attestation);
  const uses: PartitionUse[] = take();
  for (const attestation of attestations) {
    const { id, status } = await world.row(attestation);
    if (status !== 'confirmed') throw new Error(`${id} is ${status}, so its charges are not valid`);
  }
  return { lane: world.lane, uses };
}

async function accept({ services, queue, chain, lane }: World, number: number): Promise<Attestation> {
  const text = `Article ${number} of ${alice.organizationId} in lane ${lane}.`;
  const content = parseContent(text);
  const digest = contentDigest(content);
  const { organizationId, authorityAddress } = alice;
  const identity = { organizationId, authorityAddress, chainId: queue.chainId, digest };
  const { registryAddress } = chain.settings;
  const attestation = newAttestation(
    { ...identity, contentCid: contentCid(digest) },
    { registryAddress, delegateAddress: queue.delegateAddress },
    { text, now: services.now() },
  );
  await acceptAttestation(services.records, { attestation, contentBytes: content.bytes });
  return attestation;
}

/** Again and again queues a tick's operations, then settles those of the last block and binds these in one tick. */
async function playPhase(
  world: World,
  attestations: readonly Attestation[],
  operations: number,
  step: typeof commitStep,
): Promise<void> {
  for (let first = 0; first < attestations.length; first += operations) {
    await hold(world, true);
    for (const { organizationId, id } of attestations.slice(first, first + operations)) {
      await step(world.services, { organizationId, id, taskToken });
    }
    await hold(world, false);
    await takeTick(world);
    world.mine();
  }
}

/** A paused lane binds as little as a full one, so that exactly the wanted number of operations is queued. */
async function hold({ lane, records }: World, held: boolean): Promise<void> {
  await records.update({
    key: laneStateRecord(lane),
    set: { paused: held ? 'the bench queues' : undefined },
  });
}

async function takeTick({ lane, records, services }: World): Promise<void> {
  const { run = 1 } = (await findLaneState(records, lane)) ?? {};
  await advance(services, { lane, run, turn: 1 });
}
