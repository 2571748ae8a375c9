import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import {
  type Alias,
  Architecture,
  Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from '../functions/domain/settings.ts';
import {
  accessAcknowledgments,
  accessEnvironment,
  accessStatements,
  metricsNamespace,
  metricsService,
  type Resources,
} from './access/access-statements.ts';
import { type FunctionAccess, type FunctionFile, functionAccess } from './access/function-access.ts';
import { liveAlias } from './access/machine-address.ts';
import { acknowledge } from './acknowledge.ts';
import { bundleOf } from './bundle-functions.ts';
import type { Hosting } from './environment/environment.ts';

export interface ServiceFunctionProps {
  readonly resources: Resources;
  readonly settings: Settings;
  readonly hosting: Hosting;
  readonly timeoutSeconds: number;
}

/** Function of the service. Its file determines its name and, in `functionAccess`, its access. */
export class ServiceFunction extends Lambda {
  /** Alias of the newest deployed version. */
  readonly live: Alias;

  constructor(scope: Construct, file: FunctionFile, props: ServiceFunctionProps) {
    const access: FunctionAccess = functionAccess[file];
    const id = constructId(file);
    const { retention, reservedConcurrency } = props.hosting;
    const reserved = reservedConcurrency[file];
    super(scope, id, {
      // Commands that need no code, such as `cdk list`, do not bundle. For them, any directory will do.
      code: Code.fromAsset(Stack.of(scope).bundlingRequired ? bundleOf(file) : import.meta.dirname),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: access.memoryMb ?? 512,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: {
        ...accessEnvironment(access, props.resources),
        SETTINGS: JSON.stringify(props.settings),
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(Stack.of(scope).stackName),
        POWERTOOLS_SERVICE_NAME: metricsService,
      },
      loggingFormat: LoggingFormat.JSON,
      logGroup: new ServiceLog(scope, `${id}Log`, retention.logDays),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      // Lets the alias return to a former version.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    this.live = this.addAlias(liveAlias);
    for (const statement of accessStatements(access, props.resources)) this.addToRolePolicy(statement);
    acknowledge(this, {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
        'It only lets the function write logs.',
      ...accessAcknowledgments(access, props.resources),
    });
    if (access.signingKey === 'sign' && this.role) props.resources.signingKey.letSign(this.role);
  }
}

/** Invokes a function once a minute. The next run replaces a late one. */
export function everyMinute(scope: Construct, id: string, called: ServiceFunction): Rule {
  const limits = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
  return new Rule(scope, id, {
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(called, limits)],
  });
}

/** `workflow/advance-lane` → `AdvanceLane`, which is also its state's name. */
function constructId(file: FunctionFile): string {
  const name = file.slice(file.indexOf('/') + 1);
  return name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}

/** Log group of the service, which is deleted with the stack. */
export class ServiceLog extends LogGroup {
  constructor(scope: Construct, id: string, days: number, logGroupName?: string) {
    const name = logGroupName === undefined ? {} : { logGroupName };
    super(scope, id, { ...name, retention: days, removalPolicy: RemovalPolicy.DESTROY });
  }
}
