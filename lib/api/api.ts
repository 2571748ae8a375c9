import { Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  type Method,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Environment } from '../../functions/domain/settings.ts';
import { type FunctionAccess, type FunctionFile, functionAccess } from '../access/function-access.ts';
import { type Acknowledgments, acknowledge } from '../acknowledge.ts';
import { ServiceFunction, type ServiceFunctionProps, ServiceLog } from '../service-function.ts';
import { addGatewayResponses } from './gateway-responses.ts';

type ApiProps = Pick<ServiceFunctionProps, 'resources' | 'settings' | 'hosting'>;

/** Throttle of the large responses without a key, so that they do not delay publishers' requests. */
const openThrottle = { throttlingRateLimit: 10, throttlingBurstLimit: 20 };

const findings: Acknowledgments = {
  APIG2: 'The functions validate every request.',
  APIG4: 'The functions check the API key. The document, its page and the unknown route need none.',
  COG4: 'Publishers are machines with API keys, not users of a pool.',
  APIG6: 'The access log has every request, and functions log errors. An execution log can contain API keys.',
};
const unlimited: Acknowledgments = {
  APIG3: 'The environment can set requestsPerAddress.',
};

export class Api extends RestApi {
  readonly functions: ServiceFunction[] = [];

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id, {
      restApiName: `${scope.node.id}-${id}`,
      endpointTypes: [EndpointType.REGIONAL],
      // It belongs to the account, not to one stack: docs/operations/reference/stack.md has the commands.
      cloudWatchRole: false,
      // In text, the gateway would replace bytes that are not UTF-8, and the replacement would be attested.
      binaryMediaTypes: ['*/*'],
      minCompressionSize: Size.kibibytes(10),
      deployOptions: stageOptions(scope, id, props),
      ...domainOptions(scope, props.hosting.api),
    });
    // The stack has its own outputs.
    this.node.tryRemoveChild('Endpoint');
    // Sets TLS for API Gateway's domain too.
    const api = this.node.defaultChild as CfnRestApi;
    api.addPropertyOverride('SecurityPolicy', tls.securityPolicy);
    api.addPropertyOverride('EndpointAccessMode', tls.endpointAccessMode);
    const functionProps = { ...props, timeoutSeconds: 29 };
    this.addRoutes(functionProps);
    addUnrouted(this, functionProps);
    const { requestsPerAddress } = props.hosting;
    if (requestsPerAddress !== undefined) addAddressLimit(this, requestsPerAddress);
    acknowledge(this, requestsPerAddress === undefined ? { ...findings, ...unlimited } : findings);
    addGatewayResponses(this, { ...props.settings, limitsAddresses: requestsPerAddress !== undefined });
  }

  private addRoutes(functionProps: ServiceFunctionProps): void {
    for (const [file, { route }] of Object.entries<FunctionAccess>(functionAccess)) {
      if (!route) continue;
      const [method = '', path = ''] = route.split(' ');
      const target = this.root.resourceForPath(path);
      const handler = new ServiceFunction(this, file as FunctionFile, functionProps);
      this.functions.push(handler);
      target.addMethod(method, new LambdaIntegration(handler.live as IFunction, { allowTestInvoke: false }));
    }
  }
}

/** TLS 1.3, or 1.2 with forward secrecy. Without a policy, a Regional API accepts TLS 1.0. */
const tls = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  // The Host header must match the TLS handshake.
  endpointAccessMode: EndpointAccessMode.STRICT,
};

/** Returns the options of the API's own domain, which disable the default one. */
function domainOptions(scope: Construct, domain: ApiProps['hosting']['api']) {
  if (!domain) return {};
  const { domainName, certificateArn } = domain;
  const certificate = Certificate.fromCertificateArn(scope, 'ApiCertificate', certificateArn);
  const options = { domainName, certificate, endpointType: EndpointType.REGIONAL, ...tls };
  return { domainName: options, disableExecuteApiEndpoint: true };
}

function stageOptions(scope: Construct, id: string, { settings: { throttle }, hosting }: ApiProps) {
  const log = new ServiceLog(scope, `${id}Log`, hosting.retention.logDays);
  return {
    stageName: 'live',
    throttlingRateLimit: throttle.ratePerSecond,
    throttlingBurstLimit: throttle.burst,
    methodOptions: { '/docs/GET': openThrottle, '/openapi.json/GET': openThrottle },
    accessLogDestination: new LogGroupLogDestination(log),
    // Standard fields only: no body, no header, so no content and no API key.
    accessLogFormat: AccessLogFormat.jsonWithStandardFields({
      requestTime: true,
      httpMethod: true,
      resourcePath: true,
      status: true,
      responseLength: true,
      ip: true,
      protocol: true,
      caller: false,
      user: false,
    }),
  };
}

/**
 * Adds the function for all other requests: 405, preflight requests (CORS), 404. API Gateway does not distinguish 404 from 405, and
 * returns 403 for an Authorization header that is not a SigV4 signature.
 */
export function addUnrouted(api: RestApi, props: ServiceFunctionProps): void {
  const routes = routesOf(api);
  const unrouted = new ServiceFunction(api, 'api/unrouted', props);
  const byPath = [...routes].map(([{ path }, methods]) => [path, methods]);
  unrouted.addEnvironment('ROUTES' satisfies keyof Environment, JSON.stringify(Object.fromEntries(byPath)));
  // One permission for all methods.
  const integration = new LambdaIntegration(unrouted.live as IFunction, { scopePermissionToMethod: false });
  // The greedy resource matches at least one path segment, so the root needs its own method.
  for (const resource of [...routes.keys(), api.root, api.root.addResource('{proxy+}')])
    resource.addMethod('ANY', integration);
}

function routesOf({ methods }: RestApi): Map<IResource, string[]> {
  const namesOf = (list: readonly Method[]) => list.map(({ httpMethod }) => httpMethod);
  const byResource = Map.groupBy(methods, ({ resource }) => resource);
  return new Map([...byResource].map(([resource, list]) => [resource, namesOf(list)]));
}

/**
 * Adds a web ACL that limits the requests of an IP address in five minutes, so that requests without a key do not use up the
 * publishers' throttle.
 */
function addAddressLimit(api: RestApi, requests: number): void {
  const metric = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    metricName,
    // Samples would contain API keys.
    sampledRequestsEnabled: false,
  });
  const acl = new CfnWebACL(api, 'WebAcl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: metric('Api'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: { limit: requests, aggregateKeyType: 'IP', evaluationWindowSec: 300 },
        },
        visibilityConfig: metric('RequestsPerAddress'),
      },
    ],
  });
  new CfnWebACLAssociation(api, 'WebAclAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}
