import { ImprimaturClient } from '../../client/imprimatur.ts';
import type { StackFile } from './stack-file.ts';

/** An emulator with few functions refuses often for load, each time for a moment. */
const tries = 20;

/**
 * Makes the publisher's client of a local stack. Its key is valid on that stack only, so http to any host is allowed.
 */
export function localClient({ apiUrl, apiKey }: Pick<StackFile, 'apiUrl' | 'apiKey'>): ImprimaturClient {
  return new ImprimaturClient({ url: apiUrl, apiKey, tries, timeoutSeconds: 60, allowHttp: true });
}
