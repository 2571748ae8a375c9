import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RpcUrls } from '../storage/rpc-urls.ts';
import type { FunctionAccess, TableAccess } from './function-access.ts';
import type { MachineAddress } from './machine-address.ts';
import { rotatedKeyStatement } from './signing-key.ts';

/** Resources that functions may be given access to. */
export interface Resources {
  readonly attestations: Table;
  readonly lanes: Table;
  readonly queue: Table;
  readonly organizations: Table;
  readonly signingKey: IKey;
  readonly rpcUrls: RpcUrls;
  readonly machines: Readonly<Record<'attest' | 'lane', MachineAddress>>;
  /** Resource that `states:SendTask*` is evaluated against. */
  readonly taskResource: string;
}

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/**
 * Actions on a table by access. Transactions and their conditions need no others than the writes:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 */
const tableActions: Record<TableAccess, string[]> = {
  read: readActions,
  add: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  readWrite: [...readActions, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
};

/** Builds the statements that let a function do what it declares, and nothing else. */
export function accessStatements(access: FunctionAccess, resources: Resources): PolicyStatement[] {
  return [
    ...tableStatements(access, resources),
    ...keyStatements(access, resources),
    ...workflowStatements(access, resources),
  ];
}

function tableStatements(access: FunctionAccess, resources: Resources): PolicyStatement[] {
  const tables = (['attestations', 'lanes', 'queue', 'organizations'] as const).flatMap((name) => {
    const given = access[name];
    return given === undefined ? [] : [allow(tableActions[given], resources[name].tableArn)];
  });
  const indexes = (access.indexes ?? []).map((name) =>
    allow(['dynamodb:Query'], `${resources.attestations.tableArn}/index/${name}`),
  );
  return [...tables, ...indexes];
}

function keyStatements({ signingKey, chains }: FunctionAccess, resources: Resources): PolicyStatement[] {
  const signing = ['kms:GetPublicKey', 'kms:Sign'];
  return [
    ...(signingKey === 'publicKey' ? [allow(['kms:GetPublicKey'], resources.signingKey.keyArn)] : []),
    ...(signingKey === 'sign'
      ? [allow(signing, resources.signingKey.keyArn), rotatedKeyStatement(resources.signingKey, signing)]
      : []),
    ...(chains ? resources.rpcUrls.readStatements : []),
  ];
}

function workflowStatements(
  { starts = [], answersTasks }: FunctionAccess,
  resources: Resources,
): PolicyStatement[] {
  const machines = starts.map((name) => resources.machines[name]);
  return [
    // IAM evaluates an execution started through an alias against the machine's own ARN.
    ...machines.map(({ arn }) => allow(['states:StartExecution'], arn)),
    // A name that is taken may belong to a running execution or a closed one, which only its status shows.
    ...machines.map(({ executionsArn }) => allow(['states:DescribeExecution'], executionsArn)),
    ...(answersTasks
      ? [allow(['states:SendTaskSuccess', 'states:SendTaskFailure'], resources.taskResource)]
      : []),
  ];
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}
