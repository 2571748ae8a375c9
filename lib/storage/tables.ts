import { CfnCondition, CfnParameter, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  type CfnTable,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';

const keySchema = {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
};

/** Members of a table that the stack uses: its own, or an existing one. */
export type UsedTable = Pick<ITable, 'tableName' | 'tableArn' | 'metric'> & {
  readonly tableStreamArn?: string | undefined;
};

export type UsedTables = Readonly<Record<TableName, UsedTable>>;

interface TablesProps {
  /** Tables to use instead of the stack's own. They must have the same keys and indexes. */
  readonly existing?: NonNullable<Settings['existing']>['tables'];
  readonly retained: boolean;
  /** Whether the stack has the parameter `Protection`, which protects its tables from deletion. */
  readonly deletionProtection: boolean;
}

const expiring = { timeToLiveAttribute: 'expiresAt' };

const propsOf = {
  // Events depend on the changes of a write, so both images are needed.
  attestations: { ...expiring, stream: StreamViewType.NEW_AND_OLD_IMAGES },
  lanes: expiring,
  // Separate from the lanes: a function that only queues operations cannot change a lane.
  queue: {},
  organizations: {},
  // Only keys, because the records contain secrets.
  webhooks: { ...expiring, stream: StreamViewType.KEYS_ONLY },
} satisfies Record<string, Partial<TableProps>>;

type TableName = keyof typeof propsOf;

export const tableNames = Object.keys(propsOf) as TableName[];

/** `lanes` → `Lanes`, its id in the stack; its output is `LanesTable`. */
export const tableId = (name: TableName): string => name.replace(/^\w/, (first) => first.toUpperCase());

export class Tables extends Construct {
  readonly all: UsedTables;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const isProtected = props.deletionProtection && this.protectionCondition();
    const used = tableNames.map((name) => [
      name,
      this.existing(name, props) ?? this.table(name, props.retained, isProtected),
    ]);
    this.all = Object.fromEntries(used);
  }

  /** Returns a metric of each table and index: a table's metric does not include its indexes. */
  metrics(name: string, options: MetricOptions): Metric[] {
    const { attestations } = this.all;
    const { tableName: TableName } = attestations;
    return [
      ...Object.values(this.all).map((table) => table.metric(name, options)),
      ...['due', 'inFlight'].map((index) =>
        attestations.metric(name, {
          ...options,
          dimensionsMap: { TableName, GlobalSecondaryIndexName: index },
        }),
      ),
    ];
  }

  private existing(name: TableName, { existing = {} }: TablesProps): UsedTable | undefined {
    const tableName = existing[name];
    if (tableName === undefined) return undefined;
    const tableStreamArn = name === 'attestations' ? existing.attestationsStream : undefined;
    return Table.fromTableAttributes(this, tableId(name), {
      tableName,
      ...(tableStreamArn && { tableStreamArn }),
    });
  }

  private protectionCondition(): CfnCondition {
    const stack = Stack.of(this);
    const { valueAsString: value } = new CfnParameter(stack, 'Protection', {
      description:
        'Whether the tables are protected from deletion: on, after the first successful deployment',
      allowedValues: ['off', 'on'],
      default: 'off',
    });
    return new CfnCondition(stack, 'IsProtected', { expression: Fn.conditionEquals(value, 'on') });
  }

  private table(name: TableName, retained: boolean, isProtected: CfnCondition | false): Table {
    const table = new Table(this, tableId(name), {
      ...keySchema,
      ...propsOf[name],
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: false,
      // Tables of a failed first deployment are empty, and are deleted.
      removalPolicy: retained ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    if (isProtected) {
      const resource = table.node.defaultChild as CfnTable;
      resource.deletionProtectionEnabled = Fn.conditionIf(isProtected.logicalId, true, false);
    }
    if (name === 'attestations') addIndexes(table);
    return table;
  }
}

function addIndexes(attestations: Table): void {
  // Sparse: only rows that the sweep has to check carry its partition key.
  attestations.addGlobalSecondaryIndex({
    indexName: 'due',
    partitionKey: { name: 'sweep', type: AttributeType.STRING },
    sortKey: { name: 'checkAt', type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  // Sparse too: only rows that are neither confirmed nor failed, by organization, to be counted.
  attestations.addGlobalSecondaryIndex({
    indexName: 'inFlight',
    partitionKey: { name: 'inFlight', type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
}
