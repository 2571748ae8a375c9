import type { Address } from 'viem';
import { type Attestation, type AttestationKey, delegateOf } from '../attestation/attestation.ts';
import { attestationRow, findAttestations } from '../attestation/attestation-records.ts';
import { refreshIfReachable } from '../attestation/refresh-entry.ts';
import {
  AttestationMissingError,
  AttestationUnconfirmedError,
  ChildMissingError,
  ChildSameError,
  ExpectedError,
} from '../errors.ts';
import { operationKey, putOperation, queueOf } from '../lane/queue-records.ts';
import { nextRound } from '../lane/rounds.ts';
import { findSignerList } from '../lane/signers.ts';
import { tryStartLaneOf } from '../lane/start-lane.ts';
import { isOwed } from '../operation/outcome.ts';
import type { KeyUse } from '../organization/api-keys.ts';
import { type Change, retryLostRaces } from '../records.ts';
import type { Services } from '../services.ts';
import { registryAt } from '../settings.ts';
import { delegationOn } from './delegation.ts';
import { refuseLiveChain } from './test-keys.ts';
import { countAccepted, type Limited, linkRefusal, usageOf, usageRecords } from './usage-limits.ts';

/** Result of a link. `queued` is false if the link already exists. */
export interface Link {
  readonly attestation: Attestation;
  readonly queued: boolean;
}

/**
 * Records that `childId` supersedes the attestation and queues the link, in one write. The last accepted intent
 * applies.
 * @param key the attestation, with its organization's limits and the API key
 * @throws RequestInvalidError, ChildSameError, AttestationMissingError, ChildMissingError, AttestationUnconfirmedError,
 * LimitReachedError
 */
export async function linkChild(
  services: Services,
  key: AttestationKey & Limited & Partial<KeyUse>,
  childId: string,
): Promise<Link> {
  if (key.id === childId) throw new ChildSameError();
  const tryLink = async (): Promise<Link | undefined> => {
    const { attestation, child } = await readBoth(services, key, childId);
    const chain = services.settings.chains.find(({ chainId }) => chainId === attestation.chainId);
    refuseLiveChain(key, { chainId: attestation.chainId, ...chain }, 'id');
    if (attestation.childAttestationId === childId && attestation.linkPhase !== 'refused') {
      return { attestation, queued: attestation.childLinkTxHash === null };
    }
    const [intent, { childLinkError: _, ...row }, used] = await Promise.all([
      linkIntent(services, attestation, child),
      refreshIfReachable(services, attestation),
      services.records.getAll(usageRecords(services, key.organizationId, attestation.chainId)),
    ]);
    const refusal = linkRefusal(services, key, chain, usageOf(used));
    if (refusal) throw refusal;
    const owed = { ...row, ...intent, ...(key.keyId && { linkKeyId: key.keyId }) };
    const intended: Attestation = isOwed(attestation.linkPhase)
      ? owed
      : { ...owed, linkRound: await nextRound(services, queueOf(owed, 'link'), key.organizationId) };
    const changes = intentChanges(attestation, intended, services.now());
    if (!(await services.records.transact(changes))) return undefined;
    await Promise.all([
      tryStartLaneOf(services, queueOf(intended, 'link')),
      countAccepted(services, intended, { links: 1 }),
    ]);
    return { attestation: intended, queued: true };
  };
  return retryLostRaces(tryLink, 'the attestation');
}

async function readBoth({ records }: Services, key: AttestationKey, childId: string) {
  const [attestation, child] = await findAttestations(records, [key, { ...key, id: childId }]);
  if (!attestation) throw new AttestationMissingError();
  if (!child) throw new ChildMissingError();
  if (attestation.status !== 'confirmed') throw new AttestationUnconfirmedError(attestation.status);
  return { attestation, child };
}

async function linkIntent(services: Services, attestation: Attestation, child: Attestation) {
  return {
    // An owed link keeps its delegate: the operation is in that delegate's queue or in a transaction.
    linkDelegateAddress: isOwed(attestation.linkPhase)
      ? delegateOf(attestation, 'link')
      : await currentDelegate(services, attestation),
    linkPhase: 'queued',
    childAttestationId: child.id,
    childDigest: child.digest,
    childSequence: attestation.childSequence + 1,
    childLinkTxHash: null,
  } as const;
}

/**
 * Returns the authority's delegate on the attestation's registry. If the chain is unreachable or the settings do not
 * have the registry, returns the delegate of the last link, or without one the attestation's. Another registry's
 * forwarder cannot be used: it calls its own registry, where the index belongs to another attestation.
 */
async function currentDelegate(services: Services, attestation: Attestation): Promise<Address> {
  const { registryAddress, delegateAddress } = attestation;
  try {
    const { registry, settings } = services.chain(attestation.chainId);
    const [registryState, signers] = await Promise.all([
      registry.registryState(attestation),
      findSignerList(services.records, attestation.chainId),
    ]);
    const known = { lastDelegation: { delegateAddress }, signers };
    const served = registryAt(settings, registryAddress);
    if (!served) return delegateOf(attestation, 'link');
    return (await delegationOn(services, served, registryState.delegateAddress, known)).delegateAddress;
  } catch (error) {
    if (error instanceof ExpectedError) return delegateOf(attestation, 'link');
    throw error;
  }
}

/** Returns the changes that record an intent. A pending link is not queued again: its settlement detects the change. */
function intentChanges(before: Attestation, intended: Attestation, now: Date): Change[] {
  const { linkPhase, linkRound, linkDelegateAddress, linkKeyId } = intended;
  const { childAttestationId, childDigest, childSequence } = intended;
  const link = { linkPhase, linkRound, linkDelegateAddress, linkKeyId, childLinkTxHash: null };
  const intent: Change = {
    key: attestationRow(before),
    expect: { childSequence: before.childSequence, linkPhase: before.linkPhase },
    set: { ...link, childAttestationId, childDigest, childSequence, childLinkError: undefined },
  };
  if (isOwed(before.linkPhase)) return [intent];
  const operation = { ...operationKey(intended, 'link'), queuedAt: now.toISOString() };
  return [intent, putOperation(queueOf(intended, 'link'), operation)];
}
