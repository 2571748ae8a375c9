type TableAccess = 'read' | 'readWrite';

/** What one function may touch. The stack grants it, and sets the environment variables that go with it. */
export interface FunctionAccess {
  readonly attestations?: TableAccess;
  /** Indexes of the attestations: of those whose next look is due, and of those of an organisation in flight. */
  readonly indexes?: readonly ('due' | 'inFlight')[];
  readonly lanes?: TableAccess;
  /** Whose keys are good and who owns what: operators alone write it, with their own credentials. */
  readonly organizations?: 'read';
  /** `publicKey` is of the stack's own key alone; `sign` is of all that sign, and includes their public keys. */
  readonly signingKey?: 'publicKey' | 'sign';
  /** The RPC URLs of the chains. */
  readonly chains?: true;
  readonly starts?: readonly ('attest' | 'lane')[];
  /** May answer executions that wait for a task token. */
  readonly answersTasks?: true;
}

/** Whoever dispatches a lane binds, signs, sends and settles; only these three may. */
const dispatchQueue = {
  attestations: 'readWrite',
  lanes: 'readWrite',
  signingKey: 'sign',
  chains: true,
  starts: ['lane'],
  answersTasks: true,
} as const satisfies FunctionAccess;

/** By file name below functions/. */
export const functionAccess = {
  'api/create-attestation': {
    attestations: 'readWrite',
    indexes: ['inFlight'],
    lanes: 'read',
    organizations: 'read',
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest'],
  },
  'api/get-attestation': { attestations: 'read', organizations: 'read' },
  'api/list-attestations': { attestations: 'read', organizations: 'read' },
  'api/list-chains': { lanes: 'read', organizations: 'read', signingKey: 'publicKey', chains: true },
  'api/link-child': {
    attestations: 'readWrite',
    organizations: 'read',
    lanes: 'readWrite',
    signingKey: 'publicKey',
    chains: true,
    starts: ['lane'],
  },
  // The same for everyone, with a key or without.
  'api/openapi-document': {},
  'api/docs-page': {},
  'api/unrouted': {},
  'workflow/commit': dispatchQueue,
  'workflow/reveal': dispatchQueue,
  'workflow/confirm': { attestations: 'readWrite', chains: true },
  'workflow/fail': { attestations: 'readWrite', lanes: 'readWrite' },
  'workflow/advance-lane': dispatchQueue,
  'workflow/sweep': {
    attestations: 'readWrite',
    indexes: ['due'],
    lanes: 'readWrite',
    signingKey: 'publicKey',
    chains: true,
    starts: ['attest', 'lane'],
  },
} as const satisfies Record<string, FunctionAccess>;

export type FunctionFile = keyof typeof functionAccess;
