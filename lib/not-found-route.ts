import { MockIntegration, PassthroughBehavior, type RestApi } from 'aws-cdk-lib/aws-apigateway';

const statusCode = '404';

/** As the service's own answers have them. */
const headers = { 'Cache-Control': "'private, no-cache'", 'x-request-id': 'context.requestId' };

const responseParameters = Object.fromEntries(
  Object.entries(headers).map(([name, source]) => [`method.response.header.${name}`, source]),
);

const methodResponse = {
  statusCode,
  responseParameters: Object.fromEntries(Object.keys(responseParameters).map((name) => [name, true])),
};

const integration = new MockIntegration({
  requestTemplates: { 'application/json': JSON.stringify({ statusCode: Number(statusCode) }) },
  // Any other content type gets the gateway response to an unsupported one, which says the same.
  passthroughBehavior: PassthroughBehavior.NEVER,
  integrationResponses: [
    { statusCode, responseParameters, responseTemplates: { 'application/json': '{"error":"not found"}' } },
  ],
});

/**
 * Answers what no route does. Left to itself, API Gateway takes an Authorization header on an unknown route for a
 * SigV4 signature and answers 403, which only the status of all unnamed 4xx answers could change. It routes by
 * resource and method together, so other methods on known resources come here too.
 */
export function addNotFoundRoute(api: RestApi): void {
  // The greedy resource takes at least one segment of the path, so the root needs its own.
  for (const resource of [api.root, api.root.addResource('{proxy+}')])
    resource.addMethod('ANY', integration, { methodResponses: [methodResponse] });
}
