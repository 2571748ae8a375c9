import { RemovalPolicy } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

const ordered = {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
};

interface TablesProps {
  /** Whether they outlive the stack: losing one loses who owns what. */
  readonly retained: boolean;
  readonly deletionProtection: boolean;
}

/** Tables of the service. */
export class Tables extends Construct {
  readonly attestations: Table;
  readonly lanes: Table;
  /** Queued operations, apart from the lanes: who may only queue an operation may change no lane. */
  readonly queue: Table;
  readonly organizations: Table;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const expiring = { timeToLiveAttribute: 'expiresAt' };
    this.attestations = this.table('Attestations', props, expiring);
    this.lanes = this.table('Lanes', props, expiring);
    this.queue = this.table('Queue', props);
    this.organizations = this.table('Organizations', props);
    // Sparse: only rows that the sweep has to check carry its partition key.
    this.attestations.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'sweep', type: AttributeType.STRING },
      sortKey: { name: 'checkAt', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse too: only rows that are neither confirmed nor failed, by organisation, to be counted.
    this.attestations.addGlobalSecondaryIndex({
      indexName: 'inFlight',
      partitionKey: { name: 'inFlight', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }

  /** Returns a metric of each table and of each index: a table's own does not count what its indexes refuse. */
  metrics(name: string, options: MetricOptions): Metric[] {
    const tables = [this.attestations, this.lanes, this.queue, this.organizations];
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
