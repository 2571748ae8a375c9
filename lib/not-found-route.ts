import { MockIntegration, PassthroughBehavior, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Settings } from '../functions/domain/settings.ts';
import { gatewayCorsHeaders } from './cors.ts';

const statusCode = '404';

/** As the service's own answers have them. */
const headers = { 'Cache-Control': "'private, no-cache'", 'x-request-id': 'context.requestId' };

function methodParts(settings: Settings) {
  const all = Object.entries({ ...headers, ...gatewayCorsHeaders(settings) });
  const responseParameters = Object.fromEntries(
    all.map(([name, source]) => [`method.response.header.${name}`, source]),
  );
  const declared = Object.fromEntries(Object.keys(responseParameters).map((name) => [name, true]));
  const integration = new MockIntegration({
    requestTemplates: { 'application/json': JSON.stringify({ statusCode: Number(statusCode) }) },
    // Any other content type gets the gateway response to an unsupported one, which says the same.
    passthroughBehavior: PassthroughBehavior.NEVER,
    integrationResponses: [
      { statusCode, responseParameters, responseTemplates: { 'application/json': '{"error":"not found"}' } },
    ],
  });
  return { integration, methodResponses: [{ statusCode, responseParameters: declared }] };
}

/**
 * Answers what no route does. Left to itself, API Gateway takes an Authorization header on an unknown route for a
 * SigV4 signature and answers 403, which only the status of all unnamed 4xx answers could change. It routes by
 * resource and method together, so other methods on known resources come here too.
 */
export function addNotFoundRoute(api: RestApi, settings: Settings): void {
  const { integration, methodResponses } = methodParts(settings);
  // The greedy resource takes at least one segment of the path, so the root needs its own.
  for (const resource of [api.root, api.root.addResource('{proxy+}')])
    resource.addMethod('ANY', integration, { methodResponses });
}
