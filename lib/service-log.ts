import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

interface ServiceLogProps {
  /** Days for which lines are kept. */
  readonly days: number;
  readonly logGroupName?: string;
}

/** Log group of the service; its lines expire, and it goes with the stack. */
export class ServiceLog extends LogGroup {
  constructor(scope: Construct, id: string, { days, ...more }: ServiceLogProps) {
    super(scope, id, { ...more, retention: days, removalPolicy: RemovalPolicy.DESTROY });
  }
}
