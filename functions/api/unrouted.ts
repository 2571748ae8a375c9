import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders, preflightHeaders } from './http/cors.ts';
import { deployedSettings } from './http/deployed-settings.ts';
import { type Reply, toResult } from './http/reply.ts';
import { headerOf } from './http/route.ts';

const { corsOrigins: origins = [] } = deployedSettings();

/** Methods by resource, such as `/v1/attestations/{id}`, as the stack sets them. */
const routes: Readonly<Record<string, readonly string[]>> = JSON.parse(process.env.ROUTES || '{}');

/** Answers unknown routes, other methods on known resources, and preflight requests (CORS). */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  toResult(replyTo(event), event.requestContext.requestId);

function replyTo(event: APIGatewayProxyEvent): Reply {
  const methods = routes[event.resource];
  const origin = headerOf(event, 'origin');
  const headers = corsHeaders(origins, origin);
  if (!methods) return { status: 404, body: { error: 'not found' }, headers };
  if (event.httpMethod === 'OPTIONS' && origins.length > 0) {
    return { status: 204, body: undefined, headers: preflightHeaders(origins, origin, methods) };
  }
  return {
    status: 405,
    body: { error: 'method not allowed' },
    headers: { ...headers, Allow: [...methods, ...(origins.length > 0 ? ['OPTIONS'] : [])].join(', ') },
  };
}
