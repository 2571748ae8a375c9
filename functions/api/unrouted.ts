import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders, readCorsOrigins } from './cors.ts';
import { headerOf } from './http.ts';
import { present, type Reply } from './reply.ts';

const origins = readCorsOrigins(process.env);

/** Methods by resource, such as `/v1/attestations/{id}`, as the stack has them. */
const routes: Readonly<Record<string, readonly string[]>> = JSON.parse(process.env.ROUTES || '{}');

/** What no other function answers: unknown routes, and other methods on known resources. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const { headers, ...answer } = present(replyTo(event), event.requestContext.requestId);
  return { ...answer, headers: { ...headers, ...corsHeaders(origins, headerOf(event, 'origin')) } };
};

function replyTo({ resource }: APIGatewayProxyEvent): Reply {
  const methods = routes[resource];
  if (!methods) return { status: 404, body: { error: 'not found' } };
  return { status: 405, body: { error: 'method not allowed' }, headers: { Allow: methods.join(', ') } };
}
