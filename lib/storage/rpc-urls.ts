import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type Acknowledgments, wildcard } from '../acknowledge.ts';

/**
 * Place of the RPC URLs in SSM: below `path`, operators put one SecureString per chain id. The URLs often hold provider
 * keys, so the stack neither creates nor reads them.
 */
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
    this.parametersArn = stack.formatArn({
      service: 'ssm',
      resource: 'parameter',
      resourceName: `${this.path.slice(1)}/*`,
    });
    this.#keys = stack.formatArn({
      service: 'kms',
      resource: 'key',
      resourceName: '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.acknowledgments = {
      [wildcard(this.parametersArn)]: 'One parameter of the stack for each chain.',
      [wildcard(this.#keys)]:
        'Operators choose the key that encrypts a parameter; the conditions leave what Systems Manager decrypts of these.',
    };
    this.readStatements = [
      new PolicyStatement({ actions: ['ssm:GetParameter'], resources: [this.parametersArn] }),
      this.cryptography('kms:Decrypt'),
    ];
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
