import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { Workflow } from './workflow.ts';

/**
 * Schedule of the sweep, which once a minute restarts what a crash left. A late run is useless: the next one does its
 * work.
 */
export class SweepSchedule extends Rule {
  constructor(scope: Construct, id: string, { sweep, attest, lane }: Workflow) {
    super(scope, id, {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sweep, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    // The function names the machines without a reference, so nothing else makes the schedule wait for them.
    this.node.addDependency(attest, lane);
  }
}
