import { RemovalPolicy } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';

const ordered = {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
};

/** Names of tables that exist, such as restored ones. */
export type ExistingTables = NonNullable<NonNullable<Settings['existing']>['tables']>;

/** What the stack uses of a table, its own or an existing one. */
export type UsedTable = Pick<ITable, 'tableName' | 'tableArn' | 'metric'> & {
  readonly tableStreamArn?: string | undefined;
};

interface TablesProps {
  /** Tables to use in place of the stack's own. They have to have the same keys and indexes. */
  readonly existing?: ExistingTables | undefined;
  /** Whether they outlive the stack: losing one loses who owns what. */
  readonly retained: boolean;
  readonly deletionProtection: boolean;
}

const expiring = { timeToLiveAttribute: 'expiresAt' };

/** Tables of the service. */
export class Tables extends Construct {
  readonly attestations: UsedTable;
  readonly lanes: UsedTable;
  /** Queued operations, apart from the lanes: who may only queue an operation may change no lane. */
  readonly queue: UsedTable;
  readonly organizations: UsedTable;
  /** Webhooks with their secrets, and what is to be sent to them. */
  readonly webhooks: UsedTable;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const { existing = {} } = props;
    this.attestations = existing.attestations
      ? this.existing('Attestations', existing.attestations, existing.attestationsStream)
      : this.attestationsTable(props);
    this.lanes = existing.lanes
      ? this.existing('Lanes', existing.lanes)
      : this.table('Lanes', props, expiring);
    this.queue = existing.queue ? this.existing('Queue', existing.queue) : this.table('Queue', props);
    this.organizations = existing.organizations
      ? this.existing('Organizations', existing.organizations)
      : this.table('Organizations', props);
    this.webhooks = existing.webhooks
      ? this.existing('Webhooks', existing.webhooks)
      : // Keys say where something new is; the records have secrets.
        this.table('Webhooks', props, { ...expiring, stream: StreamViewType.KEYS_ONLY });
  }

  /** Returns a metric of each table and of each index: a table's own does not count what its indexes refuse. */
  metrics(name: string, options: MetricOptions): Metric[] {
    const tables = [this.attestations, this.lanes, this.queue, this.organizations, this.webhooks];
    const { tableName: TableName } = this.attestations;
    return [
      ...tables.map((table) => table.metric(name, options)),
      ...['due', 'inFlight'].map((index) =>
        this.attestations.metric(name, {
          ...options,
          dimensionsMap: { TableName, GlobalSecondaryIndexName: index },
        }),
      ),
    ];
  }

  private existing(id: string, tableName: string, tableStreamArn?: string): UsedTable {
    return Table.fromTableAttributes(this, id, { tableName, ...(tableStreamArn && { tableStreamArn }) });
  }

  private attestationsTable(props: TablesProps): Table {
    // A link or an end is what a write changed, so both images are needed.
    const stream = StreamViewType.NEW_AND_OLD_IMAGES;
    const table = this.table('Attestations', props, { ...expiring, stream });
    // Sparse: only rows that the sweep has to check carry its partition key.
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'sweep', type: AttributeType.STRING },
      sortKey: { name: 'checkAt', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse too: only rows that are neither confirmed nor failed, by organisation, to be counted.
    table.addGlobalSecondaryIndex({
      indexName: 'inFlight',
      partitionKey: { name: 'inFlight', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    return table;
  }

  private table(
    id: string,
    { retained, deletionProtection }: TablesProps,
    more: Partial<TableProps> = {},
  ): Table {
    return new Table(this, id, {
      ...ordered,
      ...more,
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      // What a failed first deployment created holds nothing, and goes.
      removalPolicy: retained ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }
}
