/**
 * What a function may do with records of a table; transactions and their conditions need no other grants.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
export type TableAction = 'get' | 'batchGet' | 'query' | 'put' | 'update' | 'delete';

type TableAccess = readonly TableAction[];

/** Access of one function. The stack grants it, and sets the environment variables that go with it. */
export interface FunctionAccess {
  readonly route?: `${'GET' | 'POST'} /${string}`;
  /** Memory in MB, which also determines the CPU (default: 512). */
  readonly memoryMb?: number;
  readonly attestations?: TableAccess;
  /** Indexes of the attestations: of those due for the sweep, and of those of an organization in flight. */
  readonly indexes?: readonly ('due' | 'inFlight')[];
  /** States of lanes, transactions and signers: no function of the API writes them. */
  readonly lanes?: TableAccess;
  /** Queued operations, and the rounds in which they are queued. */
  readonly queue?: TableAccess;
  /** Organizations and API keys. Only operators write them, with their own credentials. */
  readonly organizations?: TableAccess;
  /** Webhooks, their secrets and deliveries. No function of the API or the workflow uses them. */
  readonly webhooks?: TableAccess;
  /** `publicKey` covers only the stack's key; `sign` covers all signing keys, with their public keys. */
  readonly signingKey?: 'publicKey' | 'sign';
  readonly chains?: true;
  readonly starts?: readonly ('attest' | 'lane')[];
  readonly answersTasks?: true;
}

/** Access of the three functions that dispatch a lane: only they assign nonces, sign, send and settle. */
const dispatchAccess = {
  attestations: ['get', 'batchGet', 'put', 'update'],
  lanes: ['get', 'query', 'put', 'update', 'delete'],
  queue: ['get', 'query', 'put', 'update', 'delete'],
  signingKey: 'sign',
  chains: true,
  starts: ['lane'],
  answersTasks: true,
} as const satisfies FunctionAccess;

/** Authentication by API key, and counting requests. */
const caller = ['get'] as const;

/** Access of each function, by file name below functions/. */
export const functionAccess = {
  // These two return the same to every client, with or without a key.
  'api/openapi-document': { route: 'GET /openapi.json' },
  'api/docs-page': { route: 'GET /docs' },
  'api/list-chains': {
    route: 'GET /v1/chains',
    lanes: ['get'],
    organizations: caller,
    signingKey: 'publicKey',
    chains: true,
  },
  'api/create-attestation': {
    route: 'POST /v1/attestations',
    // A megabyte is parsed, hashed and cut into a Merkle tree in one request: twice the usual CPU.
    memoryMb: 1024,
    attestations: ['get', 'batchGet', 'put', 'update', 'delete'],
    indexes: ['inFlight'],
    lanes: ['batchGet'],
    organizations: caller,
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest'],
  },
  'api/list-attestations': {
    route: 'GET /v1/attestations',
    attestations: ['query', 'batchGet'],
    organizations: caller,
  },
  'api/get-attestation': { route: 'GET /v1/attestations/{id}', attestations: ['get'], organizations: caller },
  'api/get-proof': {
    route: 'GET /v1/attestations/{id}/proof',
    attestations: ['get'],
    organizations: caller,
    chains: true,
  },
  'api/link-child': {
    route: 'POST /v1/attestations/{id}/child',
    attestations: ['get', 'batchGet', 'update'],
    organizations: caller,
    lanes: ['get'],
    queue: ['get', 'query', 'put', 'update'],
    signingKey: 'publicKey',
    chains: true,
    starts: ['lane'],
  },
  'api/quote-passage': {
    route: 'POST /v1/attestations/{id}/quotes',
    // The whole text is hashed again.
    memoryMb: 1024,
    attestations: ['get', 'query'],
    organizations: caller,
    chains: true,
  },
  // Responds to requests without a route.
  'api/unrouted': {},
  'workflow/commit': dispatchAccess,
  'workflow/reveal': dispatchAccess,
  'workflow/confirm': { attestations: ['get', 'update'], chains: true },
  'workflow/fail': { attestations: ['get', 'update'], queue: ['delete'] },
  'workflow/advance-lane': {
    ...dispatchAccess,
    // It stores no task token, and adds no operation to a round.
    attestations: ['get', 'batchGet', 'update'],
    queue: ['query', 'put', 'update', 'delete'],
  },
  'workflow/sweep': {
    attestations: ['get', 'update'],
    indexes: ['due'],
    lanes: ['get', 'query', 'update'],
    queue: ['query'],
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest', 'lane'],
  },
  'streams/queue-deliveries': { webhooks: ['query', 'put'] },
  'streams/send-deliveries': { webhooks: ['get', 'batchGet', 'query', 'put', 'update', 'delete'] },
} as const satisfies Record<string, FunctionAccess>;

export type FunctionFile = keyof typeof functionAccess;
