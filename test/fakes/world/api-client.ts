import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { type ApiKey, createApiKey } from '../../../functions/domain/organization/api-keys.ts';
import {
  createOrganization,
  type Organization,
  type OrganizationLimits,
} from '../../../functions/domain/organization/organization.ts';
import { alice, bob, chainId, makeWorld } from './world.ts';

/** World of the handlers under test, with two organizations; each test file has its own. */
export const world = makeWorld();

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export interface ApiRequest {
  readonly method?: string;
  /** Path template, such as `/v1/attestations/{id}`. */
  readonly resource?: string;
  readonly body?: unknown;
  /** Body that is sent unchanged, instead of `body` as JSON. */
  readonly text?: string;
  /** Body of bytes, sent as API Gateway passes on binary data. */
  readonly bytes?: Uint8Array;
  readonly id?: string;
  readonly query?: Record<string, string>;
  readonly repeated?: Record<string, string[]>;
  readonly headers?: Record<string, string>;
}

export interface ApiReply {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown> & { id: string };
  readonly headers: Record<string, string>;
}

function addOrganization(
  id: string,
  fields: Pick<Organization, 'authorityAddress' | 'defaultChainId'> & { limits?: OrganizationLimits },
): Promise<unknown> {
  const createdAt = world.clock.now().toISOString();
  return createOrganization(world.records, { id, name: id, ...fields, createdAt });
}

for (const { organizationId, authorityAddress, defaultChainId } of [alice, bob])
  await addOrganization(organizationId, { authorityAddress, defaultChainId });

function issue(organizationId: string, scope: Pick<ApiKey, 'readOnly'> = {}) {
  return createApiKey(world.records, { organizationId, mode: 'live', now: world.clock.now(), ...scope });
}

export const aliceKey = (await issue(alice.organizationId)).key;
export const aliceReadOnlyKey = (await issue(alice.organizationId, { readOnly: true })).key;
export const bobKey = (await issue(bob.organizationId)).key;

/** Issues a key of an organization that has no default chain. */
export async function keyWithoutDefaultChain(): Promise<string> {
  const id = '018f0000-0000-7000-8000-00000000000c';
  const authorityAddress = '0x00000000000000000000000000000000000000Cc';
  await addOrganization(id, { authorityAddress, defaultChainId: null });
  return (await issue(id)).key;
}

/** Issues a key of a new organization with its own limits, and with its delegation in place. */
export async function keyWithLimits(limits: OrganizationLimits): Promise<string> {
  const id = randomUUID();
  const authorityAddress = privateKeyToAddress(generatePrivateKey());
  world.chain.delegate(authorityAddress, world.delegateAddress);
  await addOrganization(id, { authorityAddress, defaultChainId: chainId, limits });
  return (await issue(id)).key;
}

let requests = 0;

/** Calls a handler with the event that API Gateway creates for a request, and parses the answer. */
export async function call(handler: unknown, request: ApiRequest, key: string | undefined = aliceKey) {
  const { method, resource, body, text, bytes, id, query, repeated, headers } = request;
  const sent = text ?? (body === undefined ? null : JSON.stringify(body));
  const event = {
    ...{ httpMethod: method, resource },
    body: bytes ? Buffer.from(bytes).toString('base64') : sent,
    isBase64Encoded: bytes !== undefined,
    headers: { ...(key ? { Authorization: `Bearer ${key}` } : {}), ...headers },
    pathParameters: id === undefined ? null : { id },
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: repeated ?? null,
    requestContext: { requestId: `request-${++requests}`, path: '/prod/v1/attestations' },
  } as unknown as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
  const result = await (handler as Handler)(event, context);
  const parsed: ApiReply['body'] = result.body === '' ? { id: '' } : JSON.parse(result.body);
  const reply: ApiReply = {
    ...{ status: result.statusCode, text: result.body, body: parsed },
    headers: result.headers as Record<string, string>,
  };
  return reply;
}
