import type { FunctionAccess } from './function-access.ts';

/** Access of the operators' commands (`npm run admin`) to the service's tables, machines and parameters. */
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

/** Access of custodians, who also erase contents. */
export const custodianAccess = {
  ...operatorAccess,
  attestations: [...operatorAccess.attestations, 'delete'],
} as const satisfies FunctionAccess;

/** Partition keys of contents, as a pattern of IAM. Each consists of an organization's id, `#` and a CID. */
export const contentKeys = '????????-????-????-????-????????????#baf*';

/** Partition keys of the records that authenticate API keys, as a pattern of IAM. */
export const apiKeyKeys = 'key#*';
