import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { handler as create } from '../../../functions/api/create-attestation.ts';
import { handler as get } from '../../../functions/api/get-attestation.ts';
import { handler as proof } from '../../../functions/api/get-proof.ts';
import { handler as link } from '../../../functions/api/link-child.ts';
import { handler as list } from '../../../functions/api/list-attestations.ts';
import { handler as chains } from '../../../functions/api/list-chains.ts';
import { handler as unrouted } from '../../../functions/api/unrouted.ts';
import { call } from '../../../test/fakes/world/api-client.ts';

const routes: readonly [method: string, path: RegExp, resource: string, handler: unknown][] = [
  ['POST', /^\/v1\/attestations$/, '/v1/attestations', create],
  ['GET', /^\/v1\/attestations$/, '/v1/attestations', list],
  ['GET', /^\/v1\/attestations\/([^/]+)$/, '/v1/attestations/{id}', get],
  ['POST', /^\/v1\/attestations\/([^/]+)\/child$/, '/v1/attestations/{id}/child', link],
  ['GET', /^\/v1\/attestations\/([^/]+)\/proof$/, '/v1/attestations/{id}/proof', proof],
  ['GET', /^\/v1\/chains$/, '/v1/chains', chains],
];

/** Calls the handler of a request, like API Gateway. The test composes the handlers from fakes. */
export async function serveHandlers(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://service');
  const text = (await buffer(request)).toString();
  const { method = '' } = request;
  const matches = routes.filter(([, path]) => path.test(url.pathname));
  const [, pattern, , handler = unrouted] = matches.find(([routeMethod]) => routeMethod === method) ?? [];
  const [, id] = pattern?.exec(url.pathname) ?? [];
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const query = Object.fromEntries(url.searchParams);
  const resource = matches[0]?.[2] ?? '/{proxy+}';
  const reply = await call(handler, { method, resource, text, headers, query, ...(id && { id }) }, '');
  response.writeHead(reply.status, reply.headers).end(reply.text);
}
