import { APIGatewayClient, GetResourcesCommand } from '@aws-sdk/client-api-gateway';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { endpoint } from './aws.ts';
import { stack } from './running-stack.ts';

const methodNames = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];

/** Lists all methods of all resources of API Gateway, such as "GET /v1/attestations", sorted and without ANY. */
export async function deployedRoutes(): Promise<string[]> {
  const [restApiId] = new URL(stack.outputs.ApiUrl).host.split('.');
  const { items = [] } = await new APIGatewayClient(clientOptions(endpoint)).send(
    new GetResourcesCommand({ restApiId, embed: ['methods'], limit: 500 }),
  );
  return items
    .flatMap(({ path, resourceMethods = {} }) =>
      Object.keys(resourceMethods).map((name) => `${name} ${path}`),
    )
    .filter((route) => !route.startsWith('ANY '))
    .sort();
}

/** Lists the methods in the OpenAPI document that the service returns, in the same form. */
export async function documentedRoutes(): Promise<string[]> {
  const response = await fetch(`${stack.apiUrl}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((name) => `${name.toUpperCase()} ${path}`))
    .filter((route) => methodNames.some((name) => route.startsWith(`${name} `)))
    .sort();
}
