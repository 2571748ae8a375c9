import { ImprimaturClient } from '../../client/imprimatur.ts';
import type { StackFile } from './stack-file.ts';

/** An emulator with few functions refuses often for load, and each time for a moment. */
const tries = 20;

/** The publisher's client of a local stack, with its key, which is good there alone: so http to any host will do. */
export function localClient({ apiUrl, apiKey }: Pick<StackFile, 'apiUrl' | 'apiKey'>): ImprimaturClient {
  return new ImprimaturClient({ url: apiUrl, apiKey, tries, timeoutSeconds: 60, allowHttp: true });
}
