import { expect } from 'vitest';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { chainId, registryAddress, type World } from '../../../fakes/world/world.ts';
import { type Answer, base } from './answers.ts';
import { type Body, type LifeModel, type Publisher, type Row, standingRow } from './life-model.ts';

/** What is posted beside the content; `chainId` of a chain that nobody serves, for one. */
export type Extras = { readonly chainId?: number; readonly url?: string; readonly metadata?: object };

interface Creation {
  readonly answer: Answer;
  /** What begins with it, if anything. */
  readonly row?: Row;
}

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** A row in its abbreviated form. */
function brief({ body }: Row): Body {
  const { id, status, contentCid, chainId, authorityAddress, revokedAt } = body;
  return { id, status, contentCid, chainId, authorityAddress, revokedAt };
}

/** What the registry shows of a content of this organisation; index 0 if nothing. */
export function registered(world: World, { authorityAddress }: Publisher, text: string) {
  const digest = contentDigest(parseContent(text));
  const { attestationIndex } = world.chain.state.registryState(digest, authorityAddress);
  const { timestamp, revokedAt } = world.chain.state.entry(attestationIndex);
  const [confirmedAt, since] = [timestamp, revokedAt].map((time) => new Date(time * 1000).toISOString());
  const revoked = revokedAt !== 0;
  return {
    shown: { attestationIndex, confirmedAt, ...(revoked ? { revokedAt: since } : {}) },
    ...{ revoked, attestationIndex },
  };
}

/** Shows what the registry says of a confirmed attestation now, if anyone can ask it. */
export function refresh({ reachable }: LifeModel, world: World, publisher: Publisher, row: Row): void {
  if (!reachable || row.body.status !== 'confirmed') return;
  row.body = { ...row.body, ...registered(world, publisher, row.text).shown };
}

function newRow(
  world: World,
  { authorityAddress }: Publisher,
  text: string,
  { url }: Extras,
  more: Body,
): Row {
  const cid = contentCid(contentDigest(parseContent(text)));
  const nothingYet = { error: null, childAttestationId: null, childLinkTxHash: null };
  const createdAt = world.clock.now().toISOString();
  const row = { id, chainId, registryAddress, authorityAddress, contentCid: cid, ...nothingYet, createdAt };
  return { text, body: { ...row, ...(url === undefined ? {} : { url }), ...more } };
}

function conflict(error: string, ofChain: number, headers: Body = {}): Creation {
  return { answer: { status: 409, body: { error, chainId: ofChain }, headers } };
}

const inactive = (ofChain: number) =>
  conflict(`no active delegation for chain ${ofChain}`, ofChain, { Link: '</prod/v1/chains>; rel="help"' });

const daySeconds = 86_400;

/** What is over a limit, unless it need not be accepted: the whole wait for the next day, or a short one. */
function overLimit(world: World, { limits, rows }: Publisher): Creation | undefined {
  const now = world.clock.now();
  const today = now.toISOString().slice(0, 10);
  const accepted = rows.filter((row) => row.accepted && String(row.body.createdAt).startsWith(today));
  const underWay = rows.filter(({ body }) => body.status === 'pending' || body.status === 'committed');
  if (accepted.length >= limits.attestationsPerDay) return { answer: limitedUntilTomorrow(world) };
  return underWay.length >= limits.inFlight ? { answer: limited(5) } : undefined;
}

function limited(seconds: number): Answer {
  const headers = { 'Retry-After': String(seconds) };
  return { status: 429, body: { error: 'rate limit exceeded' }, headers };
}

/** The refusal of what is over a limit of the day. */
export function limitedUntilTomorrow({ clock }: World): Answer {
  return limited(daySeconds - (Math.floor(clock.now().getTime() / 1000) % daySeconds));
}

function acceptance(world: World, publisher: Publisher, text: string, extras: Extras): Creation {
  const row = newRow(world, publisher, text, extras, { status: 'pending' });
  const headers = { Location: expect.stringMatching(`^${base}/[0-9a-f-]{36}$`) };
  const answer = { status: 202, body: brief(row), headers };
  return overLimit(world, publisher) ?? { answer, row: { ...row, accepted: true } };
}

/** The order of the checks: chain, existing attestation, on-chain attestation, delegation, limits. */
export function foretellCreation(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  text: string,
  extras: Extras,
): Creation {
  const wanted = extras.chainId ?? chainId;
  if (wanted !== chainId) return inactive(wanted);
  const standing = standingRow(publisher, text);
  if (standing) {
    refresh(model, world, publisher, standing);
    return { answer: { status: 200, body: brief(standing) } };
  }
  const { reachable } = model;
  if (!reachable) return publisher.remembered ? acceptance(world, publisher, text, extras) : unreachable;
  publisher.remembered = publisher.delegates;
  const { attestationIndex, shown, revoked } = registered(world, publisher, text);
  if (revoked) {
    return conflict(`content was revoked on chain ${chainId} and cannot be attested again`, chainId);
  }
  if (attestationIndex > 0) {
    const row = newRow(world, publisher, text, extras, { status: 'confirmed', ...shown });
    return { answer: { status: 200, body: brief(row) }, row };
  }
  return publisher.delegates ? acceptance(world, publisher, text, extras) : inactive(chainId);
}

const unreachable: Creation = {
  answer: {
    status: 503,
    body: { error: `chain ${chainId} cannot be reached at the moment; try again` },
    headers: { 'Retry-After': '5' },
  },
};
