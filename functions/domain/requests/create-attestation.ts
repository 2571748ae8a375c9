import type { Attestation } from '../attestation/attestation.ts';
import {
  acceptAttestation,
  contentGuard,
  findAttestation,
  findByContent,
  guardedId,
} from '../attestation/attestation-records.ts';
import type { Content } from '../attestation/content.ts';
import { contentCid, contentDigest } from '../attestation/content-cid.ts';
import { type ContentIdentity, newAttestation } from '../attestation/new-attestation.ts';
import { refreshIfReachable } from '../attestation/refresh-entry.ts';
import type { Chain } from '../chain.ts';
import {
  ChainUnspecifiedError,
  DelegationInactiveError,
  type LimitReachedError,
  ThrottledError,
} from '../errors.ts';
import { parseSignerList, signersRecord } from '../lane/signers.ts';
import type { Caller } from '../organization/api-keys.ts';
import type { Services } from '../services.ts';
import { findTarget } from './attestation-target.ts';
import { delegationRecord, parseDelegation, registryStates } from './delegation.ts';
import { refuseLiveChain } from './test-keys.ts';
import { attestationRefusal, countAccepted, limitsOf, usageOf, usageRecords } from './usage-limits.ts';

export interface CreateRequest {
  readonly content: Content;
  readonly chainId?: number | undefined;
  readonly url?: string | undefined;
  /** JSON object, as text. */
  readonly metadata?: string | undefined;
}

/** Result of a creation. `accepted` means that the attestation is new and its workflow starts. */
export interface Creation {
  readonly attestation: Attestation;
  readonly accepted: boolean;
}

/**
 * Accepts content, or returns its valid attestation. Order of the checks: chain, existing attestation, on-chain
 * attestation, delegation, limits.
 * @param admitted rejects if the request exceeds its key's rate; nothing is accepted before it resolves
 * @throws ChainUnspecifiedError, RequestInvalidError, ContentRevokedError, DelegationInactiveError,
 * ChainUnreachableError, LimitReachedError
 */
export async function createAttestation(
  services: Services,
  caller: Caller,
  request: CreateRequest,
  admitted: Promise<void> = Promise.resolve(),
): Promise<Creation> {
  const identity = identityOf(services, caller, request);
  const chain = findServedChain(services, identity.chainId);
  if (chain) refuseLiveChain(caller, chain.settings, 'chainId');
  // The chain is read concurrently with the store. If the content is known, a failure does not matter.
  const states = chain && catchError(registryStates(chain, identity));
  const inFlight = catchError(
    services.records.inFlight(caller.organizationId, limitsOf(services, caller).inFlight),
  );
  const { existing, lastDelegation, signers, usage } = await readStored(services, identity);
  if (existing && existing.status !== 'failed')
    return { attestation: await refreshIfReachable(services, existing), accepted: false };
  if (!chain || !states) throw new DelegationInactiveError(identity.chainId);
  const target = await findTarget(services, chain, identity, {
    registryStates: await states,
    lastDelegation,
    signers,
  });
  const refusal = attestationRefusal(services, caller, chain.settings, {
    ...usage,
    inFlight: throwIfError(await inFlight),
  });
  if (refusal && !target.attested) return winnerOrRefuse(refusal, services, identity);
  await admitted;
  const { now, random } = services;
  const { content, url } = request;
  const { keyId } = caller;
  const input = { text: content.text, url, keyId, now: now(), random };
  const attestation = newAttestation(identity, target, input);
  return accept(services, attestation, request, existing?.id);
}

function identityOf(services: Services, caller: Caller, request: CreateRequest): ContentIdentity {
  const chainId = request.chainId ?? caller.defaultChainId ?? services.settings.defaultChainId;
  if (chainId === undefined) throw new ChainUnspecifiedError();
  const { organizationId, authorityAddress } = caller;
  const digest = contentDigest(request.content);
  return { organizationId, authorityAddress, chainId, digest, contentCid: contentCid(digest) };
}

function findServedChain(services: Services, chainId: number): Chain | undefined {
  return services.settings.chains.some((chain) => chain.chainId === chainId)
    ? services.chain(chainId)
    : undefined;
}

/** Returns an error instead of throwing it, for a result that may not be needed. */
async function catchError<Result>(result: Promise<Result>): Promise<Result | Error> {
  try {
    return await result;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function throwIfError<Result>(result: Result | Error): Result {
  if (result instanceof Error) throw result;
  return result;
}

async function readStored(services: Services, { organizationId, chainId, contentCid: cid }: ContentIdentity) {
  const { records } = services;
  const [guard, known, signers, ...used] = await records.getAll([
    contentGuard(organizationId, chainId, cid),
    delegationRecord(organizationId, chainId),
    signersRecord(chainId),
    ...usageRecords(services, organizationId, chainId),
  ]);
  return {
    existing: guard && (await findAttestation(records, { organizationId, id: guardedId(guard) })),
    lastDelegation: known && parseDelegation(known),
    signers: signers && parseSignerList(signers),
    usage: usageOf(used),
  };
}

/** Of concurrent requests with the same content, one is accepted, and the others get its attestation. */
async function accept(
  services: Services,
  attestation: Attestation,
  { content, metadata }: CreateRequest,
  replaces: string | undefined,
): Promise<Creation> {
  const accepted = await acceptAttestation(services.records, {
    attestation,
    contentBytes: content.bytes,
    ...(metadata ? { metadata } : {}),
    ...(replaces === undefined ? {} : { replaces }),
  });
  if (!accepted) return { attestation: await winnerOf(services, attestation), accepted: false };
  if (attestation.status === 'confirmed') return { attestation, accepted: false };
  await Promise.all([start(services, attestation), countAccepted(services, attestation, { accepted: 1 })]);
  return { attestation, accepted: true };
}

/** Returns a concurrent request's attestation of the content: it may have used up the limit. @throws refusal if none */
async function winnerOrRefuse(
  refusal: LimitReachedError,
  { records }: Services,
  { organizationId, chainId, contentCid: cid }: ContentIdentity,
): Promise<Creation> {
  const winner = await findByContent(records, organizationId, chainId, cid);
  if (!winner || winner.status === 'failed') throw refusal;
  return { attestation: winner, accepted: false };
}

async function winnerOf({ records }: Services, { organizationId, chainId, contentCid: cid }: Attestation) {
  const winner = await findByContent(records, organizationId, chainId, cid);
  if (!winner) throw new ThrottledError('the same content is being accepted at this moment');
  return winner;
}

/** Starts the workflow. If that fails, the sweep starts it, because the row is stored. */
async function start({ executions, log }: Services, { organizationId, id, run }: Attestation): Promise<void> {
  try {
    await executions.startAttest({ organizationId, id, run });
  } catch (error) {
    log.error('workflow not started; the sweep retries', error, { organizationId, id });
  }
}
