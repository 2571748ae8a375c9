import { type ApiKey, createApiKey } from '../../../../functions/domain/organization/api-keys.ts';
import {
  createOrganization,
  type OrganizationLimits,
} from '../../../../functions/domain/organization/organization.ts';
import { seededRandom } from '../../../fakes/ports/seeded-random.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';
import { serve } from './served.ts';

/** A JSON object; what cannot be foretold of it is a matcher until it was seen. */
export type Body = Record<string, unknown>;

/** An attestation as its organisation must see it. */
export interface Row {
  readonly text: string;
  body: Body;
  /** It was new, and counts against the limits. */
  readonly accepted?: boolean;
  /** The entity tag it was last shown with, and what it was the tag of. */
  tag?: { readonly etag: string; readonly body: Body };
}

export interface IssuedKey {
  readonly id: string;
  readonly key: string;
  revoked: boolean;
}

export interface Publisher {
  readonly organizationId: string;
  readonly authorityAddress: typeof alice.authorityAddress;
  readonly keys: IssuedKey[];
  readonly limits: Required<Pick<OrganizationLimits, 'attestationsPerDay' | 'linksPerDay' | 'inFlight'>>;
  /** Days (UTC) of the links that were accepted. */
  readonly linkDays: string[];
  /** In the order of their creation. */
  readonly rows: Row[];
  /** Whether the chain shows a delegation to the service. */
  delegates: boolean;
  /** Whether the service saw one when it looked last. */
  remembered: boolean;
}

/** Two organisations, as they must see the service. */
export interface LifeModel {
  readonly publishers: readonly Publisher[];
  reachable: boolean;
  /** Contents that were never posted before are numbered. */
  fresh: number;
}

export interface Life {
  readonly model: LifeModel;
  readonly real: World;
}

/** Low enough to be met in one life. */
const limits = { attestationsPerDay: 4, linksPerDay: 3, inFlight: 2 };

/** A world with both organisations, each with a key. */
export async function beginLife(): Promise<Life> {
  const below = seededRandom(1);
  const world = makeWorld();
  const random = (size: number) => Uint8Array.from({ length: size }, () => below(256));
  const real: World = { ...world, services: { ...world.services, random } };
  serve(real);
  const publishers = await Promise.all([alice, bob].map((caller) => found(real, caller)));
  return { model: { publishers, reachable: true, fresh: 0 }, real };
}

async function found(world: World, caller: typeof alice): Promise<Publisher> {
  const { organizationId, authorityAddress, defaultChainId } = caller;
  const createdAt = world.clock.now().toISOString();
  const organization = { id: organizationId, name: 'A paper', authorityAddress, defaultChainId, createdAt };
  await createOrganization(world.records, { ...organization, limits });
  const keys = [await issueKey(world, organizationId)];
  return {
    organizationId,
    authorityAddress,
    keys,
    limits,
    linkDays: [],
    rows: [],
    delegates: true,
    remembered: false,
  };
}

export async function issueKey(world: World, organizationId: string): Promise<IssuedKey> {
  const request = { organizationId, mode: 'live', now: world.clock.now() } as const;
  const { id, key }: ApiKey & { key: string } = await createApiKey(world.records, request);
  return { id, key, revoked: false };
}

/** The one that stands for a content: at most one has not failed. */
export function standingRow({ rows }: Publisher, text: string): Row | undefined {
  return rows.find((row) => row.text === text && row.body.status !== 'failed');
}

export function findRow({ rows }: Publisher, id: string): Row | undefined {
  return rows.find(({ body }) => body.id === id.toLowerCase());
}

/** Newest first: within a millisecond, as their ids have it. */
export function newestFirst({ rows }: Publisher): Row[] {
  return rows.toSorted((one, other) => (String(one.body.id) < String(other.body.id) ? 1 : -1));
}
