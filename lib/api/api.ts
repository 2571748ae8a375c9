import { RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';
import { ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addUnrouted } from './unrouted.ts';

type ApiProps = Pick<ServiceFunctionProps, 'resources' | 'settings'>;

/** Of what everyone may ask for without a key, and is large: publishers' requests must not wait for it. */
const openThrottle = { throttlingRateLimit: 10, throttlingBurstLimit: 20 };

/** The routes, each with its own function. */
export class Api extends RestApi {
  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id, {
      restApiName: `${scope.node.id}-${id}`,
      endpointTypes: [EndpointType.REGIONAL],
      // It belongs to the account, not to one stack: docs/operations.md has the commands.
      cloudWatchRole: false,
      // As text, the gateway would put another character in place of what is no UTF-8, and that would be attested.
      binaryMediaTypes: ['*/*'],
      minCompressionSize: Size.kibibytes(10),
      deployOptions: stageOptions(scope, id, props.settings),
    });
    // The stack names its own outputs.
    this.node.tryRemoveChild('Endpoint');
    const functionProps = { ...props, timeoutSeconds: 29 };
    this.addRoutes(functionProps);
    addUnrouted(this, functionProps);
    addGatewayResponses(this, props.settings);
  }

  private addRoutes(functionProps: ServiceFunctionProps): void {
    const route = (file: ConstructorParameters<typeof ServiceFunction>[1], memoryMb?: number) =>
      new LambdaIntegration(
        new ServiceFunction(this, file, { ...functionProps, ...(memoryMb && { memoryMb }) }),
        {
          allowTestInvoke: false,
        },
      );
    this.root.addResource('openapi.json').addMethod('GET', route('api/openapi-document'));
    this.root.addResource('docs').addMethod('GET', route('api/docs-page'));
    const v1 = this.root.addResource('v1');
    v1.addResource('chains').addMethod('GET', route('api/list-chains'));
    const attestations = v1.addResource('attestations');
    // A megabyte is parsed, hashed and cut into a Merkle tree in one request: twice the CPU of the others.
    attestations.addMethod('POST', route('api/create-attestation', 1024));
    attestations.addMethod('GET', route('api/list-attestations'));
    const attestation = attestations.addResource('{id}');
    attestation.addMethod('GET', route('api/get-attestation'));
    attestation.addResource('child').addMethod('POST', route('api/link-child'));
  }
}

function stageOptions(scope: Construct, id: string, { throttle }: Settings) {
  const log = new LogGroup(scope, `${id}Log`, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
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
