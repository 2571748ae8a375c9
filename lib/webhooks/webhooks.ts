import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { everyMinute, ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';
import type { UsedTable } from '../storage/tables.ts';

type WebhooksProps = Pick<ServiceFunctionProps, 'resources' | 'settings' | 'hosting'>;

const images = (before: object, after: object) =>
  FilterCriteria.filter({ dynamodb: { OldImage: before, NewImage: after } });

/** Writes that may cause an event: a row becomes terminal, is created as confirmed, or its link becomes final. */
const eventFilters = [
  images({ status: { S: ['pending', 'committed'] } }, { status: { S: ['confirmed', 'failed'] } }),
  FilterCriteria.filter({
    eventName: ['INSERT'],
    dynamodb: { NewImage: { status: { S: ['confirmed'] } } },
  }),
  images({ linkPhase: { S: ['queued', 'mined'] } }, { linkPhase: { S: ['final'] } }),
];

const dueFilters = [
  FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'due#' }] } } } }),
];

/**
 * One function queues the stream's events, and another sends them: receivers may be down longer than a stream keeps
 * records.
 */
export class Webhooks extends Construct {
  readonly queueDeliveries: ServiceFunction;
  readonly sendDeliveries: ServiceFunction;

  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    const functionProps = { ...props, timeoutSeconds: 60 };
    this.queueDeliveries = new ServiceFunction(this, 'streams/queue-deliveries', functionProps);
    this.sendDeliveries = new ServiceFunction(this, 'streams/send-deliveries', functionProps);
    // Name look-ups use at most half of the threads and cannot be aborted. With the default of four threads, two receivers whose
    // name servers do not answer would delay all others.
    this.sendDeliveries.addEnvironment('UV_THREADPOOL_SIZE', '64');
    const { attestations, webhooks } = props.resources.tables;
    this.map(this.queueDeliveries, attestations, {
      // From the oldest record, because queueing is idempotent.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: eventFilters,
      // A failed batch is split and retried. After 20 hours it is skipped, before later records expire.
      bisectBatchOnError: true,
      maxRecordAge: Duration.hours(20),
    });
    // A lost invocation is replaced by the schedule.
    this.map(this.sendDeliveries, webhooks, {
      startingPosition: StartingPosition.LATEST,
      filters: dueFilters,
      retryAttempts: 0,
    });
    everyMinute(this, 'Schedule', this.sendDeliveries);
  }

  /** Invokes a function with the records of a table's stream. An existing table may have no stream. */
  private map(
    target: ServiceFunction,
    { tableStreamArn }: UsedTable,
    options: Omit<EventSourceMappingOptions, 'eventSourceArn'>,
  ): void {
    if (tableStreamArn === undefined) return;
    target.addToRolePolicy(
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        resources: [tableStreamArn],
      }),
    );
    target.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }));
    acknowledge(target, { 'IAM5[Resource::*]': 'ListStreams has no resource, and Lambda requires it.' });
    const mapping = new EventSourceMapping(target, 'Stream', {
      ...options,
      target: target.live as IFunction,
      eventSourceArn: tableStreamArn,
    });
    // Lambda reads the stream when the mapping is created.
    if (target.role) mapping.node.addDependency(target.role);
  }
}
