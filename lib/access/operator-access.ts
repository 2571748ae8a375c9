import type { FunctionAccess } from './function-access.ts';

/** What the operators' commands (`npm run admin`) do with the tables, the machines and the parameters of the service. */
export const operatorAccess = {
  attestations: ['get', 'batchGet', 'query', 'update'],
  // `lane resync` requeues operations that no queue has.
  indexes: ['due'],
  lanes: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
  queue: ['query', 'put', 'delete'],
  organizations: ['get', 'query', 'put', 'update'],
  webhooks: ['get', 'batchGet', 'query', 'put', 'update', 'delete'],
  signingKey: 'publicKey',
  chains: true,
  starts: ['lane'],
} as const satisfies FunctionAccess;

/** What custodians do besides: they erase contents. */
export const custodianAccess = {
  ...operatorAccess,
  attestations: [...operatorAccess.attestations, 'delete'],
} as const satisfies FunctionAccess;

/** Partition keys of contents, an organization's id and a CID, as a pattern of IAM. */
export const contentKeys = '????????-????-????-????-????????????#baf*';

/** Partition keys of the records that authenticate API keys, as a pattern of IAM. */
export const apiKeyKeys = 'key#*';
