import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import {
  acceptAttestation,
  findAttestations,
} from '../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { runConcurrently } from '../../../local/on-chain/run-concurrently.ts';
import type { BenchLane, Publisher } from './bench-lane.ts';

/** Number of writes that a service's functions may make at once. */
const writesAtOnce = 16;

/** Stores attestations as if they had been accepted, the publishers in turn. */
export function acceptAttestations(
  lane: BenchLane,
  count: number,
  publishers = lane.publishers,
): Promise<Attestation[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return runConcurrently(numbers, writesAtOnce, (number) =>
    accept(lane, publishers[number % publishers.length] as Publisher, number),
  );
}

async function accept(
  { services, lane, queue, chain }: BenchLane,
  publisher: Publisher,
  number: number,
): Promise<Attestation> {
  const text = `Article ${number} of ${publisher.organizationId} in lane ${lane}.`;
  const content = parseContent(text);
  const digest = contentDigest(content);
  const { chainId, delegateAddress } = queue;
  const identity = { ...publisher, chainId, digest, contentCid: contentCid(digest) };
  const terms = { registryAddress: chain.settings.registryAddress, delegateAddress };
  const attestation = newAttestation(identity, terms, { text, now: services.now() });
  await acceptAttestation(services.records, { attestation, contentBytes: content.bytes });
  return attestation;
}

/** Reads the attestations as they are now. */
export async function readAll(
  { services }: BenchLane,
  attestations: readonly Attestation[],
): Promise<Attestation[]> {
  const rows = await findAttestations(services.records, attestations);
  return rows.filter((row) => row !== undefined);
}

/** Queues an operation of each attestation, as the state Commit or Reveal does. */
export async function queueAll(
  lane: BenchLane,
  attestations: readonly Attestation[],
  kind: 'commit' | 'reveal',
): Promise<void> {
  const rows = await readAll(lane, attestations);
  await runConcurrently(rows, writesAtOnce, (row) => queueOperation(lane.services, row, kind));
}
