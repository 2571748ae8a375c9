import { inject } from 'vitest';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { StackFile } from '../../../local/stack/stack-file.ts';

/** `stack.json` of the running local stack. */
export interface RunningStack extends StackFile {
  readonly directory: string;
  readonly outputs: StackOutputs;
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: RunningStack;
  }
}

export const stack = inject('stack');
