import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Environment } from '../../functions/domain/settings.ts';
import { type Acknowledgments, wildcard } from '../acknowledge.ts';
import type { rpcUrlsOf, settingsChangesOf } from '../storage/parameters.ts';
import { tableNames, type UsedTables } from '../storage/tables.ts';
import type { FunctionAccess, TableAction } from './function-access.ts';
import type { MachineAddress } from './machine-address.ts';
import type { KeyThatSigns } from './signing-key.ts';

export interface Resources {
  readonly tables: UsedTables;
  readonly signingKey: KeyThatSigns;
  readonly rpcUrls: ReturnType<typeof rpcUrlsOf>;
  readonly settingsChanges: ReturnType<typeof settingsChangesOf>;
  readonly machines: Readonly<Record<'attest' | 'lane', MachineAddress>>;
  /** Resource that `states:SendTask*` is evaluated against. */
  readonly taskResource: string;
}

const tableActions: Readonly<Record<TableAction, string>> = {
  get: 'dynamodb:GetItem',
  batchGet: 'dynamodb:BatchGetItem',
  query: 'dynamodb:Query',
  put: 'dynamodb:PutItem',
  update: 'dynamodb:UpdateItem',
  delete: 'dynamodb:DeleteItem',
};

export function accessStatements(access: FunctionAccess, resources: Resources): PolicyStatement[] {
  return [
    ...tableStatements(access, resources),
    ...rateStatements(access, resources),
    // The key's policy lets functions sign.
    ...(access.signingKey === 'publicKey' ? [allow(['kms:GetPublicKey'], resources.signingKey.keyArn)] : []),
    ...(access.chains ? [...resources.rpcUrls.readStatements, resources.settingsChanges.readStatement] : []),
    ...workflowStatements(access, resources),
  ];
}

/** Reasons for wildcards in the resources of a function's statements. */
export function accessAcknowledgments(
  { chains, starts = [] }: FunctionAccess,
  { rpcUrls, machines }: Resources,
): Acknowledgments {
  const executions = starts.map((name) => [
    wildcard(machines[name].executionsArn),
    "Each execution of the stack's machine has its own name.",
  ]);
  return { ...(chains && rpcUrls.acknowledgments), ...Object.fromEntries(executions) };
}

function tableStatements(access: FunctionAccess, { tables }: Resources): PolicyStatement[] {
  const whole = tableNames.flatMap((name) => {
    const actions = access[name]?.map((action) => tableActions[action]);
    return actions === undefined ? [] : [allow(actions, tables[name].tableArn)];
  });
  const indexes = (access.indexes ?? []).map((name) =>
    allow(['dynamodb:Query'], `${tables.attestations.tableArn}/index/${name}`),
  );
  return [...whole, ...indexes];
}

/** Lets a function that authenticates callers count requests in the organization's usage, and change nothing else. */
function rateStatements({ organizations, attestations = [] }: FunctionAccess, { tables }: Resources) {
  if (!organizations || attestations.includes('update')) return [];
  const counting = allow([tableActions.update], tables.attestations.tableArn);
  counting.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': ['*#usage'] });
  return [counting];
}

function workflowStatements(
  { starts = [], answersTasks }: FunctionAccess,
  resources: Resources,
): PolicyStatement[] {
  const machines = starts.map((name) => resources.machines[name]);
  return [
    // IAM evaluates an execution started through an alias against the machine's own ARN.
    ...machines.map(({ arn }) => allow(['states:StartExecution'], arn)),
    // If the name is taken, only the status shows whether the execution is running or closed.
    ...machines.map(({ executionsArn }) => allow(['states:DescribeExecution'], executionsArn)),
    ...(answersTasks
      ? [allow(['states:SendTaskSuccess', 'states:SendTaskFailure'], resources.taskResource)]
      : []),
  ];
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}

/** Name of the service, a dimension of every metric of its log lines. */
export const metricsService = 'imprimatur';

/** Namespace of the metrics of a stack's log lines: two stacks of one account must not count each other's lines. */
export const metricsNamespace = (stackName: string): string => `Imprimatur/${stackName}`;

/** Returns the environment variables for the declared access of a function. `ServiceFunction` adds SETTINGS. */
export function accessEnvironment(access: FunctionAccess, resources: Resources): Partial<Environment> {
  const { tables, signingKey, rpcUrls, settingsChanges, machines } = resources;
  // The attestations' table also counts an organization's requests.
  const used = tableNames.filter((name) => access[name] || (name === 'attestations' && access.organizations));
  return {
    ...Object.fromEntries(used.map((name) => [`${name.toUpperCase()}_TABLE`, tables[name].tableName])),
    ...(access.starts?.includes('attest') && { ATTEST_STATE_MACHINE_ARN: machines.attest.startArn }),
    ...(access.starts?.includes('lane') && { LANE_STATE_MACHINE_ARN: machines.lane.startArn }),
    ...(access.signingKey && { SIGNING_KEY_ID: signingKey.keyId }),
    ...(access.chains && {
      RPC_URLS_PATH: rpcUrls.path,
      SETTINGS_CHANGES: settingsChanges.parameterName,
    }),
  };
}
