import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Settings } from '../../functions/domain/settings.ts';
import { changesParameter } from '../../functions/domain/settings-changes.ts';
import { type Acknowledgments, wildcard } from '../acknowledge.ts';

const parameterArn = (stack: Stack, name: string): string =>
  stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: name.slice(1) });

const reading = (arn: string) => new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn] });

/** Operators put one SecureString per chain id below `path`. The URLs often hold providers' keys: the stack neither makes nor reads them. */
export class RpcUrls {
  readonly path: string;
  /** ARN pattern of the parameters. */
  readonly parametersArn: string;
  /** Statements that let a function read them. */
  readonly readStatements: readonly PolicyStatement[];
  /** Why those have wildcards in their resources. */
  readonly acknowledgments: Acknowledgments;
  /** ARN pattern of the keys that may encrypt them. */
  readonly #keys: string;

  constructor(scope: Construct) {
    const stack = Stack.of(scope);
    this.path = `/${stack.stackName}/rpc-urls`;
    this.parametersArn = parameterArn(stack, `${this.path}/*`);
    this.#keys = stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' });
    this.acknowledgments = {
      [wildcard(this.parametersArn)]: 'One parameter of the stack for each chain.',
      [wildcard(this.#keys)]:
        'Operators choose the key that encrypts a parameter; the conditions leave what Systems Manager decrypts of these.',
    };
    this.readStatements = [reading(this.parametersArn), this.cryptography('kms:Decrypt')];
  }

  /** Statement that lets Systems Manager use keys for these parameters: an operator may encrypt them with any. */
  cryptography(action: 'kms:Decrypt' | 'kms:Encrypt'): PolicyStatement {
    return new PolicyStatement({
      actions: [action],
      resources: [this.#keys],
      conditions: {
        StringEquals: { 'kms:ViaService': `ssm.${Aws.REGION}.${Aws.URL_SUFFIX}` },
        StringLike: { 'kms:EncryptionContext:PARAMETER_ARN': this.parametersArn },
      },
    });
  }
}

/** Name of the SSM parameter with a stack's deployed settings. */
const settingsParameterName = ({ stackName }: Stack): string => `/${stackName}/settings`;

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

/** Operators write their changes of settings here, and the stack does not: a deployment would put back what it knows. */
export class SettingsChanges {
  readonly parameterName: string;
  readonly parameterArn: string;
  /** Statement that lets a function read them. */
  readonly readStatement: PolicyStatement;

  constructor(scope: Construct) {
    const stack = Stack.of(scope);
    this.parameterName = changesParameter(settingsParameterName(stack));
    this.parameterArn = parameterArn(stack, this.parameterName);
    this.readStatement = reading(this.parameterArn);
  }
}
