import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';
import { changesParameter, rpcUrlsPath } from '../../functions/domain/settings-changes.ts';
import { type Acknowledgments, wildcard } from '../acknowledge.ts';

const parameterArn = (stack: Stack, name: string): string =>
  stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });

const allowRead = (arn: string) => new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] });

/** Operators store one SecureString per chain ID below `path`. The stack does not read them: URLs often contain keys. */
export function rpcUrlsOf(stack: Stack) {
  const path = rpcUrlsPath(stack.stackName);
  const parametersArn = parameterArn(stack, `${path}/*`);
  const keys = stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' });
  /** Lets Systems Manager use keys for these parameters: an operator may encrypt them with any. */
  const cryptography = (action: 'kms:Decrypt' | 'kms:Encrypt') =>
    new PolicyStatement({
      actions: [action],
      resources: [keys],
      conditions: {
        StringEquals: { 'kms:ViaService': `ssm.${Aws.REGION}.${Aws.URL_SUFFIX}` },
        StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': parametersArn },
      },
    });
  const acknowledgments: Acknowledgments = {
    [wildcard(parametersArn)]: 'One parameter of the stack for each chain.',
    [wildcard(keys)]:
      'Operators choose the key that encrypts a parameter; conditions limit it to these parameters in Systems Manager.',
  };
  const readStatements = [allowRead(parametersArn), cryptography('kms:Decrypt')];
  return { path, parametersArn, cryptography, acknowledgments, readStatements };
}

const settingsParameterName = ({ stackName }: Stack): string => `/${stackName}/settings`;

/** SSM parameter with the deployed settings, for operators' tools. They contain no secret. */
export class SettingsParameter extends StringParameter {
  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id, {
      parameterName: settingsParameterName(Stack.of(scope)),
      description:
        'Settings of this deployment of Imprimatur. Change them with a deployment or with admin settings set, not here.',
      stringValue: JSON.stringify(settings),
    });
  }
}

/** Only operators write this parameter. The stack does not create it, because a deployment would overwrite it. */
export function settingsChangesOf(stack: Stack) {
  const parameterName = changesParameter(settingsParameterName(stack));
  const arn = parameterArn(stack, parameterName);
  return { parameterName, parameterArn: arn, readStatement: allowRead(arn) };
}
