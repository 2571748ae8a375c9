import type { FunctionFile } from '../../../lib/access/function-access.ts';
import { apiEvent } from '../hops/api-events.ts';
import type { BenchContext } from '../hops/bench-context.ts';

/** A kind of request to a route. */
export interface HandlerCase {
  readonly name: string;
  readonly file: FunctionFile;
  readonly status: number;
  /** Number of timed calls. */
  readonly calls: number;
  /** Makes the event of the next call. */
  event(): object;
}

/** Stored attestations that a request can ask for. */
export interface Stored {
  /** Id of the attestation of article 1. */
  readonly confirmedId: string;
  /** Ids of two attestations to which it was never linked. */
  readonly childIds: readonly [string, string];
}

const megabyte = 1_048_576;

/** Contents of 1 MiB get fewer calls, because each takes much longer. */
const [usualCalls, largeCalls] = [300, 40];

function filled(text: string): string {
  return text + 'x'.repeat(megabyte - Buffer.byteLength(text));
}

/** Makes the cases. @param firstNumber number of an article that was not posted yet, like all with a higher one */
export function handlerCases(context: BenchContext, stored: Stored, firstNumber: number): HandlerCase[] {
  const { apiKey } = context.service;
  const { confirmedId: id, childIds } = stored;
  let number = firstNumber;
  let turn = 0;
  const usual = (
    name: string,
    file: FunctionFile,
    event: () => object = () => apiEvent({ apiKey }),
    status = 200,
  ) => ({ name, file, status, calls: usualCalls, event });
  const post = (content: string) => apiEvent({ apiKey, body: { content } });
  const kilobytes = (Buffer.byteLength(context.article(1)) / 1000).toFixed(1);
  const create = 'api/create-attestation';
  return [
    usual(`create, new content of ${kilobytes} kB`, create, () => post(context.article(number++)), 202),
    {
      ...{ name: 'create, new content of 1 MiB', file: create, status: 202, calls: largeCalls },
      event: () => post(filled(context.article(number++))),
    },
    usual('create, same content again', create, () => post(context.article(1))),
    usual('create, no key', create, () => apiEvent({ apiKey: '', body: { content: 'x' } }), 401),
    usual('get', 'api/get-attestation', () => apiEvent({ apiKey, id })),
    usual('list, 50 entries', 'api/list-attestations'),
    // Each link replaces the last one, which was never sent: nothing moves the lane.
    usual(
      'link, another child',
      'api/link-child',
      () => apiEvent({ apiKey, id, body: { childAttestationId: childIds[turn++ % 2] } }),
      202,
    ),
    usual('chains, one', 'api/list-chains'),
    usual('openapi.json', 'api/openapi-document'),
    usual('docs', 'api/docs-page'),
    usual('unknown route', 'api/unrouted', undefined, 404),
  ];
}
