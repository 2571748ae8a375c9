import { inject } from 'vitest';
import type { StackOutputs } from '../../local/deploy-service.ts';

/** What `.local/<directory>/stack.json` says of the running local stack. */
export interface RunningStack {
  readonly directory: string;
  readonly outputs: StackOutputs;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly authorityAddress: `0x${string}`;
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly registryAddress: `0x${string}`;
  readonly delegateAddress: `0x${string}`;
  readonly revealDelaySeconds: number;
  readonly endpointUrl: string;
  readonly region: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: RunningStack;
  }
}

export const stack = inject('stack');
