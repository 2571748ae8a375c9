import { Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';

/** Name of the SSM parameter with a stack's deployed settings. */
export function settingsParameterName({ stackName }: Stack): string {
  return `/${stackName}/settings`;
}

/** SSM parameter with the settings as the functions have them, for operators' tools. They hold no secret. */
export class SettingsParameter extends StringParameter {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      parameterName: settingsParameterName(Stack.of(scope)),
      description:
        'What this deployment of Imprimatur was told. Change it by deploying, or with admin settings set; not here',
      stringValue: JSON.stringify(settings),
    });
  }
}
