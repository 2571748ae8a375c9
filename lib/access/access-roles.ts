import { ArnFormat, Aws, CfnOutput, DefaultStackSynthesizer, Fn, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, CompositePrincipal, Effect, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type Acknowledgments, acknowledge, wildcard } from '../acknowledge.ts';
import { accessAcknowledgments, accessStatements, type Resources } from './access-statements.ts';
import { apiKeyKeys, contentKeys, custodianAccess, operatorAccess } from './operator-access.ts';

interface OperatedResources {
  readonly resources: Resources;
  readonly settingsArn: string;
  readonly alarmTopic: ITopic;
  /** Log that `doctor` searches for the last sweep. */
  readonly sweepLog: ILogGroup;
}

/** Statements of a role, and the reasons for their wildcards. */
interface Permissions {
  readonly statements: readonly PolicyStatement[];
  readonly acknowledgments: Acknowledgments;
}

/**
 * Returns what operators may do: run commands of `npm run admin`, except to read or erase contents and to create keys.
 */
function operatorPermissions(stack: Stack, operated: OperatedResources): Permissions {
  return {
    statements: [
      ...accessStatements(operatorAccess, operated.resources),
      ...settingsAccess(operated),
      ...inspection(stack, operated),
      ...denyContents(operated),
    ],
    acknowledgments: {
      ...accessAcknowledgments(operatorAccess, operated.resources),
      [wildcard(keysArn(stack))]: 'Conditions limit it to signing keys and keys that encrypt RPC URLs.',
      [wildcard(stackArn(stack))]: "The stack's id ends with a random part.",
      [wildcard('*')]: 'Actions without a resource, and a list of alarms.',
    },
  };
}

/** Returns what custodians may do: run operators' commands, and also read and erase contents and create keys. */
function custodianPermissions(stack: Stack, operated: OperatedResources): Permissions {
  const { acknowledgments } = operatorPermissions(stack, operated);
  return {
    statements: [
      ...accessStatements(custodianAccess, operated.resources),
      ...settingsAccess(operated),
      ...inspection(stack, operated),
      ...keyCreation(stack),
    ],
    acknowledgments: { ...acknowledgments, [wildcard(aliasesArn(stack))]: 'Keys are numbered.' },
  };
}

/** Denies access to contents, and the creation of API keys, because a key can quote contents. */
function denyContents({ resources: { tables } }: OperatedResources): PolicyStatement[] {
  const denied = (actions: string[], resource: string, keys: string, attributes?: string[]) =>
    new PolicyStatement({
      effect: Effect.DENY,
      actions,
      resources: [resource],
      conditions: {
        'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': keys },
        ...(attributes && { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': attributes } }),
      },
    });
  return [
    denied(['dynamodb:*'], tables.attestations.tableArn, contentKeys),
    denied(['dynamodb:PutItem'], tables.organizations.tableArn, apiKeyKeys),
    // An update can create a record, or move a key to another organization. `key revoke` and `org update` do neither.
    denied(['dynamodb:UpdateItem'], tables.organizations.tableArn, apiKeyKeys, ['hash', 'organizationId']),
  ];
}

type Conditions = Record<string, Record<string, string>>;

function allow(actions: string[], resources: string[], conditions: Conditions = {}): PolicyStatement {
  return new PolicyStatement({ actions, resources, conditions });
}

/** Conditions that match only signing keys. */
const onlySigningKeys = { StringEquals: { 'kms:KeySpec': 'ECC_SECG_P256K1', 'kms:KeyUsage': 'SIGN_VERIFY' } };

function settingsAccess({ settingsArn, resources: { rpcUrls, settingsChanges } }: OperatedResources) {
  return [
    allow(['ssm:GetParameter'], [settingsArn]),
    allow(['ssm:PutParameter'], [settingsChanges.parameterArn, rpcUrls.parametersArn]),
    rpcUrls.cryptography('kms:Encrypt'),
  ];
}

function inspection(stack: Stack, { resources, alarmTopic, sweepLog }: OperatedResources): PolicyStatement[] {
  const { tables, machines, signingKey } = resources;
  const { attest, lane } = machines;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const log = { service: 'logs', resource: 'log-group', resourceName: sweepLog.logGroupName, arnFormat };
  const bootstrap = `cdk-bootstrap/${DefaultStackSynthesizer.DEFAULT_QUALIFIER}/version`;
  const parameter = { service: 'ssm', resource: 'parameter', resourceName: bootstrap };
  return [
    allow(['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'], [stackArn(stack)]),
    allow(
      ['dynamodb:DescribeTable', 'dynamodb:DescribeContinuousBackups', 'dynamodb:DescribeTimeToLive'],
      Object.values(tables).map(({ tableArn }) => tableArn),
    ),
    allow(['kms:DescribeKey'], [signingKey.keyArn]),
    allow(['kms:DescribeKey', 'kms:GetPublicKey'], [keysArn(stack)], {
      'ForAnyValue:StringLike': { 'kms:ResourceAliases': `alias/${aliases(stack)}` },
    }),
    // Step Functions checks an alias against the machine's ARN.
    allow(['states:DescribeStateMachineAlias', 'states:ListExecutions'], [attest.arn, lane.arn]),
    allow(['sns:ListSubscriptionsByTopic'], [alarmTopic.topicArn]),
    // IAM expects the ARN without the `:*` that CloudFormation appends.
    allow(['logs:FilterLogEvents'], [sweepLog.logGroupArn, stack.formatArn(log)]),
    allow(['ssm:GetParameter'], [stack.formatArn(parameter)]),
    allow(['apigateway:GET'], [`arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::/account`]),
    allow(
      [
        ...['lambda:GetAccountSettings', 'servicequotas:ListServiceQuotas', 'ssm:DescribeParameters'],
        // A list by a prefix of names needs access to all alarms.
        'cloudwatch:DescribeAlarms',
      ],
      ['*'],
    ),
  ];
}

/**
 * Lets `signer rotate` create keys. Custodians cannot change policies, schedule deletions, or add an alias to a key with a foreign
 * alias, such as a stack's key. Conditions on tags would not help: a custodian who can tag a new key can tag any key, and new tags
 * and aliases take minutes to apply.
 */
function keyCreation(stack: Stack): PolicyStatement[] {
  const noForeignAlias = {
    'ForAllValues:StringLike': { 'kms:ResourceAliases': `alias/${aliases(stack)}` },
  };
  return [
    allow(['kms:CreateKey'], ['*'], onlySigningKeys),
    allow(['kms:CreateAlias'], [aliasesArn(stack)]),
    allow(['kms:CreateAlias'], [keysArn(stack)], { ...onlySigningKeys, ...noForeignAlias }),
    allow(['kms:GetPublicKey', 'kms:GetKeyPolicy'], [keysArn(stack)], onlySigningKeys),
  ];
}

/** Alias pattern of the keys of `signer rotate` (admin/deployment/kms-signer-keys.ts). */
const aliases = ({ stackName }: Stack): string => `imprimatur/${stackName}/signer-*`;

const aliasesArn = (stack: Stack): string =>
  stack.formatArn({ service: 'kms', resource: 'alias', resourceName: aliases(stack) });

const keysArn = (stack: Stack): string =>
  stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' });

const stackArn = (stack: Stack): string =>
  stack.formatArn({ service: 'cloudformation', resource: 'stack', resourceName: `${stack.stackName}/*` });

/** ARNs of users, roles and accounts that can assume each role. A role without one does not exist. */
interface AccessRolesProps extends OperatedResources {
  readonly assumedBy: {
    readonly operators: readonly string[];
    readonly custodians: readonly string[];
    readonly deployers: readonly string[];
  };
}

/** Roles for operators, custodians and pipelines. None of them can sign: the key's policy denies it. */
export class AccessRoles extends Construct {
  constructor(scope: Construct, id: string, { assumedBy, ...operated }: AccessRolesProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const make = (id: string, description: string, principals: readonly string[], allowed: Permissions) => {
      if (principals.length === 0) return;
      const anyPrincipal = new CompositePrincipal(...principals.map((arn) => new ArnPrincipal(arn)));
      const role = new Role(this, id, { description, assumedBy: anyPrincipal });
      for (const statement of allowed.statements) role.addToPolicy(statement);
      acknowledge(role, allowed.acknowledgments);
      new CfnOutput(stack, `${id}Role`, { value: role.roleArn });
    };
    const operatorTask = 'Runs npm run admin, except to read or erase contents and to create or issue keys';
    make('Operators', operatorTask, assumedBy.operators, operatorPermissions(stack, operated));
    const custodianTask =
      'Runs npm run admin, including to read and erase contents and to create and issue keys';
    make('Custodians', custodianTask, assumedBy.custodians, custodianPermissions(stack, operated));
    const statements = [new PolicyStatement({ actions: ['sts:AssumeRole'], resources: bootstrapRoles() })];
    const deployerTask = 'Runs cdk deploy with the roles of cdk bootstrap';
    make('Deployers', deployerTask, assumedBy.deployers, { statements, acknowledgments: {} });
  }
}

/** ARNs of the roles that `cdk deploy` assumes: to deploy, to upload assets, and to look up. */
function bootstrapRoles(): string[] {
  const { DEFAULT_QUALIFIER: qualifier, ...names } = DefaultStackSynthesizer;
  const arns = [
    names.DEFAULT_DEPLOY_ROLE_ARN,
    names.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
    names.DEFAULT_LOOKUP_ROLE_ARN,
  ];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the CDK
  return arns.map((arn) => Fn.sub(arn.replaceAll('${Qualifier}', qualifier)));
}
