import { type IResource, LambdaIntegration, type Method, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Environment } from '../../functions/domain/settings.ts';
import { ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';

/**
 * Adds the function that answers what no route does: 405, preflight requests (CORS), 404. API Gateway by itself does not distinguish
 * 404 from 405, and takes an Authorization header there for a SigV4 signature: 403.
 */
export function addUnrouted(api: RestApi, props: ServiceFunctionProps): void {
  const routes = routesOf(api);
  const unrouted = new ServiceFunction(api, 'api/unrouted', props);
  const byPath = [...routes].map(([{ path }, methods]) => [path, methods]);
  unrouted.addEnvironment('ROUTES' satisfies keyof Environment, JSON.stringify(Object.fromEntries(byPath)));
  // One permission for them all, not one each.
  const integration = new LambdaIntegration(unrouted.live as IFunction, { scopePermissionToMethod: false });
  // The greedy resource takes at least one segment of the path, so the root needs its own.
  for (const resource of [...routes.keys(), api.root, api.root.addResource('{proxy+}')])
    resource.addMethod('ANY', integration);
}

function routesOf({ methods }: RestApi): Map<IResource, string[]> {
  const namesOf = (own: readonly Method[]) => own.map(({ httpMethod }) => httpMethod);
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  return new Map([...byResource].map(([resource, own]) => [resource, namesOf(own)]));
}
