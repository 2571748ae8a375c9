/** Access to a table; `add` covers adding records and counting, without removing any. */
export type TableAccess = 'read' | 'add' | 'readWrite';

/** Access of one function. The stack grants it, and sets the environment variables that go with it. */
export interface FunctionAccess {
  /** Method and path of the API that the function answers. */
  readonly route?: `${'GET' | 'POST'} /${string}`;
  /** Memory in MB, and with it CPU; 512 without it. */
  readonly memoryMb?: number;
  readonly attestations?: 'read' | 'readWrite';
  /** Indexes of the attestations: of those due for the sweep, and of those of an organisation in flight. */
  readonly indexes?: readonly ('due' | 'inFlight')[];
  /** States of lanes, transactions and signers: no function of the API writes them. */
  readonly lanes?: 'read' | 'readWrite';
  /** Queued operations, and the rounds in which they are queued. */
  readonly queue?: 'add' | 'readWrite';
  /** Organisations, their owners and API keys: operators alone write it, with their own credentials. */
  readonly organizations?: 'read';
  /** `publicKey` covers the stack's own key alone; `sign` covers all keys that sign, and includes their public keys. */
  readonly signingKey?: 'publicKey' | 'sign';
  /** The RPC URLs of the chains. */
  readonly chains?: true;
  readonly starts?: readonly ('attest' | 'lane')[];
  /** May answer executions that wait for a task token. */
  readonly answersTasks?: true;
}

/** Access of the three functions that dispatch a lane: only they assign nonces, sign, send and settle. */
const dispatching = {
  attestations: 'readWrite',
  lanes: 'readWrite',
  queue: 'readWrite',
  signingKey: 'sign',
  chains: true,
  starts: ['lane'],
  answersTasks: true,
} as const satisfies FunctionAccess;

/** Access of each function, by file name below functions/. */
export const functionAccess = {
  // The same answer for every client, with a key or without.
  'api/openapi-document': { route: 'GET /openapi.json' },
  'api/docs-page': { route: 'GET /docs' },
  'api/list-chains': {
    route: 'GET /v1/chains',
    lanes: 'read',
    organizations: 'read',
    signingKey: 'publicKey',
    chains: true,
  },
  'api/create-attestation': {
    route: 'POST /v1/attestations',
    // A megabyte is parsed, hashed and cut into a Merkle tree in one request: twice the CPU of the others.
    memoryMb: 1024,
    attestations: 'readWrite',
    indexes: ['inFlight'],
    lanes: 'read',
    organizations: 'read',
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest'],
  },
  'api/list-attestations': { route: 'GET /v1/attestations', attestations: 'read', organizations: 'read' },
  'api/get-attestation': { route: 'GET /v1/attestations/{id}', attestations: 'read', organizations: 'read' },
  'api/get-proof': { route: 'GET /v1/attestations/{id}/proof', attestations: 'read', organizations: 'read' },
  'api/link-child': {
    route: 'POST /v1/attestations/{id}/child',
    attestations: 'readWrite',
    organizations: 'read',
    lanes: 'read',
    queue: 'add',
    signingKey: 'publicKey',
    chains: true,
    starts: ['lane'],
  },
  'api/quote-passage': {
    route: 'POST /v1/attestations/{id}/quotes',
    // As much is hashed as when it was accepted.
    memoryMb: 1024,
    attestations: 'read',
    organizations: 'read',
    chains: true,
  },
  // Answers what no route does.
  'api/unrouted': {},
  'workflow/commit': dispatching,
  'workflow/reveal': dispatching,
  'workflow/confirm': { attestations: 'readWrite', chains: true },
  'workflow/fail': { attestations: 'readWrite', queue: 'readWrite' },
  'workflow/advance-lane': dispatching,
  'workflow/sweep': {
    attestations: 'readWrite',
    indexes: ['due'],
    lanes: 'readWrite',
    queue: 'readWrite',
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest', 'lane'],
  },
} as const satisfies Record<string, FunctionAccess>;

export type FunctionFile = keyof typeof functionAccess;
