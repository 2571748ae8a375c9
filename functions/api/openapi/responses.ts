import { type BodyName, bodyRef } from './components.ts';
import { type ErrorName, refusalReply } from './error-examples.ts';
import { attestationLinks, type HeaderName, headerRefs, listLinks } from './parts.ts';

interface DocumentedAnswer {
  readonly description: string;
  readonly body: BodyName;
  readonly examples: Record<string, unknown>;
  readonly headers?: readonly HeaderName[];
}

const linksOf: { readonly [Body in BodyName]?: object } = {
  Creation: attestationLinks,
  Attestation: attestationLinks,
  AttestationList: listLinks,
};

const namedExamples = (examples: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

export const json = (schema: object, examples: Record<string, unknown>) => ({
  'application/json': { schema, examples: namedExamples(examples) },
});

export function answer({ description, body, examples, headers = [] }: DocumentedAnswer) {
  const links = linksOf[body];
  return {
    description,
    headers: headerRefs(...headers),
    content: json(bodyRef(body), examples),
    ...(links && { links }),
  };
}

export function refusal(description: string, names: readonly ErrorName[]) {
  const replies = names.map((name) => [name, refusalReply(name)] as const);
  const extra = new Set(replies.flatMap(([, { headers }]) => Object.keys(headers ?? {})));
  const bodies = new Set(replies.map(([, { body }]) => bodyOf(body as object)));
  const [first, ...others] = [...bodies].map(bodyRef);
  return {
    description,
    headers: headerRefs(...([...extra] as HeaderName[])),
    content: json(
      first && others.length === 0 ? first : { anyOf: [first, ...others] },
      Object.fromEntries(replies.map(([name, { body }]) => [name, body])),
    ),
  };
}

function bodyOf(body: object): BodyName {
  if ('issues' in body) return 'InvalidRequest';
  return 'chainId' in body ? 'ChainRefusal' : 'Error';
}

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });

export const sharedRefusals = {
  InvalidKey: refusal('The API key is missing, invalid or expired.', ['invalidKey', 'expiredKey']),
  ReadOnlyKey: refusal('The API key may only read.', ['readOnlyKey']),
  BodyTooLarge: refusal('The request body is too large.', ['tooLarge']),
  TooManyRequests: refusal('Too many requests, or a limit of the organization is reached.', ['rateLimit']),
  InternalError: refusal('An unexpected error. Find its cause in the log by `x-request-id`.', ['internal']),
  GatewayFailed: refusal('The service did not answer properly.', ['gatewayFailed']),
  Busy: refusal('The store is busy.', ['busy']),
  GatewayTimeout: refusal('The service did not answer in time.', ['gatewayTimeout']),
};

export const gatewayResponses = {
  429: ref('TooManyRequests'),
  500: ref('InternalError'),
  502: ref('GatewayFailed'),
  504: ref('GatewayTimeout'),
};

export const keyedResponses = { 401: ref('InvalidKey'), ...gatewayResponses, 503: ref('Busy') };

export const attestResponses = { 403: ref('ReadOnlyKey') };

export const bodyResponses = { 413: ref('BodyTooLarge') };
