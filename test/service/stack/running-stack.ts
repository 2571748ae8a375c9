import { inject } from 'vitest';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { StackFile } from '../../../local/stack/stack-file.ts';
import type { ServedPages } from '../../../local/start/serve-pages.ts';

/** `stack.json` of the running local stack. */
export interface RunningStack extends StackFile {
  readonly directory: string;
  readonly outputs: StackOutputs;
}

declare module 'vitest' {
  interface ProvidedContext {
    stack: RunningStack;
    /** URLs of the pages, whose origin the service allows. */
    pageUrls: ServedPages['urls'];
  }
}

export const stack = inject('stack');
export const pageUrls = inject('pageUrls');
