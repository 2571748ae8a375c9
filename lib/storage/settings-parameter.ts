import { Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';

/** SSM parameter with the settings as the functions have them, for operators' tools. They hold no secret. */
export class SettingsParameter extends StringParameter {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      parameterName: `/${Stack.of(scope).stackName}/settings`,
      description: 'What this deployment of Imprimatur was told; changed by deploying, not here',
      stringValue: JSON.stringify(settings),
    });
  }
}
