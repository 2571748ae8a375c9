import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { ServiceFunction } from '../service-function.ts';

interface CanaryProps {
  readonly functions: readonly ServiceFunction[];
  /** Alarm that rolls the deployment back. */
  readonly alarm: IAlarm;
}

/** Sends a tenth of each route's requests to a new version, and the rest after two periods of the alarm. */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { functions, alarm }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // One role for all groups.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
    acknowledge(role, {
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'CodeDeploy needs it to move aliases and read alarms. Only CodeDeploy can assume the role.',
    });
    for (const { node, live } of functions) {
      new LambdaDeploymentGroup(this, node.id.replace(/\W/g, ''), {
        ...{ application, role, alias: live, alarms: [alarm] },
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
    }
  }
}
