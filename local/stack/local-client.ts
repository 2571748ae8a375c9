import { ImprimaturClient } from 'imprimatur-client';
import type { StackFile } from './stack-file.ts';

/**
 * Makes a client of a local stack. Its key is valid only there, so http to any host is allowed.
 */
export function localClient({ apiUrl, apiKey }: Pick<StackFile, 'apiUrl' | 'apiKey'>): ImprimaturClient {
  return new ImprimaturClient({ url: apiUrl, apiKey, timeoutSeconds: 60, allowHttp: true });
}
