import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { changesParameter } from '../../functions/domain/settings-changes.ts';
import { settingsParameterName } from './settings-parameter.ts';

/**
 * Place in SSM of what operators changed of the settings without a deployment. They write it and the stack does not: a
 * deployment would put back what it knows.
 */
export class SettingsChanges {
  readonly parameterName: string;
  readonly parameterArn: string;
  /** Statement that lets a function read them. */
  readonly readStatement: PolicyStatement;

  constructor(scope: Construct) {
    const stack = Stack.of(scope);
    this.parameterName = changesParameter(settingsParameterName(stack));
    const resourceName = this.parameterName.slice(1);
    this.parameterArn = stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName });
    this.readStatement = new PolicyStatement({
      actions: ['ssm:GetParameter'],
      resources: [this.parameterArn],
    });
  }
}
