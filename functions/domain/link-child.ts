import type { Attestation, AttestationKey } from './attestation.ts';
import { attestationOf } from './attestation-rows.ts';
import {
  AttestationMissingError,
  AttestationUnconfirmedError,
  ChildMissingError,
  ChildSameError,
  ThrottledError,
} from './errors.ts';
import { attestationRow } from './keys.ts';
import { putOperation } from './queue-records.ts';
import type { Change } from './records.ts';
import type { Services } from './services.ts';
import { startQueueOrLeave } from './start-lane.ts';

/** `queued` is false when the link stood already and nothing was to be done. */
export interface Link {
  readonly attestation: Attestation;
  readonly queued: boolean;
}

/** A wish that lost a race is tried again this often. */
const maxTries = 5;

/**
 * Records that `childId` supersedes the attestation and owes the link to the lane, in one write. The last accepted
 * wish is what stands on-chain in the end.
 *
 * @throws ChildSameError, AttestationMissingError, ChildMissingError, AttestationUnconfirmedError
 */
export async function linkChild(services: Services, key: AttestationKey, childId: string): Promise<Link> {
  if (key.id === childId) throw new ChildSameError();
  for (let tries = 0; tries < maxTries; tries++) {
    const { attestation, child } = await readBoth(services, key, childId);
    if (attestation.childAttestationId === childId && attestation.linkPhase !== 'refused') {
      return { attestation, queued: attestation.childLinkTxHash === null };
    }
    const wished = wish(attestation, child);
    if (await services.records.transact(wishChanges(attestation, wished, services.now()))) {
      await startQueueOrLeave(services, attestation);
      return { attestation: wished, queued: true };
    }
  }
  throw new ThrottledError('the attestation is being linked by others at this moment');
}

async function readBoth({ records }: Services, key: AttestationKey, childId: string) {
  const childKey = { ...key, id: childId };
  const [fields, childFields] = await records.getAll([attestationRow(key), attestationRow(childKey)]);
  if (!fields) throw new AttestationMissingError();
  if (!childFields) throw new ChildMissingError();
  const attestation = attestationOf(key, fields);
  if (attestation.status !== 'confirmed') throw new AttestationUnconfirmedError(attestation.status);
  return { attestation, child: attestationOf(childKey, childFields) };
}

function wish({ childLinkError: _, ...attestation }: Attestation, child: Attestation): Attestation {
  return {
    ...attestation,
    linkPhase: 'queued',
    childAttestationId: child.id,
    childDigest: child.digest,
    childSequence: attestation.childSequence + 1,
    childLinkTxHash: null,
  };
}

/** One link operation exists at a time: while one is under way only the wish changes, and its settlement sees that. */
function wishChanges(before: Attestation, wished: Attestation, now: Date): Change[] {
  const { linkPhase, childAttestationId, childDigest, childSequence } = wished;
  const underway = before.linkPhase === 'queued' || before.linkPhase === 'mined';
  const { organizationId, id } = before;
  return [
    {
      key: attestationRow(before),
      expect: { childSequence: before.childSequence, linkPhase: before.linkPhase },
      set: {
        linkPhase,
        childAttestationId,
        childDigest,
        childSequence,
        childLinkTxHash: null,
        childLinkError: undefined,
      },
    },
    ...(underway
      ? []
      : [putOperation(before, { organizationId, id, kind: 'link', queuedAt: now.toISOString() })]),
  ];
}
